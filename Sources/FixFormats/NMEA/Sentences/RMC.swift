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
struct RMC: Equatable {
  var time: Int64?
  /// Status A, and the mode is not N.
  var isValid: Bool
  var position: Position?
  /// Metres per second.
  var speed: Double?
  /// Degrees from true north, 0 ≤ x < 360.
  var course: Double?
  /// Days since 1970.
  var day: Int64?
  /// Whether both a mode and the status that NMEA 0183 4.1 (2012) added are there; Magellan's EC-10
  /// of 2005 has a lone V in its place.
  var hasNavigationalStatus: Bool

  /// `nil` where the status is none, or the sentence claims to be valid and its time or position cannot be read.
  static func parse(_ reader: inout FieldReader, _ bytes: borrowing Span<UInt8>) -> RMC? {
    let time = reader.timeOfDay(bytes)
    let status = reader.letter(bytes)
    let position = reader.position(bytes)
    let isDamaged = reader.isDamaged
    let speed = FieldMeaning.speed(knots: reader.decimal(bytes))
    let course = FieldMeaning.course(reader.decimal(bytes))
    let day = reader.day(bytes)
    reader.skip(2, bytes)
    let mode = reader.letter(bytes)
    let navigational = reader.field(bytes)
    guard let isGood = FieldMeaning.status(status) else { return nil }
    let isValid = isGood && mode != UInt8(ascii: "N")
    if isValid && (isDamaged || position == nil) { return nil }
    return RMC(
      time: time, isValid: isValid, position: position, speed: speed, course: course, day: day,
      hasNavigationalStatus: mode != nil && navigational.count == 1)
  }
}
