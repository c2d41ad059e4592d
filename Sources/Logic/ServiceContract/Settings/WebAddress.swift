// SPDX-License-Identifier: Apache-2.0

/// The address of the live page: an address of this machine and a port.
package struct WebAddress: Sendable, Equatable {
  /// An IPv4 or IPv6 address, the latter without brackets.
  package var host: String
  /// 0 takes a free one.
  package var port: Int

  /// The allowed forms, in words.
  package static let form = "ADDRESS:PORT, as in 127.0.0.1:8080 or [::1]:8080"

  /// Takes `127.0.0.1:8080`, `[::1]:8080` and `localhost:8080`, which is 127.0.0.1; `nil` for anything else.
  package init?(text: String) {
    guard let colon = text.lastIndex(of: ":"),
      let port = UInt16(text[text.index(after: colon)...])
    else { return nil }
    let host = text[..<colon]
    if host.hasPrefix("["), host.hasSuffix("]") {
      let inner = host.dropFirst().dropLast()
      guard inner.contains(":"), inner.allSatisfy({ $0.isHexDigit || $0 == ":" || $0 == "." })
      else { return nil }
      self.host = String(inner)
    } else {
      let parts = host.split(separator: ".", omittingEmptySubsequences: false)
      guard host == "localhost" || parts.count == 4 && parts.allSatisfy({ UInt8($0) != nil })
      else { return nil }
      self.host = host == "localhost" ? "127.0.0.1" : String(host)
    }
    self.port = Int(port)
  }

  /// As it is written.
  package var text: String { (host.contains(":") ? "[\(host)]" : host) + ":\(port)" }

  /// Whether only this machine reaches it.
  package var isLoopback: Bool { Loopback.holds(host) }
}
