// SPDX-License-Identifier: Apache-2.0

/// The characters of a URL (RFC 3986, 2).
package enum URLCharacters {
  /// Printable ASCII that no part of a URL may hold as it is.
  private static let excluded = Set("\"<>\\^`{|}".unicodeScalars)

  /// The first fault of a text that is to be a URL, for people; `nil` if it has none. `placeholders`, such as `{token}`,
  /// are replaced before it is used.
  package static func fault(in text: String, placeholders: [String]) -> String? {
    var text = text
    for placeholder in placeholders { text = text.replacing(placeholder, with: "") }
    let odd = text.unicodeScalars.first {
      $0.value <= 0x20 || $0.value >= 0x7F || excluded.contains($0)
    }
    guard let odd else { return nil }
    let code = String(odd.value, radix: 16, uppercase: true)
    let name =
      excluded.contains(odd)
      ? "'\(odd)'" : "U+\(String(repeating: "0", count: max(0, 4 - code.count)))\(code)"
    return "holds \(name), which no URL may; write it percent-encoded"
  }
}
