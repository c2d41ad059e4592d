// SPDX-License-Identifier: Apache-2.0

/// GLL, position.
///
///     $GPGLL,4916.45,N,12311.12,W,225444,A,A*hh
///            |       | |        | |      | |
///            latitude  longitude  time   | mode (2.3): N none
///                                        status: A valid, V warning; absent before NMEA 2.0
///
/// Source: gpsd, "NMEA Revealed"; IEC 61162-1.
struct GLL: Equatable {
  var time: Int64?
  /// Status A or absent, and the mode is not N.
  var isValid: Bool
  var position: Position?

  /// `nil` where the status is none, or the sentence claims to be valid and its time or position cannot be read.
  static func parse(_ reader: inout FieldReader, _ bytes: borrowing Span<UInt8>) -> GLL? {
    let position = reader.position(bytes)
    let time = reader.timeOfDay(bytes)
    let isDamaged = reader.isDamaged
    let isOld = reader.isAtEnd
    let status = reader.letter(bytes)
    let mode = reader.letter(bytes)
    guard let isGood = FieldMeaning.status(status) else { return nil }
    let isValid = (isGood || isOld && position != nil) && mode != UInt8(ascii: "N")
    if isValid && (isDamaged || position == nil) { return nil }
    return GLL(time: time, isValid: isValid, position: position)
  }
}
