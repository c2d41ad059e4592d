// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocationModel
import Testing

@Suite("Civil time, with Foundation as the oracle")
struct CivilTimeTests {
  private static let calendar: Calendar = {
    var calendar = Calendar(identifier: .iso8601)
    calendar.timeZone = TimeZone(secondsFromGMT: 0) ?? .gmt
    return calendar
  }()

  /// Year, month, day, and microseconds since midnight, from Foundation.
  ///
  /// Foundation's Gregorian calendars switch from the Julian one in 1582; the instants here are later.
  private func foundation(_ microseconds: Int64) -> (Int?, Int?, Int?, Int) {
    let seconds = microseconds.flooredQuotient(1_000_000)
    let date = Date(timeIntervalSince1970: TimeInterval(seconds))
    let parts = Self.calendar.dateComponents(
      [.year, .month, .day, .hour, .minute, .second], from: date)
    let ofDay =
      ((parts.hour ?? 0) * 3_600 + (parts.minute ?? 0) * 60 + (parts.second ?? 0)) * 1_000_000
    return (parts.year, parts.month, parts.day, ofDay + Int(microseconds - seconds * 1_000_000))
  }

  private func agrees(_ microseconds: Int64) -> Bool {
    let instant = UTCInstant(microseconds: microseconds)
    let ours = (instant.date.year, instant.date.month, instant.date.day)
    let (year, month, day, ofDay) = foundation(microseconds)
    return ours.0 == year && ours.1 == month && ours.2 == day
      && instant.microsecondOfDay == Int64(ofDay)
      && UTCInstant(date: instant.date, microsecondOfDay: Int64(ofDay)) == instant
  }

  @Test("Ten thousand random instants from 1600 to 2500 have Foundation's date and time of day")
  func randomInstants() {
    var random = SplitMix64(seed: 2026)
    for _ in 0..<10_000 {
      // −11,676,096,000 s is 1600-01-01, 28,400 million seconds later it is 2499-12-18.
      let microseconds =
        -11_676_096_000_000_000 + Int64(random.next() % 28_400_000_000_000_000)
      #expect(agrees(microseconds), "seed 2026, instant \(microseconds) µs")
    }
  }

  @Test("Every day from 1895 to 2105 has Foundation's date: all leap years, 1900 and 2100 included")
  func everyDay() {
    // 75 · 365.25 days before 1970 is 1895; 135 · 365.25 days after it is 2105.
    for day in Int64(-27_394)...49_309 where !agrees(day * UTCInstant.dayLength) {
      Issue.record("day \(day) since 1970 differs")
    }
  }

  @Test(
    "The last microsecond of a year is that year's, the next one is new year's",
    arguments: [1969, 1999, 2000, 2019, 2024, 2026, 2037, 2099, 2100])
  func yearEnds(year: Int) throws {
    let newYear = try #require(CivilDate(year: year + 1, month: 1, day: 1))
    let midnight = UTCInstant(date: newYear, microsecondOfDay: 0)
    let before = UTCInstant(microseconds: midnight.microseconds - 1)
    #expect(before.date == CivilDate(year: year, month: 12, day: 31))
    #expect(before.microsecondOfDay == UTCInstant.dayLength - 1)
    #expect(midnight.date == newYear)
    #expect(agrees(before.microseconds) && agrees(midnight.microseconds))
  }

  @Test("29 February exists in 2024, 2000 and 2400 and not in 2023, 1900 and 2100")
  func leapDays() {
    for year in [2024, 2000, 2400] {
      #expect(CivilDate(year: year, month: 2, day: 29) != nil)
      #expect(CivilDate.isLeap(year))
    }
    for year in [2023, 1900, 2100] {
      #expect(CivilDate(year: year, month: 2, day: 29) == nil)
      #expect(!CivilDate.isLeap(year))
    }
  }

  @Test(
    "A day that no calendar has makes no date",
    arguments: [
      (2026, 0, 1), (2026, 13, 1), (2026, 1, 0), (2026, 1, 32), (2026, 4, 31), (2026, 6, 31),
    ])
  func impossible(year: Int, month: Int, day: Int) {
    #expect(CivilDate(year: year, month: month, day: day) == nil)
  }

  @Test("1024 weeks are 7168 days: 2019-04-06 falls back to 1999-08-21")
  func weekRollover() throws {
    // The dates of GPS's second week rollover, and those that receivers of the first epoch derived from them.
    let day = try #require(CivilDate(year: 2019, month: 4, day: 6))
    let back = CivilDate(daysSince1970: day.daysSince1970 - 7_168)
    #expect(back == CivilDate(year: 1999, month: 8, day: 21))
  }

  @Test("RFC 3339 text has milliseconds, rounded to the nearest, across midnight and year's end")
  func text() throws {
    let texts: [(Int64, String)] = [
      (0, "1970-01-01T00:00:00.000Z"),
      (-1, "1970-01-01T00:00:00.000Z"),
      (-1_000, "1969-12-31T23:59:59.999Z"),
      // `date -u -d 2026-05-04T07:08:09 +%s` is 1777878489.
      (1_777_878_489_000_499, "2026-05-04T07:08:09.000Z"),
      (1_777_878_489_000_500, "2026-05-04T07:08:09.001Z"),
      // `date -u -d 2026-12-31T23:59:59 +%s` is 1798761599.
      (1_798_761_599_999_500, "2027-01-01T00:00:00.000Z"),
      (1_798_761_599_999_499, "2026-12-31T23:59:59.999Z"),
    ]
    for (microseconds, expected) in texts {
      #expect(UTCInstant(microseconds: microseconds).rfc3339 == expected)
    }
  }

  @Test("The ends of the axis can be written too")
  func ends() {
    // As written by java.time.Instant.EPOCH.plus(Long.MAX_VALUE, ChronoUnit.MICROS) and so on, rounded.
    #expect(UTCInstant(microseconds: .max).rfc3339 == "294247-01-10T04:00:54.776Z")
    #expect(UTCInstant(microseconds: .min).rfc3339 == "-290308-12-21T19:59:05.224Z")
    var bytes: [UInt8] = []
    UTCInstant(microseconds: .min).appendFullText(to: &bytes)
    #expect(String(decoding: bytes, as: UTF8.self) == "-290308-12-21T19:59:05.224192Z")
    #expect(UTCInstant(microseconds: .min).microsecondOfDay == 71_945_224_192)
  }
}
