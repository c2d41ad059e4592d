// SPDX-License-Identifier: Apache-2.0

/// GNS, fix data of several satellite systems.
///
///     $GNGNS,112257.00,3844.24011,N,00908.43828,W,AN,03,10.5,45.6,50.1,,*hh
///            |         |            |             |  |  |    |    |    ||
///            time      latitude     longitude     |  |  |    |    |    |reference station
///                                                 |  |  |    |    |    age of corrections
///                                                 |  |  |    |    geoid above the ellipsoid, metres
///                                                 |  |  |    above mean sea level, metres
///                                                 |  |  HDOP
///                                                 |  satellites used
///                                                 one mode letter per system: N none
///
/// A receiver may follow `GNGNS` with a `GPGNS` and a `GLGNS` that hold counts and no mode: those say
/// nothing about validity.
///
/// Source: gpsd, "NMEA Revealed"; IEC 61162-1.
struct GNS: Equatable {
  var time: Int64?
  /// Whether one system has a mode other than N; `nil` where the field is empty.
  var isValid: Bool?
  var position: Position?
  var satellites: Int?
  var hdop: Double?
  /// Metres above mean sea level.
  var altitude: Double?
  /// Height of the geoid above the ellipsoid, metres.
  var separation: Double?

  /// `nil` where the sentence claims to be valid and its time or position cannot be read.
  static func parse(_ reader: inout FieldReader, _ bytes: borrowing Span<UInt8>) -> GNS? {
    let time = reader.timeOfDay(bytes)
    let position = reader.position(bytes)
    let isDamaged = reader.isDamaged
    var isValid: Bool?
    for index in reader.field(bytes) {
      isValid = (isValid ?? false) || bytes[index] != UInt8(ascii: "N")
    }
    if isValid == true && (isDamaged || position == nil) { return nil }
    let satellites = reader.integer(bytes)
    let hdop = FieldMeaning.dilution(reader.decimal(bytes))
    let altitude = reader.decimal(bytes)
    let separation = reader.decimal(bytes)
    return GNS(
      time: time, isValid: isValid, position: position, satellites: satellites, hdop: hdop,
      altitude: altitude, separation: separation)
  }
}
