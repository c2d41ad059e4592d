// SPDX-License-Identifier: Apache-2.0

/// A day of the proleptic Gregorian calendar, without a zone.
package struct CivilDate: Sendable, Hashable {
  package let year: Int
  package let month: Int
  package let day: Int

  /// Makes a date, or `nil` if no such day exists (month 13, 29 February of 2023).
  package init?(year: Int, month: Int, day: Int) {
    guard (1...12).contains(month), day >= 1, day <= Self.days(inMonth: month, year: year),
      (-9_999...9_999).contains(year)
    else { return nil }
    self.year = year
    self.month = month
    self.day = day
  }

  /// The date that lies `days` after 1970-01-01.
  package init(daysSince1970 days: Int64) {
    // Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", civil_from_days.
    let z = days + 719_468
    let era = z.flooredQuotient(146_097)
    let dayOfEra = z - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    day = Int(dayOfYear - (153 * shifted + 2) / 5 + 1)
    month = Int(shifted < 10 ? shifted + 3 : shifted - 9)
    year = Int(yearOfEra + era * 400) + (month <= 2 ? 1 : 0)
  }

  /// Days since 1970-01-01; negative before it.
  package var daysSince1970: Int64 {
    // The same source, days_from_civil.
    let y = Int64(month <= 2 ? year - 1 : year)
    let era = y.flooredQuotient(400)
    let yearOfEra = y - era * 400
    let shifted = Int64(month > 2 ? month - 3 : month + 9)
    let dayOfYear = (153 * shifted + 2) / 5 + Int64(day) - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  package static func isLeap(_ year: Int) -> Bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
  }

  package static func days(inMonth month: Int, year: Int) -> Int {
    switch month {
    case 4, 6, 9, 11: 30
    case 2: isLeap(year) ? 29 : 28
    default: 31
    }
  }
}

extension UTCInstant {
  /// Microseconds of a day.
  package static let dayLength: Int64 = 86_400_000_000

  /// The instant that lies `microsecondOfDay` after midnight of `date`.
  package init(date: CivilDate, microsecondOfDay: Int64) {
    self.init(microseconds: date.daysSince1970 * Self.dayLength + microsecondOfDay)
  }

  /// The UTC day of this instant.
  package var date: CivilDate {
    CivilDate(daysSince1970: microseconds.flooredQuotient(Self.dayLength))
  }

  /// Microseconds since midnight UTC, 0 ..< 86,400,000,000.
  package var microsecondOfDay: Int64 { microseconds.flooredRemainder(Self.dayLength) }

  /// RFC 3339 in UTC with milliseconds, `2026-05-04T07:08:09.000Z`; rounded to the nearest one.
  package var rfc3339: String {
    var bytes: [UInt8] = []
    appendRFC3339(to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the text of `rfc3339`.
  package func appendRFC3339(to bytes: inout [UInt8]) {
    let isNearerToNext = microseconds.flooredRemainder(1_000) >= 500
    let milliseconds = microseconds.flooredQuotient(1_000) + (isNearerToNext ? 1 : 0)
    Self.appendTime(milliseconds, digits: 3, to: &bytes)
  }

  /// Appends RFC 3339 in UTC with milliseconds, or with microseconds if milliseconds would lose some.
  package func appendFullText(to bytes: inout [UInt8]) {
    if microseconds % 1_000 == 0 {
      Self.appendTime(microseconds / 1_000, digits: 3, to: &bytes)
    } else {
      Self.appendTime(microseconds, digits: 6, to: &bytes)
    }
  }

  /// Appends the date and the time that lie `units` after 1970, a second having 10 to the power of `digits`
  /// of them: 3 or 6.
  private static func appendTime(_ units: Int64, digits: Int, to bytes: inout [UInt8]) {
    let unitsOfSecond: Int64 = digits == 3 ? 1_000 : 1_000_000
    let day = CivilDate(daysSince1970: units.flooredQuotient(86_400 * unitsOfSecond))
    let unit = units.flooredRemainder(86_400 * unitsOfSecond)
    let second = unit / unitsOfSecond
    if day.year < 0 { bytes.append(UInt8(ascii: "-")) }
    append(number: Int64(day.year.magnitude), 4, "-", to: &bytes)
    append(number: Int64(day.month), 2, "-", to: &bytes)
    append(number: Int64(day.day), 2, "T", to: &bytes)
    append(number: second / 3_600, 2, ":", to: &bytes)
    append(number: second / 60 % 60, 2, ":", to: &bytes)
    append(number: second % 60, 2, ".", to: &bytes)
    append(number: unit % unitsOfSecond, digits, "Z", to: &bytes)
  }

  /// Appends a number of at least `width` digits, filled with zeros, and the text after it.
  private static func append(
    number value: Int64, _ width: Int, _ mark: Unicode.Scalar, to bytes: inout [UInt8]
  ) {
    var unit: Int64 = 1
    var digits = 1
    while digits < width || value / unit >= 10 {
      unit *= 10
      digits += 1
    }
    while unit > 0 {
      bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value / unit % 10))
      unit /= 10
    }
    bytes.append(UInt8(ascii: mark))
  }
}
