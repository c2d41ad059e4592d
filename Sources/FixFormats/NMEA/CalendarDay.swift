// SPDX-License-Identifier: Apache-2.0

internal import LocationModel

/// Days since 1970 as sentences state them.
enum CalendarDay {
  /// The day number, or `nil` where no such day exists or it lies before GPS began (1980-01-06).
  static func days(year: Int, _ month: Int, _ day: Int) -> Int64? {
    guard let date = CivilDate(year: year, month: month, day: day) else { return nil }
    let days = date.daysSince1970
    return days >= firstOfGPS ? days : nil
  }

  /// 1980-01-06, the first day of GPS week 0: 10 years of which 2 are leap years, and 5 days.
  static let firstOfGPS: Int64 = 3_657
}
