// SPDX-License-Identifier: Apache-2.0

import Geodesy
import JSONText
import LocationModel
import ServiceContract
import Testing

@testable import Sinks

/// As in OwnTracks' app for Android in its HTTP mode: commands come in the answers to posts, and are obeyed if the user
/// allows it; waypoints go to the same place.
@Suite("Regions of an OwnTracks sink over HTTP", .serialized)
struct OwnTracksHTTPRegionTests {
  private static func sink(_ server: StandIn, _ more: JSONValue.Member...) throws -> any Sink {
    try Samples.sink(
      [
        .init("kind", "owntracks"), .init("url", .string(server.url + "/pub")),
        .init("user", "jane"), .init("device", "van"),
      ] + more)
  }

  private static func region(_ name: String) -> MonitoredRegion {
    MonitoredRegion(
      name, centre: Coordinate(clampingLatitude: 52.5163, wrappingLongitude: 13.3777), radius: 150)
  }

  private static func answer(_ commands: String...) -> String {
    var body = JSONWriter()
    body.string("[\(commands.joined(separator: ","))]")
    return "{\"status\":200,\"body\":\(body.text)}"
  }

  private static let setWaypoints = """
    {"_type":"cmd","action":"setWaypoints","waypoints":{"_type":"waypoints","waypoints":[\
    {"_type":"waypoint","desc":"Depot","lat":52.5163,"lon":13.3777,"rad":150,"tst":1}]}}
    """
  private static let clear = #"{"_type":"cmd","action":"clearWaypoints"}"#
  private static let ask = #"{"_type":"cmd","action":"waypoints"}"#
  private static let report = #"{"_type":"cmd","action":"reportLocation"}"#

  @Test("With commands = true the server names regions in its answers, and hears of them")
  func commands() async throws {
    let server = try StandIn()
    let sink = try Self.sink(server, .init("commands", true))
    let told = try #require(sink as? any RegionSink)
    told.monitors([Self.region("Home")])
    try server.plan(
      Self.answer(Self.setWaypoints, Self.report), #"{"status":500}"#)
    let first = try await sink.send([Samples.delivery(1)])
    #expect(
      first.requests == [.changeRegions([.monitor(Self.region("Depot"))]), .reportLocation])
    let seen = try server.requests(2)
    // `tst`: FNV-1a of "Home", 32 bits, 0x52f50eae, modulo the 31,536,000 s of a year (by Python).
    #expect(
      seen[1].body
        == #"{"_type":"waypoints","waypoints":[{"_type":"waypoint","desc":"Home","lat":52.5163,"#
        + #""lon":13.3777,"rad":150,"tst":4207790}],"#
        + #""topic":"owntracks/jane/van/waypoints"}"#)
    #expect(seen[1].header("x-limit-u") == "jane" && seen[1].header("x-limit-d") == "van")
    // A server that failed at them gets them again; one that has them does not.
    _ = try await sink.send([Samples.delivery(2)])
    #expect(try server.requests(2)[1].body.contains("\"waypoints\""))
    try server.plan(Self.answer(Self.ask, Self.clear))
    let third = try await sink.send([Samples.delivery(3)])
    #expect(third.requests == [.changeRegions([.stopAll])])
    #expect(try server.requests(2)[1].body.contains("Home"), "it was asked for")
    told.monitors([])
    _ = try await sink.send([Samples.delivery(4)])
    #expect(
      try server.requests(2)[1].body
        == #"{"_type":"waypoints","waypoints":[],"topic":"owntracks/jane/van/waypoints"}"#)
    _ = try await sink.send([Samples.delivery(5)])
    _ = try await sink.send([Samples.delivery(6)])
    #expect(
      try server.requests(2).map { try JSONValue.parse($0.body)["_id"] } == ["3-5", "3-6"],
      "there is no news")
  }

  @Test("Without that word a server may ask where the device is, and no more")
  func unheard() async throws {
    let server = try StandIn()
    let sink = try Self.sink(server)
    (sink as? any RegionSink)?.monitors([Self.region("Home")])
    try server.plan(Self.answer(Self.setWaypoints, Self.ask, Self.clear, Self.report))
    #expect(try await sink.send([Samples.delivery(1)]).requests == [.reportLocation])
    _ = try await sink.send([Samples.delivery(2)])
    #expect(
      try server.requests(2).map { try JSONValue.parse($0.body)["_id"] } == ["3-1", "3-2"])
  }
}
