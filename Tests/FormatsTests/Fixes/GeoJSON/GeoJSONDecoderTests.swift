// SPDX-License-Identifier: Apache-2.0

import FixFormats
import Geodesy
import LocationModel
import Testing

private func read(_ text: String) throws -> (events: [TraceEvent], ledger: TraceLedger) {
  try decoded(GeoJSONDecoder(options: DecodingOptions()), text)
}

private let collection = """
  {"name":"features","crs":{"features":[{"type":"no"}]},"type":"FeatureCollection","features":[
  {"type":"Feature","geometry":{"type":"Point","coordinates":[13.5,45.5,120]},
  "properties":{"timestamp":"2026-05-04T07:08:09Z","note":"{\\"}]","horizontal_accuracy":7}},
  {"type":"Feature","geometry":{"type":"Polygon","coordinates":[]},"properties":{}}
  ],"after":{"features":[{"type":"Feature"}]}}

  """

struct GeoJSONDecoderTests {
  @Test func pointsOfACollectionAreFixes() throws {
    let (events, ledger) = try read(collection)
    let fix = try #require(positions(events).first)
    #expect(events.count == 1)
    #expect(fix.coordinate == Coordinate(latitude: 45.5, longitude: 13.5))
    // RFC 7946, 3.1.1: the third number is the height above the ellipsoid.
    #expect(fix.ellipsoidalHeight == 120)
    #expect(fix.altitude == nil)
    #expect(fix.horizontalAccuracy == 7)
    #expect(ledger.skipped == ["not a track": 1])
    #expect(ledger.read == 2)
  }

  @Test func aLineTakesItsTimesFromCoordTimes() throws {
    let (events, _) = try read(
      """
      {"type":"Feature","properties":{"coordTimes":["2026-05-04T07:08:09Z",1777878490]},
      "geometry":{"type":"LineString","coordinates":[[13.5,45.5],[13.6,45.5]]}}
      {"type":"Feature","properties":{"coordinateProperties":{"times":[["2026-05-04T07:08:11Z"]]}},
      "geometry":{"type":"MultiLineString","coordinates":[[[13.7,45.5]]]}}
      """)
    #expect(
      positions(events).map { $0.time?.rfc3339 } == [
        "2026-05-04T07:08:09.000Z", "2026-05-04T07:08:10.000Z", "2026-05-04T07:08:11.000Z",
      ])
    #expect(events.count == 5)
  }

  @Test func oneListOfTimesIsForAllLinesAndWhatIsUnusedIsNamed() throws {
    let lines = "{\"type\":\"MultiLineString\",\"coordinates\":[[[1,2],[1,3]],[[1,4]]]}"
    func feature(_ times: String) -> String {
      "{\"type\":\"Feature\",\"properties\":{\"name\":\"x\",\"times\":\(times)},\"geometry\":\(lines)}"
    }
    let (events, ledger) = try read(feature("[1777878489,1777878490,1777878491]"))
    #expect(
      positions(events).map { $0.time?.wholeSeconds } == [
        1_777_878_489, 1_777_878_490, 1_777_878_491,
      ])
    #expect(ledger.unused == ["name": 1] && ledger.findings.isEmpty)
    let more = try read(feature("[1777878489,1777878490,1777878491,1777878492]"))
    #expect(more.ledger.findings.map(\.text) == ["a line has not as many times as points"])
    #expect(positions(more.events).count == 3)
  }

  @Test func overlandsMessageIsAListOfFeatures() throws {
    let point =
      #"{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},"properties":{"timestamp":"2026-05-04T07:08:09Z"}}"#
    #expect(try read("{\"locations\":[\(point),\(point)],\"current\":{}}").ledger.fixes == 2)
  }

  @Test func aSequenceOfFeaturesIsReadLikeACollection() throws {
    let feature =
      #"{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]},"properties":{"time":1777878489}}"#
    #expect(try read("\u{1E}\(feature)\n\u{1E}\(feature)\n").ledger.fixes == 2)
  }

  @Test func aDocumentThatBreaksOffKeepsWhatCameBefore() throws {
    let cut = String(collection.prefix(330))
    let (events, ledger) = try read(cut)
    #expect(positions(events).count == 1)
    #expect(ledger.findings.map(\.kind) == ["truncated"])
  }

  @Test func anyCutGivesTheSameEvents() throws {
    #expect(
      try isIndifferentToCuts({ GeoJSONDecoder(options: DecodingOptions()) }, collection))
  }
}
