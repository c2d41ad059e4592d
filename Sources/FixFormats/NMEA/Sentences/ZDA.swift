// SPDX-License-Identifier: Apache-2.0

/// ZDA, time and date, with a full year. It does not say whether the receiver has a fix.
///
///     $GPZDA,160012.71,11,03,2004,-1,00*hh
///            |         |  |  |    |  |
///            time      |  |  year local zone, hours and minutes (not used: the time is UTC)
///                      |  month
///                      day
///
/// Source: gpsd, "NMEA Revealed"; IEC 61162-1.
struct ZDA: Equatable {
  var time: Int64?
  /// Days since 1970.
  var day: Int64?

  static func parse(_ reader: inout FieldReader, _ bytes: borrowing Span<UInt8>) -> ZDA? {
    let time = reader.timeOfDay(bytes)
    let day = reader.integer(bytes)
    let month = reader.integer(bytes)
    let year = reader.integer(bytes)
    if reader.isDamaged { return nil }
    guard let day, let month, let year else { return ZDA(time: time) }
    return ZDA(time: time, day: CalendarDay.days(year: year, month, day))
  }
}
