// SPDX-License-Identifier: Apache-2.0

/// VTG, course and speed over ground; it carries no time.
///
///     $GPVTG,054.7,T,034.4,M,005.5,N,010.2,K,A*hh
///            |       |       |       |       |
///            course  magnetic knots  km/h    mode (2.3): N none
///
/// Before NMEA 2.0 the unit letters were missing, so the fields could not be distinguished: such a
/// sentence is counted and yields nothing.
///
/// Source: gpsd, "NMEA Revealed"; IEC 61162-1.
struct VTG: Sentence {
  /// Metres per second.
  private let speed: Double?
  /// Degrees from true north, 0 ≤ x < 360.
  private let course: Double?

  init?(_ fields: inout FieldReader, _ bytes: borrowing Span<UInt8>) {
    let course = fields.course(bytes)
    let hasUnits = fields.letter(bytes) == UInt8(ascii: "T")
    fields.skip(2)
    let knots = fields.speed(bytes, times: 1_852, over: 3_600)
    fields.skip(1)
    let speed = fields.speed(bytes, times: 1, over: 3.6) ?? knots
    fields.skip(1)
    let isUsable = hasUnits && fields.letter(bytes) != UInt8(ascii: "N")
    self.speed = isUsable ? speed : nil
    self.course = isUsable ? course : nil
  }

  var place: SentencePlace { .neighbour(comesInRuns: false) }

  func addStatements(to observation: inout Observation, from talker: Talker, habit: Talker) {
    observation.slowSpeed = speed ?? observation.slowSpeed
    observation.slowCourse = course ?? observation.slowCourse
  }
}
