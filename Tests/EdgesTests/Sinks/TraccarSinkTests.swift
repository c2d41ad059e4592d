// SPDX-License-Identifier: Apache-2.0

import Foundation
import Geodesy
import JSONText
import LocationModel
import ServiceContract
import Testing

@testable import Sinks

@Suite("Positions for Traccar, and requests of one's own making", .serialized)
struct TraccarSinkTests {
  private static func fault(_ sink: any Sink, _ deliveries: [PendingDelivery]) async -> SinkError? {
    do throws(SinkError) {
      try await sink.send(deliveries)
      return nil
    } catch {
      return error
    }
  }

  private static func traccar(_ url: String, _ more: JSONValue.Member...) throws -> any Sink {
    try Samples.sink(
      [.init("kind", "traccar"), .init("url", .string(url)), .init("device", "van")] + more)
  }

  // 12.5 m/s are 24.30 knots (12.5 × 3600 / 1852 = 24.298).
  private static let query =
    "id=van&timestamp=1795391999&lat=48.500000&lon=11.250000&speed=24.3&bearing=359.6&altitude=512.4"
    + "&accuracy=4.6&number=3-7"

  @Test(
    "Trap 8: a position is a POST with its values in the query, or in a form where that is asked")
  func forms() async throws {
    let server = try StandIn()
    let event = Samples.delivery(event: .entered("at home"))
    #expect(
      await Self.fault(try Self.traccar(server.url + "/traccar"), [Samples.delivery()]) == nil)
    #expect(
      await Self.fault(
        try Self.traccar(server.url + "/traccar", .init("body", "form")), [event]) == nil)
    #expect(
      await Self.fault(try Self.traccar(server.url + "/traccar?key=1"), [Samples.delivery()]) == nil
    )
    let seen = try server.requests(3)
    #expect(seen.map(\.method) == ["POST", "POST", "POST"] && seen.map(\.stored) == [1, 1, 1])
    #expect(seen[0].target == "/traccar?" + Self.query && seen[0].body == "")
    #expect(seen[1].target == "/traccar")
    #expect(seen[1].body == Self.query + "&event=enter&region=at%20home")
    #expect(seen[1].header("content-type") == "application/x-www-form-urlencoded")
    #expect(seen[2].target == "/traccar?key=1&" + Self.query)
  }

  @Test("The end of a stay is two positions: its place then, and where the device was seen")
  func stay() async throws {
    let server = try StandIn()
    let visit = Visit(
      coordinate: Coordinate(clampingLatitude: 48.51, wrappingLongitude: 11.26),
      horizontalAccuracy: 31, arrival: nil, departure: Samples.moment)
    let ended = Samples.delivery(event: .departed(visit))
    #expect(await Self.fault(try Self.traccar(server.url + "/traccar"), [ended]) == nil)
    #expect(
      try server.requests(2).map(\.target) == [
        "/traccar?id=van&timestamp=1795391998&lat=48.510000&lon=11.260000&accuracy=31&number=3-7"
          + "&event=depart",
        "/traccar?" + Self.query + "-2",
      ])
  }

  @Test("A device that the server does not know is named, to be registered")
  func unknownDevice() async throws {
    let server = try StandIn()
    let bus = try Samples.sink([
      .init("kind", "traccar"), .init("url", .string(server.url + "/traccar")),
      .init("device", "bus"),
    ])
    let error = await Self.fault(bus, [Samples.delivery()])
    #expect(error?.fault == .refused)
    #expect(
      error?.message
        == "\(server.url) knows no device 'bus' (400); register it there under this identifier, or "
        + "see url")
    #expect(
      try await bus.probe()
        == "\(server.url) answers; whether it knows 'bus' shows with the first position")
    #expect(try server.requests(2)[1].target == "/traccar?id=-")
  }

  @Test("Trap 4: a message at which the connection is closed twice is bad, if others are answered")
  func silent() async throws {
    let server = try StandIn()
    let sink = try Self.traccar(server.url + "/traccar")
    try server.plan(
      #"{"status":200}"#, #"{"fault":"close"}"#, #"{"fault":"close"}"#, #"{"fault":"close"}"#,
      #"{"status":400}"#)
    // libcurl itself tries once again if a used connection is closed.
    let error = await Self.fault(sink, [Samples.delivery(1), Samples.delivery(2)])
    #expect(error?.fault == .badMessage && error?.passed == 1)
    #expect(
      error?.message
        == "\(server.url) answers, but closes the connection without an answer to this")
    // A restarting server: closed once, then there; closed three times, so it is absent.
    try server.plan(#"{"fault":"close"}"#, #"{"status":200}"#)
    #expect(await Self.fault(sink, [Samples.delivery(2)]) == nil)
    try server.plan(#"{"fault":"close"}"#, #"{"fault":"close"}"#, #"{"fault":"close"}"#)
    #expect(await Self.fault(sink, [Samples.delivery(3)])?.fault == .later(after: nil))
  }

  // MARK: Webhooks

  private static func webhook(_ members: JSONValue.Member...) throws -> any Sink {
    try Samples.sink([.init("kind", "webhook")] + members)
  }

  private static func header(_ name: String, _ value: JSONValue) -> JSONValue.Member {
    .init("headers", .object([.init(name, value)]))
  }

  @Test("Without a template the event goes out as an app gets it")
  func message() async throws {
    let server = try StandIn()
    let sink = try Self.webhook(.init("url", .string(server.url)))
    #expect(await Self.fault(sink, [Samples.delivery()]) == nil)
    let seen = try server.request()
    #expect(seen.method == "POST" && seen.header("content-type") == "application/json")
    let body = try JSONValue.parse(seen.body)
    #expect(body["class"] == "LOCATION" && body["sequence"] == 7)
  }

  @Test("A template of JSON stays JSON, whatever the event says")
  func json() async throws {
    let server = try StandIn()
    let sink = try Self.webhook(
      .init("url", .string(server.url + "/%event/%REGION?t=%TIMESTAMP")), .init("method", "PUT"),
      Self.header("Content-Type", "application/json"),
      .init(
        "body",
        #"{"lat":%LAT,"alt":%ALT,"where":"in %REGION \" %SERVICE","at":%TIME,"left":"%DEPARTURE"}"#)
    )
    var fix = Samples.fix
    fix.altitude = nil
    let event = PlaceEvent.entered("a \"b\"\\\n&é")
    #expect(await Self.fault(sink, [Samples.delivery(fix: fix, event: event)]) == nil)
    let seen = try server.request()
    #expect(seen.method == "PUT" && seen.target == "/enter/a%20%22b%22%5C%0A%26%C3%A9?t=1795391999")
    #expect(
      try JSONValue.parse(seen.body)
        == .object([
          .init("lat", .number(48.5)), .init("alt", .null),
          .init("where", .string("in a \"b\"\\\n&é \" significant")),
          .init("at", "2026-11-22T23:59:59.000Z"), .init("left", ""),
        ]))
  }

  @Test("GPSLogger's template for Home Assistant fills a form, and the answer can be looked at")
  func form() async throws {
    let server = try StandIn()
    try server.plan(#"{"status":200,"body":"Setting location for van"}"#, #"{"status":200}"#)
    let sink = try Self.webhook(
      .init("url", .string(server.url)),
      Self.header("Content-Type", "application/x-www-form-urlencoded"),
      .init(
        "body",
        .string(
          "latitude=%LAT&longitude=%LON&device=van&accuracy=%ACC&speed=%SPD&direction=%DIR&"
            + "altitude=%ALT&provider=%PROV&kmh=%SPD_KPH&d=%DATE&n=%ID")),
      .init("expect", "Setting location"))
    let error = await Self.fault(sink, [Samples.delivery(1), Samples.delivery(2)])
    #expect(
      try server.requests(2)[0].body
        == "latitude=48.500000&longitude=11.250000&device=van&accuracy=4.6&speed=12.5&direction=359.6"
        + "&altitude=512.4&provider=gps&kmh=45&d=2026-11-22&n=3-1")
    #expect(error?.passed == 1 && error?.fault == .later(after: nil))
    #expect(
      error?.message == "\(server.url) answered 200, where 'Setting location' was expected")
  }

  @Test("A trial of a webhook asks for the head only")
  func probe() async throws {
    let server = try StandIn()
    let sink = try Self.webhook(.init("url", .string(server.url + "/a?lat=%LAT")))
    #expect(
      try await sink.probe()
        == "\(server.url) answered 200 to HEAD; what it says to an event shows with the first")
    let seen = try server.request()
    #expect(seen.method == "HEAD" && seen.target == "/a?lat=")
    // Python's http.server knows no HEAD where only do_POST is written; Express finds no route for it.
    for status in [404, 405, 501] {
      try server.plan(#"{"status":\#(status)}"#)
      #expect(
        try await sink.probe()
          == "\(server.url) answered \(status) to HEAD, as one does that takes only POST, or nothing there; "
          + "what it says to an event shows with the first")
    }
    try server.plan(#"{"status":401}"#)
    await #expect(
      throws: SinkError(
        "\(server.url) does not let us in (401); see user and password_file, or token_file",
        .refused,
        traffic: SinkTraffic(
          up: seen.up, down: "HTTP/1.1 401 Said\r\nContent-Length: 0\r\n\r\n".utf8.count)
      )
    ) { try await sink.probe() }
  }

  // MARK: Settings

  @Test("All that is wrong with a table over HTTP is told at once")
  func settings() {
    #expect(
      Samples.problems([.init("kind", "traccar")]) == [
        "m.yaml: sink.url: missing; say where the server takes positions",
        "m.yaml: sink.device: missing; say the identifier under which the server knows the device",
      ])
    #expect(
      Samples.problems([
        .init("kind", "webhook"), .init("url", "https://a/{token}"),
        .init(
          "headers",
          .object([.init("A:", "b"), .init("Authorization", "x"), .init("X", 3), .init("Y", "\n")])),
        .init("body", "{}"), .init("expect", ""), .init("method", "DELETE"),
      ]) == [
        "m.yaml: sink.url: holds {token}, and no token_file says what to put there",
        "m.yaml: sink.method: 'DELETE' is not one of POST, PUT, PATCH, GET",
        "m.yaml: sink.headers.A:: is no header: a name, and a text on one line",
        "m.yaml: sink.headers.Authorization: a secret does not belong here; name its file by "
          + "token_file or password_file",
        "m.yaml: sink.headers.X: 3 where a text in quotes was expected",
        "m.yaml: sink.headers.Y: is no header: a name, and a text on one line",
        "m.yaml: sink.body: without a Content-Type; say in headers what it is",
        "m.yaml: sink.expect: is empty; leave it out",
      ])
    #expect(
      Samples.problems([
        .init("kind", "webhook"), .init("url", "https://a/"),
        Self.header("content-type", "application/json"), .init("body", #"{"lat":%LATT}"#),
      ]) == ["m.yaml: sink.body: '%LATT' is no placeholder; did you mean '%LAT'?"])
    #expect(
      Samples.problems([
        .init("kind", "overland"), .init("url", "https://a/"), .init("device", "van"),
        .init("token_file", "t"), .init("password_file", "p"), .init("user", "jane"),
      ]) == [
        "m.yaml: sink.token_file: beside password_file; keep one, or write {token} into the url"
      ])
  }

  @Test(
    "A placeholder that does not exist is named, with the one that was probably meant",
    arguments: [
      ("%LATT", "%LAT"), ("%latitude", "%LAT"), ("%ACCURACY", "%ACC"), ("%SPD_KMH", "%SPD_KPH"),
      ("%SPEED", "%SPD"), ("%BATT", nil), ("{latitud}", "%LAT"), ("{{ lon }}", "%LON"),
      ("{token}", nil),
    ] as [(String, String?)])
  func unknownPlaceholder(word: String, meant: String?) {
    let advice =
      meant.map { "; did you mean '\($0)'?" }
      ?? "; there are %LAT, %LON, %ALT, %ACC, %SPD, %SPD_KPH, %DIR, %SAT, %PROV, %TIMESTAMP, %TIME, "
      + "%DATE, %HDOP, %ID, %NUMBER, %SERVICE, %EVENT, %REGION, %ARRIVAL, %DEPARTURE, %DECIDED, %CACHED"
    let problem = "'\(word)' is no placeholder\(advice)"
    for (type, body) in [
      ("application/json", #"{"at":"\#(word)"}"#), ("text/plain", "at \(word)."),
      ("application/x-www-form-urlencoded", "at=\(word)&b=1"),
    ] {
      let members: [JSONValue.Member] = [
        .init("kind", "webhook"), .init("url", "https://a/"),
        Self.header("Content-Type", .string(type)),
        .init("body", .string(body)),
      ]
      #expect(Samples.problems(members) == ["m.yaml: sink.body: \(problem)"], "\(type)")
    }
    guard word.first == "%" else { return }
    #expect(
      Samples.problems([
        .init("kind", "webhook"), .init("url", .string("https://a/%20?at=%20\(word)")),
      ])
        == ["m.yaml: sink.url: \(problem)"])
  }

  @Test(
    "What only looks like a placeholder is sent as it is",
    arguments: [
      "%LATm %ACCm %SPD_KPHkm/h %LAT_%LON", "100% sure, 50%OFF, 5 %",
      "a%20b%C3%84%C3%A4r %E4pfel %2Fx",
      #"{"a":{"b":%LAT}} {} {1} {a b}"#,
    ])
  func noPlaceholder(text: String) {
    for type in ["text/plain", "application/x-www-form-urlencoded"] {
      let members: [JSONValue.Member] = [
        .init("kind", "webhook"), .init("url", "https://a/%20%C3%BCBER?x=%LAT%2C%LON"),
        Self.header("Content-Type", .string(type)), .init("body", .string(text)),
      ]
      #expect(Samples.problems(members) == [], "\(type)")
    }
  }
}
