// SPDX-License-Identifier: Apache-2.0

import Foundation
import JSONText
import Testing

@testable import Sinks

@Suite("The client of HTTP", .serialized)
struct HTTPClientTests {
  private typealias Outcome = Result<HTTPAnswer, HTTPFailure>

  private static func client(
    authorities: String? = nil, proxy: String? = nil, timeout: Double = 30
  ) -> HTTPClient {
    var settings = HTTPClient.Settings(
      userAgent: "milepost/9", authorities: authorities, proxy: proxy)
    settings.timeout = timeout
    return HTTPClient(settings)
  }

  /// Sends requests in one piece of work.
  private static func send(
    _ requests: [HTTPRequest], by client: HTTPClient
  ) async throws -> (answer: [Outcome], traffic: HTTPTraffic) {
    try await client.run { session in
      var outcomes: [Outcome] = []
      for request in requests {
        do throws(HTTPFailure) {
          outcomes.append(.success(try session.send(request: request)))
        } catch {
          outcomes.append(.failure(error))
        }
      }
      return outcomes
    }
  }

  private static func send(_ url: String, by client: HTTPClient) async throws -> Outcome {
    try await send([HTTPRequest("POST", url, body: Array("{}".utf8))], by: client).answer[0]
  }

  private static func kind(_ outcome: Outcome) -> HTTPFailure.Kind? {
    if case .failure(let failure) = outcome { failure.kind } else { nil }
  }

