// SPDX-License-Identifier: Apache-2.0

import FixFormats
import Geodesy
import LocationModel
import Testing

/// Rows of the corpus's manifest: file, fixes, first and last time.
private let manifest: [(file: String, fixes: Int, start: String, end: String)] = [
  ("coregpx-walk-tokyo.gpx", 4_142, "2018-11-29T01:48:58.000Z", "2018-11-29T09:23:18.000Z"),
  ("phpgpx-endomondo.gpx", 5_181, "2016-07-22T08:32:47.000Z", "2016-07-22T11:26:30.000Z"),
  ("gpxanimator-bikeride.gpx", 8_234, "2019-10-22T14:36:00.000Z", "2019-10-23T01:27:08.000Z"),
  ("georust-garmin-run.gpx", 988, "2017-07-29T14:46:35.000Z", "2017-07-29T16:18:13.000Z"),
  ("gpxgo-visnjan-run.gpx", 413, "2014-08-22T16:48:52.000Z", "2014-08-22T17:19:42.000Z"),
  ("gpxgo-korita-hike.gpx", 871, "2010-10-03T09:36:30.000Z", "2010-10-03T13:19:31.000Z"),
  ("gpxpy-around-visnjan-car.gpx", 104, "2020-12-18T06:15:50.000Z", "2020-12-18T06:24:24.000Z"),
  // The manifest cuts the fraction (.2073437) off; microseconds are kept here.
  ("gpxpy-mojstrovka-1901.gpx", 184, "1901-12-13T20:45:52.207Z", "1901-12-13T20:45:52.207Z"),
  ("gpsbabel-m241-car.gpx", 1_199, "2008-05-04T12:52:47.000Z", "2008-05-04T13:22:35.000Z"),
  ("gpsbabel-sbn13-car.gpx", 3_453, "2010-02-01T12:31:38.545Z", "2010-02-01T13:30:40.000Z"),
  // The manifest cuts the fraction of the last time off; `tail` shows .236.
  ("onebusaway-bus-trip13.gpx", 2_765, "2016-07-06T21:37:30.901Z", "2016-07-06T22:20:29.236Z"),
]

@Suite(.enabled(if: GPXCorpus.folder != nil, "the corpus of real traces is not here"))
struct GPXCorpusTests {
  @Test(arguments: manifest)
  func everyPointOfTheManifestIsReadAndTheSpanAgrees(
    row: (file: String, fixes: Int, start: String, end: String)
  ) throws {
    var options = DecodingOptions()
    options.allowsUndated = true
    let (events, ledger) = try readGPX(
      try GPXCorpus.bytes(row.file), chunk: 65_536, options: options)
    // The manifest counts every track point; 33 points of this log say `<fix>none</fix>`, state no
    // satellites and stand still at the last place: epochs without a fix, not fixes.
    let withoutFix = row.file == "gpsbabel-sbn13-car.gpx" ? 33 : 0
    #expect(ledger.noFixEpochs == withoutFix)
    #expect(ledger.fixes + ledger.noFixEpochs == row.fixes)
    #expect(ledger.read == ledger.used + ledger.skipped.values.reduce(0, +))
    let times = events.compactMap { event -> UTCInstant? in
      switch event {
      case .fix(let fix, _): fix.time
      case .noFix(let time, _): time
      case .segmentEnd: nil
      }
    }
    #expect(times.first?.rfc3339 == row.start)
    #expect(times.last?.rfc3339 == row.end)
  }

  @Test func pointsWithoutTimeOfARealHikeAreSkippedAndCountedUnlessAskedFor() throws {
    // 871 track points, 513 of them with a <time>: counted with grep.
    let (_, ledger) = try readGPX(try GPXCorpus.bytes("gpxgo-korita-hike.gpx"))
    #expect(ledger.fixes == 513)
    #expect(ledger.skipped == ["no time": 358, "waypoint beside a track": 2])
  }

  @Test func duplicateTimesOfARealWalkAreFound() throws {
    // The manifest states 127 duplicate times.
    let (_, ledger) = try readGPX(try GPXCorpus.bytes("coregpx-walk-tokyo.gpx"))
    #expect(ledger.findings.first { $0.kind == "duplicate_time" }?.count == 127)
  }

  @Test func accuracySpeedAndSourceOfARealBusRideComeFromItsComments() throws {
    let (events, _) = try readGPX(try GPXCorpus.bytes("onebusaway-bus-trip13.gpx"))
    let all = fixes(events)
    #expect(all[0].horizontalAccuracy == 40.5)
    #expect(all[0].speed == nil)
    #expect(all[5].speed == 0.317805)
    #expect(all[5].course == 181.100006)
    // 40 points come from the network provider: counted with grep.
    #expect(all.count { $0.source == .network } == 40)
  }

  @Test(arguments: ["gpxpy-around-visnjan-car.gpx", "gpxgo-korita-hike.gpx"])
  func anyChunkingOfARealFileGivesTheSameEvents(file: String) throws {
    let bytes = try GPXCorpus.bytes(file)
    let whole = try readGPX(bytes)
    for chunk in [1, 2, 7, 997, 4_096] {
      let parts = try readGPX(bytes, chunk: chunk)
      #expect(parts.events == whole.events)
      #expect(parts.ledger == whole.ledger)
    }
  }
}
