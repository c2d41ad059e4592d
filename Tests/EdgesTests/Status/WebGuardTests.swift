// SPDX-License-Identifier: Apache-2.0

import Synchronization
import Testing

@testable import Servers

@Suite("Who may see the page")
struct WebGuardTests {
  /// Secrets in order: `1`, `2`, … as 64 digits.
  private static func gate(_ name: String? = nil) -> WebGuard {
    let count = Mutex(0)
    return WebGuard(name: name, port: 8080) {
      let number = count.withLock { count in
        count += 1
        return "\(count)"
      }
      return String(repeating: "0", count: 64 - number.count) + number
    }
  }

  private static let first = String(repeating: "0", count: 63) + "1"
  private static let second = String(repeating: "0", count: 63) + "2"

  private func request(
    _ target: String, _ method: String = "GET", host: String? = "127.0.0.1:8080",
    _ more: [(String, String)] = []
  ) -> WebRequest {
    WebRequest(method, target, headers: (host.map { [("Host", $0)] } ?? []) + more)
  }

  /// A guard that has admitted one browser, and its cookie.
  private func admitted() throws -> (WebGuard, (String, String)) {
    var gate = Self.gate()
    let answer = gate.judge(request("/?token=\(Self.first)"))
    guard case .admit(let cookie) = answer else {
      Issue.record("\(answer)")
      return (gate, ("", ""))
    }
    return (gate, ("Cookie", String(cookie.prefix { $0 != ";" })))
  }

