// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import Foundation
import Glibc
import JSONText
import Servers
import ServiceContract
import Testing

@testable import ServiceCore

@Suite("The live page's server", .serialized)
struct StatusServerTests {
  private func get(_ path: String, _ cookie: String, _ more: String = "") -> String {
    "GET \(path) HTTP/1.1\r\nHost: localhost\r\nCookie: \(cookie)\r\n\(more)\r\n"
  }

  @Test("The address lies where only its user can read it, changes with use, and goes at the end")
  func file() async throws {
    let site = try await Site()
    var status = stat()
    #expect(stat(site.urlFile, &status) == 0 && status.st_mode & 0o777 == 0o600)
    let first = site.token
    let text = try String(contentsOfFile: site.urlFile, encoding: .utf8)
    #expect(text == "http://127.0.0.1:\(site.port)/?token=\(first)\n")
    #expect(try site.admitted().hasPrefix("milepost-\(site.port)="))
    #expect(site.token.count == 64 && site.token != first)
    await site.stop()
    #expect(access(site.urlFile, F_OK) != 0)
  }

  @Test("The page is served before its ground is read; who asks for that is told to come again")
  func ground() async throws {
    let site = try await Site(ground: true)
    let cookie = try site.admitted()
    func asked() throws -> String { try Visitor(site.port).ask(get("/ground", cookie)) }
    #expect(try Visitor(site.port).ask(get("/", cookie)).contains("data-ground=\"ground\""))
    let early = try asked()
    #expect(early.hasPrefix("HTTP/1.1 503 "))
    #expect(early.hasSuffix("\r\n\r\nthe ground of the map is still being read; ask again\n"))
    site.server.lay(ground: Array("{\"things\":[]}".utf8))
    let there = try asked()
    #expect(there.hasPrefix("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"))
    #expect(there.hasSuffix("\r\n\r\n{\"things\":[]}"))
    site.server.lay(ground: nil)
    let missing = try asked()
    #expect(missing.hasPrefix("HTTP/1.1 404 "))
    #expect(
      missing.hasSuffix("the ground of the map cannot be read; milepostd's log says why\n"))
    await site.stop()
    let other = try await Site()
    #expect(
      try Visitor(other.port).ask(get("/ground", try other.admitted())).hasPrefix("HTTP/1.1 404 "))
    await other.stop()
  }

  @Test("Page, script, style and documents are served with their types; HEAD without the body")
  func routes() async throws {
    let site = try await Site()
    let cookie = try site.admitted()
    let types = [
      "/": "text/html; charset=utf-8", "/page.js": "text/javascript; charset=utf-8",
      "/page.css": "text/css; charset=utf-8", "/status": "application/json",
      "/overview": "application/json",
      "/history?from=2026-11-23T00:00:00Z&to=2026-11-24T00:00:00.000Z": "application/json",
    ]
    for (path, type) in types {
      let answer = try Visitor(site.port).ask(get(path, cookie))
      #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\n"), "\(path)")
      let head = try Visitor(site.port).ask(
        get(path, cookie).replacingOccurrences(of: "GET", with: "HEAD"))
      #expect(head.hasPrefix("HTTP/1.1 200 OK\r\n") && head.hasSuffix("\r\n\r\n"), "\(path)")
    }
    let status = try Visitor(site.port).ask(get("/status", cookie))
    #expect(status.hasSuffix("\r\n\r\n" + StatusDocument.empty.json + "\n"))
    #expect(
      try Visitor(site.port).ask(get("/passwd", cookie)).hasSuffix(
        "\r\n\r\nthere is no /passwd here\n"))
    #expect(
      try Visitor(site.port).ask(get("/history?from=yesterday&to=now", cookie)).hasSuffix(
        "\r\n\r\nsay from when to when, as in "
          + "/history?from=2026-11-23T00:00:00Z&to=2026-11-24T00:00:00Z\n"))
    #expect(try Visitor(site.port).ask(get("/leaflet.js", cookie)).hasPrefix("HTTP/1.1 404 "))
    await site.stop()
  }

  @Test(
    "Hostile requests are answered in a sentence, or not at all",
    arguments: [
      ("GET /status HTTP/1.1\r\n\r\n", "HTTP/1.1 421 "),
      ("GET /status HTTP/1.1\r\nHost: evil.example\r\n\r\n", "HTTP/1.1 421 "),
      ("GET /status HTTP/1.1\r\nHost: localhost\r\n\r\n", "HTTP/1.1 401 "),
      ("POST /status HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\nab", "HTTP/1.1 405 "),
      ("OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n", "HTTP/1.1 405 "),
      ("GET /../../etc/passwd HTTP/1.1\r\nHost: localhost\r\n\r\n", "HTTP/1.1 401 "),
      ("GET http://evil.example/ HTTP/1.1\r\nHost: localhost\r\n\r\n", "HTTP/1.1 400 "),
      ("GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n", "HTTP/1.1 421 "),
      ("\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}", "HTTP/1.1 400 "),
      ("SSH-2.0-OpenSSH_9.2\r\n", "HTTP/1.1 400 "),
      ("GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n", "HTTP/1.1 400 "),
      (
        "GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
        "HTTP/1.1 400 "
      ),
    ])
  func hostile(request: String, answer: String) async throws {
    let site = try await Site()
    let text = try Visitor(site.port).ask(request)
    #expect(text.hasPrefix(answer), "\(text.prefix(200))")
    #expect(!text.lowercased().contains("access-control"))
    #expect(site.said.allSatisfy { if case .message = $0 { false } else { true } })
    await site.stop()
  }

  @Test("A request has at most 16 KiB, wherever they stand")
  func long() async throws {
    let site = try await Site()
    let visitor = try Visitor(site.port)
    visitor.send("GET / HTTP/1.1\r\nHost: localhost\r\nX: ")
    for _ in 0..<20 { visitor.send(String(repeating: "a", count: 1_024)) }
    let answer = visitor.rest()
    #expect(
      answer.hasPrefix("HTTP/1.1 431 ") && answer.hasSuffix("a request has at most 16384 bytes\n"),
      "\(answer.prefix(200))")
    await site.stop()
  }

  @Test("The second request of a connection gets no answer, and costs nothing")
  func pipelined() async throws {
    let site = try await Site()
    let cookie = try site.admitted()
    let answer = try Visitor(site.port).ask(get("/status", cookie) + get("/overview", cookie))
    #expect(answer.components(separatedBy: "HTTP/1.1 ").count == 2)
    await site.stop()
  }

  @Test("Half-sent requests, however many, keep nobody out: the oldest makes room")
  func crowd() async throws {
    let site = try await Site()
    let cookie = try site.admitted()
    let visitors = try (0..<40).map { _ in try Visitor(site.port) }
    for visitor in visitors { visitor.send("GET / HTTP/1.1\r\nHost: local") }
    for _ in 0..<50 {
      let answer = try Visitor(site.port).ask(get("/status", cookie))
      #expect(answer.hasPrefix("HTTP/1.1 200 OK"), "\(answer.prefix(100))")
    }
    // The oldest were closed; the newest are still listened to.
    #expect(visitors[0].rest() == "")
    visitors[39].send("host\r\n\r\n")
    #expect(visitors[39].rest().hasPrefix("HTTP/1.1 401 "))
    await site.stop()
  }

  @Test("Who looks is told at once, then of what happens, and who comes back of what was missed")
  func events() async throws {
    let site = try await Site()
    let cookie = try site.admitted()
    let visitor = try Visitor(site.port)
    visitor.send(get("/events", cookie))
    let first = visitor.receive(until: "\"explanations\":[]")
    #expect(first.contains("\r\nContent-Type: text/event-stream\r\n"))
    #expect(first.contains("\r\ntransfer-encoding: chunked\r\n"))
    #expect(first.contains("retry: 3000\n\n"))
    let id = try #require(first.split(whereSeparator: \.isNewline).first { $0.hasPrefix("id: ") })
      .dropFirst(4)
    for _ in 0..<50 { site.server.stirred() }
    let second = visitor.receive(until: "\n\n")
    #expect(second.contains("event: overview\ndata: {"))
    // The first one is still a viewer, so that the events are kept.
    let back = try Visitor(site.port)
    back.send(get("/events", cookie, "Last-Event-ID: \(id)\r\n"))
    let missed = back.receive(until: "-2\nevent: overview")
    #expect(!missed.contains("event: reset") && !missed.contains("id: \(id)\n"))
    let lost = try Visitor(site.port)
    lost.send(get("/events", cookie, "Last-Event-ID: 1.1-1\r\n"))
    #expect(lost.receive(until: "reset").contains("event: reset\ndata: {}\n\n"))
    await site.stop()
  }

  @Test("Nobody who looks: nothing is asked of the service, whatever happens")
  func quiet() async throws {
    let site = try await Site()
    for _ in 0..<100 { site.server.stirred() }
    #expect(site.said.isEmpty)
    _ = try site.admitted()
    // Its connection was the page's only one.
    for _ in 0..<1_000 where site.said.count < 2 { poll(nil, 0, 10) }
    let said = site.said
    guard said.count == 2 else {
      Issue.record("\(said)")
      return
    }
    guard case .connected(StatusServer.client, _) = said[0],
      case .disconnected(StatusServer.client) = said[1]
    else {
      Issue.record("\(said)")
      return
    }
    await site.stop()
  }

  @Test("A port that somebody has is said, with what to do")
  func taken() async throws {
    let site = try await Site()
    let other = StatusServer(on: site.loop) { _ in }
    await #expect(
      throws: Complaint(
        "127.0.0.1:\(site.port): cannot serve the live page: Address already in use; choose another "
          + "address with web in milepostd.yaml, or --web")
    ) {
      _ = try await other.listen(
        .init(
          host: "127.0.0.1", port: Int(site.port), urlFile: site.urlFile + "2",
          surroundings: PageSurroundings(leaflet: nil)))
    }
    await site.stop()
  }
}
