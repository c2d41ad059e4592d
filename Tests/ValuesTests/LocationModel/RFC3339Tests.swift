// SPDX-License-Identifier: Apache-2.0

import LocationModel
import Testing

@Suite("Reading RFC 3339")
struct RFC3339Tests {
  /// Readable texts, and the seconds since 1970 that `date -u -d TEXT +%s.%N` gives for them.
  static let readable: [(text: String, microseconds: Int64, zone: RFC3339.Zone)] = [
    ("2026-05-04T07:08:09Z", 1_777_878_489_000_000, .utc),
    ("2026-05-04t07:08:09z", 1_777_878_489_000_000, .utc),
    ("2026-05-04 07:08:09Z", 1_777_878_489_000_000, .utc),
    ("2026-05-04T07:08:09.1Z", 1_777_878_489_100_000, .utc),
    ("2026-05-04T07:08:09,25Z", 1_777_878_489_250_000, .utc),
    ("2026-05-04T07:08:09.123456789Z", 1_777_878_489_123_456, .utc),
    ("2026-05-04T07:08:09.123456+02:00", 1_777_871_289_123_456, .offset(minutes: 120)),
    ("2026-05-04T07:08:09-0930", 1_777_912_689_000_000, .offset(minutes: -570)),
    ("2026-05-04T07:08:09+05:45", 1_777_857_789_000_000, .offset(minutes: 345)),
    ("2026-05-04T07:08:09+00:00", 1_777_878_489_000_000, .offset(minutes: 0)),
    ("2026-05-04T07:08:09", 1_777_878_489_000_000, .absent),
    // The examples of RFC 3339, section 5.8.
    ("1985-04-12T23:20:50.52Z", 482_196_050_520_000, .utc),
    ("1996-12-19T16:39:57-08:00", 851_042_397_000_000, .offset(minutes: -480)),
    ("1990-12-31T23:59:60Z", 662_688_000_000_000, .utc),
    ("1990-12-31T15:59:60-08:00", 662_688_000_000_000, .offset(minutes: -480)),
    ("1937-01-01T12:00:27.87+00:20", -1_041_337_172_130_000, .offset(minutes: 20)),
    // XML Schema's end of day.
    ("2026-12-31T24:00:00Z", 1_798_761_600_000_000, .utc),
    ("2024-02-29T00:00:00Z", 1_709_164_800_000_000, .utc),
    ("1969-12-31T23:59:59.999999Z", -1, .utc),
  ]

  @Test("What RFC 3339 and XML Schema allow is read to the microsecond", arguments: readable)
  func reads(text: String, microseconds: Int64, zone: RFC3339.Zone) throws {
    let read = try #require(RFC3339.parse(text))
    #expect(read.instant.microseconds == microseconds)
    #expect(read.zone == zone)
  }

  @Test(
    "What is no time is refused",
    arguments: [
      "", "2026", "2026-05-04", "2026-05-04T", "2026-05-04T07:08", "2026-05-04T07:08:9Z",
      "2026-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z",
      "2026-05-32T00:00:00Z", "2026-05-04T25:00:00Z", "2026-05-04T24:00:01Z",
      "2026-05-04T07:60:00Z", "2026-05-04T07:08:61Z", "2026-05-04T07:08:09.Z",
      "2026-05-04T07:08:09+24:00", "2026-05-04T07:08:09+02:60", "2026-05-04T07:08:09+2",
      "2026-05-04T07:08:09ZZ", "2026-05-04T07:08:09Z ", " 2026-05-04T07:08:09Z",
      "26-05-04T07:08:09Z", "2026/05/04T07:08:09Z", "2026-05-04X07:08:09Z",
      "２０２６-05-04T07:08:09Z",
    ])
  func refuses(text: String) {
    #expect(RFC3339.parse(text) == nil)
  }

  @Test("What is written is read back to the millisecond")
  func roundTrip() throws {
    for milliseconds in [Int64(0), -1, 1_777_878_489_123, 1_798_761_599_999, 951_782_400_000] {
      let instant = UTCInstant(microseconds: milliseconds * 1_000)
      let read = try #require(RFC3339.parse(instant.rfc3339))
      #expect(read.instant == instant)
      #expect(read.zone == .utc)
    }
  }
}