  @Test("A token opens once, gives a cookie that only the page's own requests bear, and changes")
  func token() {
    var gate = Self.gate()
    #expect(gate.token == Self.first)
    #expect(
      gate.judge(request("/?token=\(Self.first)"))
        == .admit(
          cookie: "milepost-8080=\(Self.second); Path=/; HttpOnly; SameSite=Strict; Max-Age=2592000"
        ))
    #expect(
      gate.judge(request("/?token=\(Self.first)"))
        == .refuse(
          status: 403,
          "this address has been used, or is of an earlier daemon: run milepost web for a new one"))
    #expect(gate.token != Self.first)
  }

  @Test(
    "A preview of the address does not use it up",
    arguments: [
      ("HEAD", [] as [String]), ("GET", ["Sec-Purpose", "prefetch"]),
      ("GET", ["Purpose", "prefetch"]),
    ])
  func preview(method: String, header: [String]) {
    var gate = Self.gate()
    let more = header.count == 2 ? [(header[0], header[1])] : []
    #expect(
      gate.judge(request("/?token=\(Self.first)", method, more))
        == .refuse(status: 401, "the address works once, for who opens it"))
    guard case .admit = gate.judge(request("/?token=\(Self.first)")) else {
      Issue.record("it was used up")
      return
    }
  }

  @Test("Without a cookie nothing is served, not even the script")
  func nobody() throws {
    var (gate, cookie) = try admitted()
    for path in ["/", "/page.js", "/status", "/events", "/history?from=a&to=b", "/nowhere"] {
      #expect(
        gate.judge(request(path))
          == .refuse(
            status: 401, "run milepost web on this machine, and open the address it prints"))
      #expect(gate.judge(request(path, [cookie])) == .pass)
    }
    #expect(gate.judge(request("/", [("Cookie", "milepost-8081=\(Self.second)")])) != .pass)
    #expect(
      gate.judge(request("/", [("Cookie", "a=b; milepost-8080=\(Self.second);c=d")])) == .pass)
    #expect(
      gate.judge(request("/", [cookie, ("Cookie", "milepost-8080=other")])) != .pass,
      "two that differ are none")
  }

  @Test(
    "Addresses, localhost and the name that was set are the page's own hosts",
    arguments: [
      "127.0.0.1", "127.0.0.1:8080", "localhost:8080", "LOCALHOST", "[::1]:8080", "[fe80::1]",
      "192.168.1.20:8080", "van.local:8080",
    ])
  func ownHosts(host: String) throws {
    var gate = Self.gate("Van.local")
    guard case .admit = gate.judge(request("/?token=\(Self.first)", host: host)) else {
      Issue.record("\(host) is refused")
      return
    }
  }

  @Test(
    "A name that resolves to this machine is not enough (DNS rebinding)",
    arguments: [
      "evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "127.0.0.1:8080.evil",
      "256.0.0.1", "127.0.0", "[::1]evil", "[evil]", "[:", "", "localhost:99999", "127.0.0.1:80:80",
      "1270000001", "localhost.", "van.locally",
    ])
  func foreignHosts(host: String) {
    var gate = Self.gate("van.local")
    let answer = gate.judge(request("/?token=\(Self.first)", host: host))
    #expect(
      answer
        == .refuse(
          status: 421,
          "this page answers to addresses, to localhost and to web_name in milepostd.yaml, and not to "
            + "'\(host)'"))
  }

  @Test("A request without a host, or with two, is refused")
  func hosts() {
    var gate = Self.gate()
    for more in [[], [("Host", "localhost"), ("Host", "evil.example")]] {
      guard case .refuse(status: 421, _) = gate.judge(request("/", host: nil, more)) else {
        Issue.record("\(more)")
        continue
      }
    }
  }

  @Test("What another page asks is refused, with the cookie too")
  func otherPages() throws {
    var (gate, cookie) = try admitted()
    let refusal = WebGuard.Answer.refuse(status: 403, "no other page may read this one")
    for origin in [
      "http://evil.example", "https://127.0.0.1:8080", "http://127.0.0.1:9999", "null",
    ] {
      #expect(gate.judge(request("/status", [cookie, ("Origin", origin)])) == refusal)
    }
    #expect(
      gate.judge(request("/status", [cookie, ("Origin", "http://127.0.0.1:8080")])) == .pass)
    for site in ["cross-site", "same-site"] {
      #expect(gate.judge(request("/status", [cookie, ("Sec-Fetch-Site", site)])) == refusal)
    }
    #expect(gate.judge(request("/status", [cookie, ("Sec-Fetch-Site", "same-origin")])) == .pass)
    // A link from elsewhere opens the page; the browser leaves its cookie out (SameSite=Strict).
    #expect(gate.judge(request("/", [cookie, ("Sec-Fetch-Site", "cross-site")])) == .pass)
  }

  @Test(
    "Nothing but reading is answered",
    arguments: ["POST", "PUT", "DELETE", "OPTIONS", "CONNECT", "TRACE", "get", "PATCH"])
  func methods(method: String) throws {
    var (gate, cookie) = try admitted()
    #expect(
      gate.judge(request("/status", method, [cookie]))
        == .refuse(status: 405, "this page is only read: GET and HEAD"))
  }

  @Test("What is no path of the page is refused")
  func targets() throws {
    var (gate, cookie) = try admitted()
    let refusal = WebGuard.Answer.refuse(
      status: 400, "the address is no path of this page, or longer than 512 bytes")
    for target in ["http://evil.example/", "*", "", "/" + String(repeating: "a", count: 512)] {
      #expect(gate.judge(request(target, [cookie])) == refusal)
    }
  }

  @Test("Of more than sixteen browsers the first one goes")
  func sessions() throws {
    var gate = Self.gate()
    var cookies: [(String, String)] = []
    for _ in 0..<17 {
      guard case .admit(let cookie) = gate.judge(request("/?token=\(gate.token)")) else { continue }
      cookies.append(("Cookie", String(cookie.prefix { $0 != ";" })))
    }
    #expect(cookies.count == 17)
    #expect(gate.judge(request("/", [cookies[0]])) != .pass)
    #expect(gate.judge(request("/", [cookies[1]])) == .pass)
    #expect(gate.judge(request("/", [cookies[16]])) == .pass)
  }

  @Test("Secrets are 256 bits in hexadecimal, and none is like another")
  func secrets() {
    let secrets = (0..<100).map { _ in Secret.make() }
    #expect(Set(secrets).count == 100)
    #expect(secrets.allSatisfy { $0.count == 64 && $0.allSatisfy(\.isHexDigit) })
  }
}

extension WebGuardTests {
  private func request(
    _ target: String, _ more: [(String, String)]
  ) -> WebRequest { request(target, "GET", host: "127.0.0.1:8080", more) }

  private func request(
    _ target: String, _ method: String, _ more: [(String, String)]
  ) -> WebRequest { request(target, method, host: "127.0.0.1:8080", more) }
}
