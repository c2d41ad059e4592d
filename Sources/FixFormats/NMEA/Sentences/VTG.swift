// SPDX-License-Identifier: Apache-2.0

/// VTG, course and speed over ground; it carries no time.
///
///     $GPVTG,054.7,T,034.4,M,005.5,N,010.2,K,A*hh
///            |       |       |       |       |
///            course  magnetic knots  km/h    mode (2.3): N none
///
/// Before NMEA 2.0 the unit letters were missing, and so was nothing to tell the fields apart: such a
/// sentence is counted and yields nothing.
///
/// Source: gpsd, "NMEA Revealed"; IEC 61162-1.
struct VTG: Equatable {
  /// Metres per second.
  var speed: Double?
  /// Degrees from true north, 0 ≤ x < 360.
  var course: Double?

  static func parse(_ reader: inout FieldReader, _ bytes: borrowing Span<UInt8>) -> VTG? {
    let course = FieldMeaning.course(reader.decimal(bytes))
    guard reader.letter(bytes) == UInt8(ascii: "T") else { return VTG() }
    reader.skip(2, bytes)
    let knots = FieldMeaning.speed(knots: reader.decimal(bytes))
    reader.skip(1, bytes)
    let speed = FieldMeaning.speed(kilometresPerHour: reader.decimal(bytes)) ?? knots
    reader.skip(1, bytes)
    if reader.letter(bytes) == UInt8(ascii: "N") { return VTG() }
    return VTG(speed: speed, course: course)
  }
}
