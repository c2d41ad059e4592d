// SPDX-License-Identifier: Apache-2.0

extension GPSDSource.Address {
  /// Reads `HOST`, `HOST:PORT`, `[IPV6]` or `[IPV6]:PORT`; `nil` for any other text.
  package init?(text: String) {
    self.init()
    var rest = Substring(text)
    if rest.first == "[" {
      guard let end = rest.firstIndex(of: "]") else { return nil }
      host = String(rest[rest.index(after: rest.startIndex)..<end])
      rest = rest[rest.index(after: end)...]
    } else {
      let end = rest.firstIndex(of: ":") ?? rest.endIndex
      host = String(rest[..<end])
      rest = rest[end...]
    }
    if host.isEmpty { return nil }
    if rest.isEmpty { return }
    guard rest.first == ":", let number = Int(rest.dropFirst()), (1...65_535).contains(number)
    else {
      return nil
    }
    port = number
  }
}
