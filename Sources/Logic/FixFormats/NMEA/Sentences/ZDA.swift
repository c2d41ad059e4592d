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
struct ZDA: Sentence {
  private let time: Int64?
  /// Days since 1970.
  private let day: Int64?

  init?(_ fields: inout FieldReader, _ bytes: borrowing Span<UInt8>) {
    time = fields.timeOfDay(bytes)
    let day = fields.integer(bytes)
    let month = fields.integer(bytes)
    let year = fields.integer(bytes)
    if fields.isDamaged { return nil }
    self.day =
      if let day, let month, let year { TimeOfDay.days(year: year, month, day) } else { nil }
  }

  var place: SentencePlace { .none }

  func addFacts(to log: inout LogFacts, from talker: Talker) {
    guard let time, let day else { return }
    log.calendar.see(day: day, at: time, line: log.line, &log.ledger)
  }
}
