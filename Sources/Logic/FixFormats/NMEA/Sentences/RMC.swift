// SPDX-License-Identifier: Apache-2.0

/// RMC, recommended minimum data: time, status, position, speed, course, date.
///
///     $GPRMC,225446.33,A,4916.45,N,12311.12,W,000.5,054.7,191194,020.3,E,A,V*hh
///            |         | |       | |        | |     |     |      |     | | |
///            time      | latitude  longitude  |     |     date   |     | | navigational status (4.1)
///                      status: A valid        knots course       |     | mode (2.3): N none
///                              V warning                         magnetic variation
///
/// Source: gpsd, "NMEA Revealed"; IEC 61162-1.
struct RMC: Sentence {
  private let report: PositionReport
  /// Metres per second.
  private let speed: Double?
  /// Degrees from true north, 0 ≤ x < 360.
  private let course: Double?
  /// Days since 1970.
  private let day: Int64?
  /// Whether both a mode and the status added by NMEA 0183 4.1 (2012) are present; Magellan's EC-10
  /// of 2005 has a lone V in its place.
  private let hasNavigationalStatus: Bool

  init?(_ fields: inout FieldReader, _ bytes: borrowing Span<UInt8>) {
    let time = fields.timeOfDay(bytes)
    let status = fields.status(bytes)
    let position = fields.position(bytes)
    let isDamaged = fields.isDamaged
    speed = fields.speed(bytes, times: 1_852, over: 3_600)
    course = fields.course(bytes)
    day = fields.day(bytes)
    fields.skip(2)
    let mode = fields.letter(bytes)
    hasNavigationalStatus = mode != nil && fields.field().count == 1
    let isValid = status == true && mode != UInt8(ascii: "N")
    guard status != nil,
      let report = PositionReport(
        time: time, isValid ? .valid : .void, position, isDamaged: isDamaged)
    else { return nil }
    self.report = report
  }

  var place: SentencePlace { report.place }

  /// The date of a void sentence counts only if nothing else has one.
  func addStatements(to observation: inout Observation, from talker: Talker, habit: Talker) {
    observation.day = observation.day ?? day
    guard observation.absorb(report, rank: 1, from: talker, habit: habit) else { return }
    observation.speed = observation.speed ?? speed
    observation.course = observation.course ?? course
  }

  func addFacts(to log: inout LogFacts, from talker: Talker) {
    if hasNavigationalStatus { log.calendar.seeModernField() }
  }
}