  @Test("Requests of one work share a connection, which ends with it; octets are those of the wire")
  func connection() async throws {
    let server = try StandIn()
    let request = HTTPRequest(
      "POST", server.url + "/a?b=c", headers: [.init("X-Limit-U", "jane")], body: Array("{}".utf8))
    let (answers, traffic) = try await Self.send(
      [request, request, HTTPRequest("GET", server.url)], by: Self.client())
    #expect(answers == Array(repeating: .success(HTTPAnswer(status: 200)), count: 3))
    let seen = try server.requests(3)
    #expect(seen.map(\.connection) == [1, 1, 1])
    #expect(seen.map(\.method) == ["POST", "POST", "GET"])
    #expect(seen[0].target == "/a?b=c" && seen[0].body == "{}")
    #expect(seen[0].header("x-limit-u") == "jane" && seen[0].header("user-agent") == "milepost/9")
    #expect(seen[0].header("expect") == nil)
    #expect(
      traffic == HTTPTraffic(up: seen.map(\.up).reduce(0, +), down: seen.map(\.down).reduce(0, +)))
    #expect(try server.line()["closed"]?.number == 1)
  }

  @Test(
    "Trap 10: a POST that is redirected is no GET: where it leads, status, body and Retry-After come back"
  )
  func answers() async throws {
    let server = try StandIn()
    try server.plan(
      #"{"status":503,"headers":{"Retry-After":"120"},"body":"busy"}"#,
      #"{"status":301,"headers":{"Location":"/new?t=1"}}"#, #"{"status":204}"#)
    let client = Self.client()
    #expect(
      try await Self.send(server.url, by: client)
        == .success(HTTPAnswer(status: 503, body: Array("busy".utf8), retryAfter: 120)))
    #expect(
      try await Self.send(server.url, by: client)
        == .success(HTTPAnswer(status: 301, redirect: server.url + "/new?t=1")))
    #expect(try await Self.send(server.url, by: client) == .success(HTTPAnswer(status: 204)))
    #expect(try server.requests(3).map(\.method) == ["POST", "POST", "POST"])
  }

  @Test("A Retry-After beyond 64 bits is a long wait, and one that is no number is none")
  func longWait() async throws {
    let server = try StandIn()
    let waits = [
      "9223372036854775807", "9223372036854775808", String(repeating: "9", count: 400), "later",
    ]
    for wait in waits {
      try server.plan(#"{"status":503,"headers":{"Retry-After":"\#(wait)"}}"#)
      let answer = try await Self.send(server.url, by: Self.client()).get()
      let isLong = (answer.retryAfter ?? 0) >= 1e9
      #expect(wait == "later" ? answer.retryAfter == nil : isLong, "\(wait)")
    }
  }

  @Test("Of a body of 1 GiB no more than 64 KiB are kept, and the rest is not fetched")
  func endless() async throws {
    let server = try StandIn()
    try server.plan(#"{"fault":"endless"}"#)
    guard case .success(let answer) = try await Self.send(server.url, by: Self.client()) else {
      return #expect(Bool(false), "an answer was expected")
    }
    #expect(answer.status == 200 && answer.cut == .tooLong)
    #expect(answer.body.count <= HTTPAnswer.limit && answer.body.allSatisfy { $0 == 0x78 })
    _ = try server.request()
    let sent = try #require(try server.line()["endless"]?.number)
    // The system's buffers on the way hold 32 MiB of the 1,024.
    #expect(sent < 33_554_432)
  }

  @Test("Faults of the other side have their kinds")
  func faults() async throws {
    let server = try StandIn()
    try server.plan(#"{"fault":"close"}"#, #"{"fault":"half closed"}"#, #"{"fault":"garbage"}"#)
    let client = Self.client()
    #expect(
      try await Self.send(server.url, by: client)
        == .failure(HTTPFailure(.silent, "Empty reply from server")))
    #expect(Self.kind(try await Self.send(server.url, by: client)) == .silent)
    #expect(Self.kind(try await Self.send(server.url, by: client)) == .broken)
    try server.plan(#"{"fault":"half"}"#, #"{"fault":"reset"}"#)
    #expect(
      try await Self.send(server.url, by: client)
        == .success(HTTPAnswer(status: 200, body: Array(#"{"result":"#.utf8), cut: .brokenOff)))
    #expect(Self.kind(try await Self.send(server.url, by: client)) == .silent)
    try server.plan(#"{"fault":"slow"}"#)
    #expect(
      try await Self.send(server.url, by: Self.client(timeout: 0.3))
        == .failure(HTTPFailure(.unreachable, "Timeout was reached")))
    #expect(Self.kind(try await Self.send("http://name.invalid/", by: client)) == .unreachable)
    #expect(
      try await Self.send("http://127.0.0.1:1/", by: client)
        == .failure(HTTPFailure(.unreachable, "Couldn't connect to server")))
    #expect(Self.kind(try await Self.send("http://", by: client)) == .unusable)
  }

  @Test("A proxy is asked for the whole URL")
  func proxy() async throws {
    let server = try StandIn()
    let outcome = try await Self.send(
      "http://maps.invalid/pub", by: Self.client(proxy: server.url))
    #expect(try outcome.get().status == 200)
    #expect(try server.request().target == "http://maps.invalid/pub")
  }

  /// Makes a private authority and a certificate for `name`; returns the paths of the authority's certificate, the
  /// server's and its key.
  private static func certificates(in folder: String, name: String) throws -> [String] {
    let script = """
      cd '\(folder)' && exec 2>openssl.log
      openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 \
        -subj /CN=authority -keyout ca.key -out ca.pem &&
      openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=server \
        -keyout server.key -out server.csr &&
      printf 'subjectAltName=%s' '\(name)' > names &&
      openssl x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 \
        -extfile names -out server.pem
      """
    let process = try Process.run(URL(fileURLWithPath: "/bin/sh"), arguments: ["-c", script])
    process.waitUntilExit()
    try #require(
      process.terminationStatus == 0, "openssl made no certificates: see Tools/setup test")
    return ["ca.pem", "server.pem", "server.key"].map { folder + "/" + $0 }
  }

  @Test(
    "A certificate counts only with its authority and for its name; TLS's session is taken up again"
  )
  func certificates() async throws {
    try await Samples.withFolder { folder in
      let paths = try Self.certificates(in: folder, name: "IP:127.0.0.1")
      let server = try StandIn(certificate: paths[1], key: paths[2])
      let url = "https://127.0.0.1:\(server.port)/"
      let stranger = try await Self.send(url, by: Self.client())
      #expect(Self.kind(stranger) == .untrusted)
      let missing = try await Self.send(url, by: Self.client(authorities: folder + "/none.pem"))
      #expect(Self.kind(missing) == .noAuthorities)
      let client = Self.client(authorities: paths[0])
      let request = HTTPRequest("POST", url, body: Array("{}".utf8))
      let (first, whole) = try await Self.send([request], by: client)
      #expect(try first[0].get().status == 200)
      // The certificate alone is more than 300 octets.
      let (second, resumed) = try await Self.send([request], by: client)
      #expect(try second[0].get().status == 200)
      #expect(resumed.down + 300 < whole.down)
      #expect(whole.up > 300)
    }
    try await Samples.withFolder { folder in
      let paths = try Self.certificates(in: folder, name: "DNS:maps.example")
      let server = try StandIn(certificate: paths[1], key: paths[2])
      let outcome = try await Self.send(
        "https://127.0.0.1:\(server.port)/", by: Self.client(authorities: paths[0]))
      #expect(Self.kind(outcome) == .untrusted)
    }
  }

  @Test(
    "A server that wants a certificate takes one of its authority; without it, it is no silence")
  func ownCertificate() async throws {
    try await Samples.withFolder { folder in
      let paths = try Self.certificates(in: folder, name: "IP:127.0.0.1")
      let server = try StandIn(certificate: paths[1], key: paths[2], clients: paths[0])
      let url = "https://127.0.0.1:\(server.port)/"
      func kind(_ certificate: String?, _ key: String) async throws -> HTTPFailure.Kind? {
        var settings = HTTPClient.Settings(userAgent: "milepost/9", authorities: paths[0])
        settings.certificate = certificate.map { HTTPClient.Certificate(file: $0, key: key) }
        return Self.kind(try await Self.send(url, by: HTTPClient(settings)))
      }
      #expect(try await kind(nil, "") == .unproven)
      // The server's own is of the same authority, and works as a client's.
      #expect(try await kind(paths[1], paths[2]) == nil)
      #expect(try await kind(paths[1], folder + "/ca.key") == .unproven, "another one's key")
      #expect(try await kind(folder + "/none.pem", paths[2]) == .unproven)
    }
  }
}
