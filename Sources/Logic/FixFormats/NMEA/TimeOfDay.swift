// SPDX-License-Identifier: Apache-2.0

internal import LocationModel

/// Times of day in microseconds, and days since 1970, as sentences state them.
enum TimeOfDay {
  static let day: Int64 = 86_400_000_000
  /// A longer step is taken for midnight.
  static let halfDay: Int64 = 43_200_000_000

  /// The shortest way from one time of day to another, and the number of midnights it crosses: 1, 0 or −1.
  static func step(from start: Int64, to end: Int64) -> (micros: Int64, days: Int64) {
    let micros = end - start
    if micros < -halfDay { return (micros + day, 1) }
    if micros > halfDay { return (micros - day, -1) }
    return (micros, 0)
  }

  /// Days since 1970, or `nil` if no such day exists or it lies before GPS began (1980-01-06).
  static func days(year: Int, _ month: Int, _ day: Int) -> Int64? {
    guard let date = CivilDate(year: year, month: month, day: day) else { return nil }
    let days = date.daysSince1970
    return days >= firstOfGPS ? days : nil
  }

  /// Days since 1970 of day, month and year of the century, sixteen bits each. Years 80 to 99 are of the 20th century, as
  /// GPS began in 1980.
  static func days(ofPairs pairs: UInt64) -> Int64? {
    let year = Int(pairs >> 32)
    return days(
      year: year >= 80 ? 1900 + year : 2000 + year, Int(pairs >> 16 & 0xFF), Int(pairs & 0xFF))
  }

  /// 1980-01-06, the first day of GPS week 0: 10 years of which 2 are leap years, and 5 days.
  static let firstOfGPS: Int64 = 3_657
}
