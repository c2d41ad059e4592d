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
