// SPDX-License-Identifier: Apache-2.0

import Foundation
import Geodesy
import JSONText
import LocationModel
import ServiceContract
import Testing

@testable import Sinks

@Suite("Sinks over HTTP, with a server", .serialized)
struct HTTPSinkTests {
  static func take(_ sink: any Sink, _ deliveries: [PendingDelivery]) async -> Result<
    SinkReceipt, SinkError
  > {
    do throws(SinkError) {
      return .success(try await sink.send(deliveries))
    } catch {
      return .failure(error)
    }
  }

  static func fault(_ sink: any Sink, _ deliveries: [PendingDelivery]) async -> SinkError? {
    if case .failure(let error) = await take(sink, deliveries) { error } else { nil }
  }

  private static func probe(_ sink: any Sink) async -> String {
    do throws(SinkError) {
      return try await sink.probe()
    } catch {
      return "failed: \(error.message)"
    }
  }

  private static func ownTracks(_ url: String, _ more: JSONValue.Member...) throws -> any Sink {
    try Samples.sink(
      [
        .init("kind", "owntracks"), .init("url", .string(url)), .init("user", "jane"),
        .init("device", "van"),
      ] + more)
  }

  // MARK: OwnTracks

  @Test("OwnTracks: one POST for each message, oldest first, with the names of user and device")
  func ownTracks() async throws {
    let server = try StandIn()
    try server.plan(
      #"{"status":200,"body":"[]"}"#,
      #"{"status":200,"body":"[{\"_type\":\"cmd\",\"action\":\"reportLocation\"}]"}"#)
    let sink = try Self.ownTracks(server.url + "/pub")
    let batch = [Samples.delivery(1), Samples.delivery(2, event: .entered("home"))]
    let receipt = try await Self.take(sink, batch).get()
    #expect(receipt.requests == [.reportLocation])
    let seen = try server.requests(3)
    #expect(seen.map(\.connection) == [1, 1, 1])
    #expect(seen[0].header("content-type") == "application/json")
    #expect(seen[0].header("x-limit-u") == "jane" && seen[0].header("x-limit-d") == "van")
    let bodies = try seen.map { try JSONValue.parse($0.body) }
    #expect(bodies.map { $0["_type"] } == ["location", "transition", "location"])
    #expect(bodies.map { $0["_id"] } == ["3-1", "3-2", "3-2"])
    #expect(
      receipt.traffic
        == SinkTraffic(up: seen.map(\.up).reduce(0, +), down: seen.map(\.down).reduce(0, +)))
    // A repetition is identical to the byte.
    _ = try await Self.take(sink, batch).get()
    #expect(try server.requests(3).map(\.body) == seen.map(\.body))
  }

  @Test("Trap 7: the topic stands within each message, or Dawarich takes km/h for m/s")
  func topic() async throws {
    let server = try StandIn()
    let sink = try Self.ownTracks(server.url + "/pub")
    _ = try await Self.take(sink, [Samples.delivery(event: .exited("home"))]).get()
    let topics = try server.requests(2).map { try JSONValue.parse($0.body)["topic"] }
    #expect(topics == ["owntracks/jane/van/event", "owntracks/jane/van"])
  }

  @Test(
    "Trap 1: Home Assistant's 200 is no receipt where it has no body, and it stores what has acc")
  func homeAssistant() async throws {
    let server = try StandIn()
    let known = try Self.ownTracks(
      server.url + "/api/webhook/known", .init("unknown_accuracy_m", 50))
    var fix = Samples.fix
    fix.horizontalAccuracy = nil
    _ = try await Self.take(known, [Samples.delivery(1, fix: fix), Samples.delivery(2)]).get()
    #expect(try server.requests(2).map(\.stored) == [1, 1])
    #expect(await Self.probe(known) == "Home Assistant at \(server.url) knows this webhook")
    _ = try server.request()

    let mute = try Self.ownTracks(server.url + "/api/webhook/known")
    let dropped = try await Self.take(mute, [Samples.delivery(1, fix: fix)]).get()
    #expect(try server.request().stored == 0)
    #expect(
      dropped.notes == [
        "Home Assistant at \(server.url) answers 200 and drops a position without an accuracy; say unknown_accuracy_m"
      ])
    #expect(try await Self.take(mute, [Samples.delivery(2)]).get().notes == [])

