// SPDX-License-Identifier: Apache-2.0

import FixFormats
import Foundation
import LocationModel
import Testing

/// Real logs of the shared public corpus against its manifest and gpsd's own output.
struct CorpusTests {
  /// The logs for which our count differs from the manifest's, with our first and last time.
  private static let differences: [String: (fixes: Int, start: String, end: String)] = [
    // The manifest counts RMC with status A; positions in GLL or GGA of other epochs are fixes too:
    // GLL 15:25:04.5 at the log's beginning, GGA 14:33:06 behind the step back.
    "gpsd-bt451.log": (15, "2009-12-09T15:25:04.500Z", "2009-12-09T14:33:08.500Z"),
    // GGA and GLL lag RMC by a second here: 09:47:36 and 09:50:04 have no RMC, and one second's RMC
    // is missing between.
    "gpsd-bundg_zeus_9.log": (149, "2018-08-20T09:47:36.000Z", "2018-08-20T09:50:04.000Z"),
    // GGA 00:03:43.03 is valid and its RMC is not in the log.
    "gpsd-gp-320fw-2019-04-07-coldboot.log": (
      2, "2019-04-07T00:03:43.030Z", "2019-04-07T00:03:45.030Z"
    ),
    // No RMC, but ZDA states the date.
    "gpsd-hemi.log": (21, "2018-09-07T19:40:50.000Z", "2018-09-07T19:41:00.000Z"),
    "gpsd-hp58534a.log": (2, "2010-10-25T22:24:49.000Z", "2010-10-25T22:24:50.000Z"),
    // The last line is a GGA whose RMC the log does not hold any more.
    "signalk-gps.log": (1202, "2014-04-03T08:54:11.000Z", "2014-04-03T09:14:12.000Z"),
    // No date anywhere: the test gives it.
    "gpsbabel-adddate.nmea": (500, "2026-12-31T23:56:00.000Z", "2027-01-01T00:04:19.000Z"),
  ]

  @Test(.enabled(if: Corpus.shared != nil, "no shared corpus here"))
  func `every log gives the manifest's fixes or an explained number`() throws {
    let shared = try #require(Corpus.shared)
    let entries = try Corpus.manifest()
    #expect(entries.count == 16)
    for entry in entries {
      let result = try decode(try Corpus.bytes(shared.appending(path: entry.file))) {
        $0.date = CivilDate(year: 2026, month: 12, day: 31)
      }
      #expect(result.unaccounted == 0, "\(entry.file)")
      #expect(result.ledger.fixes == result.fixes.count, "\(entry.file)")
      if let difference = Self.differences[entry.file] {
        #expect(result.fixes.count == difference.fixes, "\(entry.file)")
        #expect(result.times.first == difference.start, "\(entry.file)")
        #expect(result.times.last == difference.end, "\(entry.file)")
      } else {
        #expect(result.fixes.count == entry.fixes, "\(entry.file)")
        #expect(result.fixes.first?.time == RFC3339.parse(entry.start)?.instant, "\(entry.file)")
        #expect(result.fixes.last?.time == RFC3339.parse(entry.end)?.instant, "\(entry.file)")
      }
    }
  }

  @Test(.enabled(if: Corpus.shared != nil, "no shared corpus here"))
  func `a SiRF log is refused`() throws {
    let log = try Corpus.bytes(
      try #require(Corpus.shared).appending(path: "gpsd-bu303-moving.log"))
    #expect(!isNMEA(log))
    #expect(binaryProtocol(log) == .sirf)
    let error = #expect(throws: TraceError.self) { try decode(log) }
    #expect(error?.code == .binary)
  }

  @Test(.enabled(if: Corpus.shared != nil, "no shared corpus here"))
  func `logs fed byte by byte give the same events`() throws {
    let shared = try #require(Corpus.shared)
    for entry in try Corpus.manifest() {
      let log = Array(try Corpus.bytes(shared.appending(path: entry.file)).prefix(200_000))
      let whole = try decode(log) { $0.allowsUndated = true }
      let bytes = try decode(log, chunk: 1) { $0.allowsUndated = true }
      #expect(whole == bytes, "\(entry.file)")
      #expect(isNMEA(log), "\(entry.file)")
    }
  }

  @Test(.enabled(if: Corpus.shared != nil, "no shared corpus here"))
  func `positions and times agree with gpsd's`() throws {
    let shared = try #require(Corpus.shared)
    for entry in try Corpus.manifest() where entry.file.hasPrefix("gpsd-") {
      let agreement = try GPSDAgreement(log: shared.appending(path: entry.file))
      #expect(agreement.reports > 0 || entry.file == "gpsd-hp58534a.log", "\(entry.file)")
      #expect(agreement.unexplained.isEmpty, "\(entry.file): \(agreement)")
    }
  }
}
