// SPDX-License-Identifier: Apache-2.0

import JSONText
import ServiceContract

/// The other side of a sink: its URL (RFC 3986), checked.
///
/// Only the part before the path is parsed; path and query are sent as written, so they must be percent-encoded
/// already.
struct Endpoint: Sendable, Equatable {
  enum Scheme: String, Sendable, CaseIterable {
    case http, https, mqtt, mqtts
    /// Proxies only; with `socks5h` the proxy looks up names.
    case socks5, socks5h

    /// The default port of a URL; `nil` for a proxy without a customary one.
    var port: Int? {
      switch self {
      case .http: 80
      case .https: 443
      case .mqtt: 1_883
      case .mqtts: 8_883
      case .socks5, .socks5h: 1_080
      }
    }

    var isEncrypted: Bool { self == .https || self == .mqtts }
  }

  let scheme: Scheme
  /// A name or an address; an IPv6 address without its brackets.
  let host: String
  /// 1 to 65535.
  let port: Int
  /// With its leading slash, and the query, if any, with its `?`; empty if there is none.
  let path: String
  /// The URL as written.
  let text: String

  /// The part before the path, for people and for messages, which must not show a token in the path or the query.
  var place: String {
    let name = host.contains(":") ? "[\(host)]" : host
    return "\(scheme.rawValue)://\(name)\(port == scheme.port ? "" : ":\(port)")"
  }
}

extension Endpoint {
  init(_ text: String, schemes: [Scheme]) throws(InputError) {
    let names = schemes.map { $0.rawValue + "://" }
    guard let colon = text.firstRange(of: "://"),
      let scheme = schemes.first(where: { $0.rawValue == text[..<colon.lowerBound].lowercased() })
    else {
      throw InputError(
        "'\(SettingsTable.shortened(text))' does not begin with "
          + names.joined(separator: " or "))
    }
    if let fault = URLCharacters.fault(in: text, placeholders: ["{token}"]) {
      throw InputError(fault)
    }
    if text.contains("#") {
      throw InputError("holds a #, and what is behind it is never sent; leave it out")
    }
    let rest = text[colon.upperBound...]
    let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
    let authority = rest[..<end]
    if authority.contains("@") {
      throw InputError(
        "holds a user or a password; name them by user and password_file, so that they stand "
          + "in no database and no log")
    }
    (host, port) = try Self.hostAndPort(authority, scheme)
    let path = String(rest[end...])
    self.path = path.hasPrefix("?") ? "/" + path : path
    self.scheme = scheme
    self.text = text
  }

  private static func hostAndPort(
    _ authority: Substring, _ scheme: Scheme
  ) throws(InputError) -> (String, Int) {
    var name = authority
    var digits: Substring?
    if authority.hasPrefix("["), let close = authority.firstIndex(of: "]") {
      name = authority[authority.index(after: authority.startIndex)..<close]
      let behind = authority[authority.index(after: close)...]
      guard behind.isEmpty || behind.hasPrefix(":") else {
        throw InputError("has '\(behind)' behind the address in brackets")
      }
      digits = behind.isEmpty ? nil : behind.dropFirst()
    } else if let colon = authority.firstIndex(of: ":") {
      name = authority[..<colon]
      digits = authority[authority.index(after: colon)...]
      if digits?.contains(":") == true {
        throw InputError("has an IPv6 address without brackets; write [\(authority)]")
      }
    }
    guard !name.isEmpty else { throw InputError("names no host") }
    guard let digits else {
      guard let port = scheme.port else { throw InputError("names no port") }
      return (String(name), port)
    }
    guard digits.allSatisfy(\.isWholeNumber), let port = Int(digits), (1...65_535).contains(port)
    else { throw InputError("has the port '\(digits)'; a port is a number from 1 to 65535") }
    return (String(name), port)
  }

  /// The URL under `key`; notes its faults, and if it is missing, its `meaning`.
  static func readSetting(
    _ table: inout SettingsTable, _ key: String = "url", schemes: [Scheme], meaning: String? = nil
  ) -> Endpoint? {
    guard let text = table.string(key) else {
      if let meaning, !table.states(key) { table.noteProblem(at: key, "missing; say \(meaning)") }
      return nil
    }
    do throws(InputError) {
      return try Endpoint(text, schemes: schemes)
    } catch {
      table.noteProblem(at: key, error.message)
      return nil
    }
  }
}
