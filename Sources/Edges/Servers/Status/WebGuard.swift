// SPDX-License-Identifier: Apache-2.0

import NIOHTTP1

// Theory
// ======
//
// Loopback is no protection: every program of every user of the machine can reach a port, and so can every page that is
// open in a browser. So each request must pass, in this order:
//
//   method     GET or HEAD, nothing changes by asking                                    else 405
//   host       an address, localhost, or a name that was set: a page of another name that
//              has itself resolved to this machine (DNS rebinding) is none of them       else 421
//   origin     the page's own, if the browser states one; it needs no other              else 403
//   token      in the query of `/`: good once. Its bearer gets a cookie, and `/` again.   else 403
//   cookie     HttpOnly, SameSite=Strict, by port, since cookies are not told apart by it  else 401
//
//            token of the file                 17th one admitted, or the daemon's end
//   none   ───────────────────▶ session (cookie) ───────────────────────────────▶ none
//                 │
//                 └─▶ the file has a new token: the used one opens nothing again
//
// Tokens and cookies are 256 random bits in hexadecimal, compared in a time that does not depend on where they differ.
// No header lets other origins read (CORS).

/// Decides the access of a request.
struct WebGuard: Sendable {
  /// The limit of admitted browsers; the oldest is dropped.
  static let sessionLimit = 16
  /// The limit of a request's target, bytes.
  static let targetLimit = 512

  /// A name for the host besides addresses and localhost, in lower case; `nil` for none.
  let name: String?
  let port: Int
  /// The secret that opens the page once.
  private(set) var token: String
  private var sessions: [String] = []
  private let random: @Sendable () -> String

  /// `random` returns an unguessable secret.
  init(name: String?, port: Int, random: @escaping @Sendable () -> String) {
    self.name = name?.lowercased()
    self.port = port
    self.random = random
    token = random()
  }

  enum Answer: Sendable, Equatable {
    case pass
    /// The token was right: the cookie is set, and the browser redirected to `/`.
    case admit(cookie: String)
    case refuse(status: Int, String)
  }

  var cookieName: String { "milepost-\(port)" }

  mutating func judge(_ request: WebRequest) -> Answer {
    guard request.method == "GET" || request.method == "HEAD" else {
      return .refuse(status: 405, "this page is only read: GET and HEAD")
    }
    guard request.target.utf8.count <= Self.targetLimit, request.target.hasPrefix("/") else {
      return .refuse(
        status: 400, "the address is no path of this page, or longer than \(Self.targetLimit) bytes"
      )
    }
    let hosts = request.headers["host"]
    guard hosts.count == 1, let host = hosts.first, isOwn(host) else {
      return .refuse(
        status: 421,
        "this page answers to addresses, to localhost and to web_name in milepostd.yaml, and not to "
          + "'\(Self.shown(hosts))'")
    }
    for origin in request.headers["origin"] where origin != "http://\(host)" {
      return .refuse(status: 403, "no other page may read this one")
    }
    let sites = request.headers["sec-fetch-site"]
    if request.path != "/", sites.contains(where: { $0 != "same-origin" && $0 != "none" }) {
      return .refuse(status: 403, "no other page may read this one")
    }
    if request.path == "/", let given = request.query["token"] { return admit(given, request) }
    guard let cookie = request.cookie(cookieName),
      sessions.contains(where: { Self.equal($0, cookie) })
    else {
      return .refuse(
        status: 401, "run milepost web on this machine, and open the address it prints")
    }
    return .pass
  }

  private mutating func admit(_ given: String, _ request: WebRequest) -> Answer {
    guard Self.equal(given, token) else {
      return .refuse(
        status: 403,
        "this address has been used, or is of an earlier daemon: run milepost web for a new one")
    }
    // A prefetch, such as a chat's preview, is no visit.
    guard request.method == "GET", request.headers["purpose"].isEmpty,
      request.headers["sec-purpose"].isEmpty
    else { return .refuse(status: 401, "the address works once, for who opens it") }
    let cookie = random()
    sessions.append(cookie)
    if sessions.count > Self.sessionLimit { sessions.removeFirst() }
    token = random()
    return .admit(
      cookie: "\(cookieName)=\(cookie); Path=/; HttpOnly; SameSite=Strict; Max-Age=2592000")
  }

  private func isOwn(_ host: String) -> Bool {
    let host = host.lowercased()
    if host.hasPrefix("[") {
      guard let end = host.firstIndex(of: "]") else { return false }
      let inner = host[host.index(after: host.startIndex)..<end]
      return inner.contains(":")
        && inner.allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." }
        && Self.isPort(host[host.index(after: end)...])
    }
    let bare = host.prefix { $0 != ":" }
    guard Self.isPort(host[bare.endIndex...]) else { return false }
    return bare == "localhost" || bare == name.map { $0[...] } || Self.isIPv4(bare)
  }

  private static func isPort(_ text: Substring) -> Bool {
    guard !text.isEmpty else { return true }
    return text.first == ":" && UInt16(text.dropFirst()) != nil
  }

  private static func isIPv4(_ text: Substring) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4
      && parts.allSatisfy {
        (1...3).contains($0.count) && $0.allSatisfy { $0.isASCII && $0.isNumber }
          && UInt8($0) != nil
      }
  }

  private static func shown(_ hosts: [String]) -> String {
    String(hosts.joined(separator: ", ").filter { $0.isASCII && !$0.isNewline }.prefix(64))
  }

  private static func equal(_ a: String, _ b: String) -> Bool {
    let (a, b) = (Array(a.utf8), Array(b.utf8))
    guard a.count == b.count else { return false }
    return zip(a, b).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
