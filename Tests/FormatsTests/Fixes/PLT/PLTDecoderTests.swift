// SPDX-License-Identifier: Apache-2.0

import FixFormats
import Geodesy
import LocationModel
import Testing

/// In the form of GeoLife's user guide 1.3, with its example of a line; the second has no altitude.
private let geolife = """
  Geolife trajectory\r
  WGS 84\r
  Altitude is in Feet\r
  Reserved 3\r
  0,2,255,My Track,0,0,2,8421376\r
  0\r
  39.906631,116.385564,0,492,40097.5864583333,2009-10-11,14:04:30\r
  39.906554,116.385625,0,-777,40097.5865162037,2009-10-11,14:04:35\r

  """

/// In the form of OziExplorer's help: days, and a date as people write it; the third field begins a track.
private let ozi = """
  OziExplorer Track Point File Version 2.1
  WGS 84
  Altitude is in Feet
  Reserved 3
  0,2,255,Track,0,0,2,8421376
  3
    -24.050921,  15.312175,1,  492.1,46146.3000000, 04-May-26, 7:12:00 AM
    -24.060921,  15.322175,0, -777.0,46146.3013889, 04-May-26, 7:14:00 AM
    -24.070921,  15.332175,1, -777.0,46146.3027778, 04-May-26, 7:16:00 AM

  """

private func read(_ text: String) throws -> (events: [TraceEvent], ledger: TraceLedger) {
  try decoded(PLTDecoder(options: DecodingOptions()), text)
}

@Suite("Track files of OziExplorer and GeoLife")
struct PLTDecoderTests {
  @Test("GeoLife's lines have a date and a time in GMT, and feet")
  func lines() throws {
    let (events, ledger) = try read(geolife)
    let fixes = positions(events)
    #expect(
      fixes.map { $0.time?.rfc3339 } == ["2009-10-11T14:04:30.000Z", "2009-10-11T14:04:35.000Z"])
    #expect(fixes.first?.coordinate == Coordinate(latitude: 39.906631, longitude: 116.385564))
    // 492 ft of 0.3048 m.
    #expect(abs((fixes.first?.altitude ?? 0) - 149.9616) < 1e-9)
    #expect(fixes.last?.altitude == nil)
    #expect(ledger.used == 8 && ledger.skipped.isEmpty)
  }

  @Test("OziExplorer's have days since 1899-12-30, and a mark where a track begins")
  func days() throws {
    let (events, _) = try read(ozi)
    // 46146 days after 1899-12-30 is 2026-05-04; 0.3 of a day is 7:12.
    #expect(
      positions(events).map { $0.time?.rfc3339 } == [
        "2026-05-04T07:12:00.000Z", "2026-05-04T07:14:00.000Z", "2026-05-04T07:16:00.000Z",
      ])
    #expect(events.count { if case .segmentEnd = $0 { true } else { false } } == 1)
  }

  @Test("Another datum is refused with what to do, and metres are metres")
  func headers() throws {
    #expect(
      throws: TraceError(
        .unrecognised, line: 2,
        "the datum is 'European 1950'; only WGS 84 is read: gpsbabel -i ozi -f FILE -o gpx -F trace.gpx"
      )
    ) {
      _ = try read(ozi.replacing("WGS 84", with: "European 1950"))
    }
    let (events, _) = try read(ozi.replacing("in Feet", with: "in Metres"))
    #expect(positions(events).first?.altitude == 492.1)
  }

  @Test("A line that is no point is counted")
  func faults() throws {
    let (events, ledger) = try read(
      geolife + "39.9,116.3\n39.9,x,0,0,40097.6,2009-10-11,14:04:40\n39.9,116.4,0,0,0,,\n")
    #expect(positions(events).count == 2)
    #expect(
      ledger.skipped == ["too few fields": 1, "coordinate not a number": 1, "no time": 1])
  }

  @Test("Wherever the bytes are cut, they are read alike", arguments: [geolife, ozi])
  func cuts(text: String) throws {
    #expect(try isIndifferentToCuts({ PLTDecoder(options: DecodingOptions()) }, text))
  }
}