    let unknown = try Self.ownTracks(server.url + "/api/webhook/other")
    let words =
      "Home Assistant at \(server.url) knows no such webhook, or takes it from its own network only "
      + "(an empty 200); see url"
    let error = await Self.fault(unknown, [Samples.delivery(3)])
    #expect(error?.message == words && error?.fault == .refused && error?.passed == nil)
    #expect(await Self.probe(unknown) == "failed: \(words)")
  }

  @Test("Trap 1: a page of something that stands between is no receipt")
  func page() async throws {
    let server = try StandIn()
    try server.plan(#"{"status":200,"body":"\n<!DOCTYPE html>\n<title>Sign in</title>"}"#)
    let error = await Self.fault(try Self.ownTracks(server.url + "/pub"), [Samples.delivery()])
    #expect(error?.fault == .later(after: nil))
    #expect(
      error?.message
        == "\(server.url) answered 200: '<!DOCTYPE html>', a web page: something in between answers, "
        + "such as the sign-in page of a network")
  }

  @Test("A trial that is answered by a web page, or by 413, found nobody who takes events")
  func trials() async throws {
    let server = try StandIn()
    let page =
      #"{"status":200,"body":"<html>","headers":{"Content-Type":"text/html; charset=utf-8"}}"#
    let kinds: [(String, JSONValue.Member)] = [
      ("owntracks", .init("user", "jane")), ("overland", .init("any_answer", true)),
      ("traccar", .init("body", "form")), ("webhook", .init("method", "POST")),
    ]
    for (kind, member) in kinds {
      var members: [JSONValue.Member] = [.init("kind", .string(kind)), member]
      members.append(.init("url", .string(server.url + "/hook")))
      if kind != "webhook" { members.append(.init("device", "van")) }
      let sink = try Samples.sink(members)
      for (plan, words) in [(page, "a web page"), (#"{"status":413}"#, "413")] {
        try server.plan(plan)
        let said = await Self.probe(sink)
        // A HEAD has no body to judge by, so a webhook's page is only mentioned.
        let isHint = kind == "webhook" && plan == page
        #expect(said.hasPrefix("failed: ") != isHint && said.contains(words), "\(kind): \(said)")
      }
    }
    // The content of an empty batch may be unusable where an event is not.
    let overland = try Samples.sink([
      .init("kind", "overland"), .init("url", .string(server.url + "/hook")),
      .init("device", "van"),
    ])
    try server.plan(#"{"status":422,"body":"empty"}"#)
    #expect(
      await Self.probe(overland) == "\(server.url) answered 422: 'empty' to an empty batch")
    let sure = try Samples.sink([
      .init("kind", "webhook"), .init("url", .string(server.url + "/hook")),
      .init("expect", "thanks"),
    ])
    try server.plan(page)
    #expect(await Self.probe(sure).hasPrefix("\(server.url) answered 200 to HEAD; "))
  }

  @Test(
    "Trap 5: for a server that shows the present only, the newest position is sent, and all events")
  func onlyNewest() async throws {
    let server = try StandIn()
    let sink = try Self.ownTracks(server.url + "/pub", .init("only_newest", true))
    _ = try await Self.take(
      sink,
      [
        Samples.delivery(1), Samples.delivery(2, event: .exited("home")), Samples.delivery(3),
        Samples.delivery(4),
      ]
    ).get()
    let ids = try server.requests(3).map { try JSONValue.parse($0.body)["_id"] }
    #expect(ids == ["3-2", "3-2", "3-4"])
    // Deliveries left out before a bad one are not bad.
    try server.plan(#"{"status":422}"#)
    let error = await Self.fault(sink, (5...7).map { Samples.delivery($0) })
    #expect(error?.fault == .badMessage && error?.passed == 6)
  }

  @Test(
    "Trap 6: transitions can be left out, since Home Assistant hears nothing else after an enter")
  func noTransitions() async throws {
    let server = try StandIn()
    let sink = try Self.ownTracks(server.url + "/pub", .init("transitions", false))
    _ = try await Self.take(sink, [Samples.delivery(event: .entered("home")), Samples.delivery(8)])
      .get()
    let types = try server.requests(2).map { try JSONValue.parse($0.body)["_type"] }
    #expect(types == ["location", "location"])
  }

  @Test("Messages are encrypted with the key of the file, and so are the commands that come back")
  func encrypted() async throws {
    try await Samples.withFolder { folder in
      let server = try StandIn()
      let path = try Samples.file("key", in: folder, "correct horse\n")
      let key = try #require(OwnTracksKey(passphrase: "correct horse"))
      let command = String(
        decoding: key.sealed(Array(#"{"_type":"cmd","action":"reportLocation"}"#.utf8)),
        as: UTF8.self)
      try server.plan(#"{"status":200,"body":"\#(command.replacing("\"", with: "\\\""))"}"#)
      let sink = try Self.ownTracks(server.url + "/pub", .init("key_file", .string(path)))
      let receipt = try await Self.take(sink, [Samples.delivery()]).get()
      #expect(receipt.requests == [.reportLocation])
      let body = try JSONValue.parse(try server.request().body)
      #expect(body["_type"] == "encrypted" && body.members?.count == 2)
      let plain = try #require(body["data"]?.string.flatMap(key.openMessage))
      #expect(try JSONValue.parse(plain.span)["topic"] == "owntracks/jane/van")

      try Samples.file("key", in: folder, String(repeating: "x", count: 33))
      #expect(sink.fault() == "key_file: \(path) holds more than 32 bytes")
      #expect(await Self.fault(sink, [Samples.delivery()])?.fault == .refused)
    }
  }

  @Test("A trial of a Recorder reads back what it has, and leaves no position")
  func recorder() async throws {
    let server = try StandIn()
    let sink = try Self.ownTracks(server.url + "/pub")
    #expect(
      await Self.probe(sink)
        == "\(server.url) answered 200; it has no position of owntracks/jane/van yet")
    let seen = try server.requests(2)
    #expect(seen.map(\.stored) == [0, 0])
    #expect(seen[1].target == "/api/0/last?user=jane&device=van")
    try server.plan(
      #"{"status":200,"body":"[]"}"#, #"{"status":200,"body":"[{\"tst\":1795391999}]"}"#)
    #expect(
      await Self.probe(sink)
        == "\(server.url) answered 200; its last position of owntracks/jane/van is of "
        + "2026-11-22T23:59:59.000Z")
  }

  // MARK: What becomes of a batch

  @Test("What was taken before a fault is passed, and what follows comes again")
  func passed() async throws {
    let server = try StandIn()
    try server.plan(#"{"status":200}"#, #"{"status":429,"headers":{"Retry-After":"90"}}"#)
    let sink = try Self.ownTracks(server.url + "/pub")
    let error = await Self.fault(sink, (5...7).map { Samples.delivery($0) })
    #expect(error?.passed == 5 && error?.fault == .later(after: 90))
    let seen = try server.requests(2)
    #expect(error?.traffic?.up == seen.map(\.up).reduce(0, +))
    try server.plan(#"{"status":401}"#)
    #expect(await Self.fault(sink, [Samples.delivery()])?.fault == .refused)
    try server.plan(#"{"status":307,"headers":{"Location":"https://b.example/pub"}}"#)
    #expect(
      await Self.fault(sink, [Samples.delivery()])?.message
        == "\(server.url) has moved to https://b.example (307); change url")
    // It is tried once more, and so is the probe.
    for _ in 0..<3 { try server.plan(#"{"fault":"close"}"#) }
    let closed = await Self.fault(sink, [Samples.delivery()])
    #expect(
      closed?.message
        == "\(server.url) closed the connection without an answer: Empty reply from server")
    #expect(closed?.fault == .later(after: nil) && closed?.passed == nil)
    let tries = try server.requests(5)[2...]
    #expect(closed?.traffic == SinkTraffic(up: tries.map(\.up).reduce(0, +), down: 0))
  }

  @Test(
    "Each delivery is said to have arrived as soon as it was answered, not at the end of the batch")
  func arrivals() async throws {
    let server = try StandIn()
    try server.plan(
      #"{"status":200,"body":"[]"}"#, #"{"status":200,"body":"[]"}"#, #"{"status":503}"#)
    let sink = try Self.ownTracks(server.url + "/pub")
    let told = await sink.arrivals(of: (1...4).map { Samples.delivery($0) })
    #expect(told.numbers == [1, 2] && !told.areAll)
    let overland = try Samples.sink([
      .init("kind", "overland"), .init("url", .string(server.url + "/o")), .init("device", "van"),
      .init("any_answer", true),
    ])
    // One POST carries all of them.
    #expect(await overland.arrivals(of: (1...4).map { Samples.delivery($0) }).numbers == [4])
  }

  @Test("A password and a token go out as their files hold them at that time")
  func secrets() async throws {
    try await Samples.withFolder { folder in
      let server = try StandIn()
      let path = try Samples.file("pw", in: folder, "Open Sesame\n")
      let sink = try Self.ownTracks(server.url + "/pub", .init("password_file", .string(path)))
      _ = try await Self.take(sink, [Samples.delivery()]).get()
      // printf 'jane:Open Sesame' | base64
      #expect(try server.request().header("authorization") == "Basic amFuZTpPcGVuIFNlc2FtZQ==")
      try Samples.file("pw", in: folder, "new")
      _ = try await Self.take(sink, [Samples.delivery()]).get()
      #expect(try server.request().header("authorization") == "Basic amFuZTpuZXc=")
      try Samples.file("pw", in: folder, "new", mode: 0o604)
      let words =
        "password_file: everybody on this machine may read or change \(path); chmod o= \(path)"
      #expect(sink.fault() == words)
      #expect(await Self.fault(sink, [Samples.delivery()]) == SinkError(words, .refused))

      let token = try Samples.file("token", in: folder, "a/b c")
      let hidden = try Self.ownTracks(
        server.url + "/x/{token}/pub", .init("token_file", .string(token)))
      _ = try await Self.take(hidden, [Samples.delivery()]).get()
      let seen = try server.request()
      #expect(seen.target == "/x/a%2Fb%20c/pub" && seen.header("authorization") == nil)
      // Encoded it holds %ACC, which is no placeholder here.
      try Samples.file("token", in: folder, "€C%LAT")
      let hook = try Samples.sink([
        .init("kind", "webhook"), .init("url", .string(server.url + "/{token}/%NUMBER")),
        .init("token_file", .string(token)),
      ])
      _ = try await Self.take(hook, [Samples.delivery()]).get()
      #expect(try server.request().target == "/%E2%82%ACC%25LAT/7")
    }
  }

  // MARK: Overland

  private static func overland(
    _ server: StandIn, in folder: String, _ more: JSONValue.Member...
  ) throws -> any Sink {
    let token = try Samples.file("token", in: folder, "s3cret")
    return try Samples.sink(
      [
        .init("kind", "overland"), .init("url", .string(server.url + "/overland")),
        .init("device", "van"), .init("token_file", .string(token)),
      ] + more)
  }

  @Test("Overland: a batch is one POST, in the form that its readers take")
  func overland() async throws {
    try await Samples.withFolder { folder in
      let server = try StandIn()
      let sink = try Self.overland(server, in: folder)
      let visit = Visit(
        coordinate: Samples.fix.coordinate, horizontalAccuracy: 30, arrival: Samples.moment,
        departure: nil)
      _ = try await Self.take(
        sink, [Samples.delivery(1), Samples.delivery(2, event: .arrived(visit))]
      ).get()
      let seen = try server.request()
      #expect(seen.stored == 2)
      #expect(
        seen.body
          == #"{"locations":[{"type":"Feature","id":"3-1","geometry":{"type":"Point","coordinates":"#
          + #"[11.25,48.5]},"properties":{"timestamp":"2026-11-22T23:59:59Z","altitude":512.4,"#
          + #""speed":12.5,"course":359.6,"horizontal_accuracy":4.6,"vertical_accuracy":7.5,"#
          + #""device_id":"van"}},{"type":"Feature","id":"3-2","geometry":{"type":"Point","#
          + #""coordinates":[11.25,48.5]},"properties":{"action":"visit","timestamp":"#
          + #""2026-11-22T23:59:59Z","arrival_date":"2026-11-22T23:59:59Z","departure_date":null,"#
          + #""horizontal_accuracy":30,"device_id":"van"}}]}"#)
      #expect(
        await Self.probe(sink)
          == #"\#(server.url) answered 201: '{"result":"ok"}' to an empty batch"#)
    }
  }

  @Test("Trap 1: a batch is taken only when the answer says so, or where any answer is to do")
  func receipt() async throws {
    try await Samples.withFolder { folder in
      let server = try StandIn()
      try server.plan(#"{"status":200,"body":"[]"}"#, #"{"fault":"half"}"#)
      let sink = try Self.overland(server, in: folder)
      let error = await Self.fault(sink, [Samples.delivery()])
      #expect(error?.fault == .later(after: nil))
      #expect(
        error?.message
          == #"\#(server.url) answered 200: '[]', where {"result":"ok"} was expected"#)
      #expect(await Self.fault(sink, [Samples.delivery()]) != nil)
      try server.plan(#"{"status":200,"body":"[]"}"#)
      let lenient = try Self.overland(server, in: folder, .init("any_answer", true))
      #expect(await Self.fault(lenient, [Samples.delivery()]) == nil)
    }
  }

  @Test("Of a batch that is called bad the bad one is found, and those before it are passed")
  func poison() async throws {
    try await Samples.withFolder { folder in
      let server = try StandIn()
      try server.plan(
        #"{"status":422,"body":"no"}"#, #"{"status":200,"body":"{\"result\":\"ok\"}"}"#,
        #"{"status":422,"body":"no"}"#)
      let sink = try Self.overland(server, in: folder)
      let error = await Self.fault(sink, (5...7).map { Samples.delivery($0) })
      #expect(error?.fault == .badMessage && error?.passed == 5)
      #expect(error?.message == "\(server.url) cannot use this: 422: 'no'")
      let sizes = try server.requests(3).map {
        try JSONValue.parse($0.body)["locations"]?.array?.count
      }
      #expect(sizes == [3, 1, 1])
    }
  }
}
