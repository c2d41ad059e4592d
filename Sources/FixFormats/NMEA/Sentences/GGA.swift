// SPDX-License-Identifier: Apache-2.0

/// GGA, fix data: time, position, quality, satellites, HDOP, altitude.
///
///     $GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,*hh
///            |      |        | |         | | |  |   |       |      ||
///            time   latitude   longitude   | |  |   |       |      |reference station
///                                          | |  |   |       |      age of corrections
///                                          | |  |   |       geoid above the ellipsoid, metres
///                                          | |  |   above mean sea level, metres
///                                          | |  HDOP
///                                          | satellites used
///                                          quality: 0 none, 1 GPS, 2 differential, 4 and 5 RTK,
///                                                   6 dead reckoning, 7 manual, 8 simulator
///
/// Source: gpsd, "NMEA Revealed"; IEC 61162-1.
struct GGA: Equatable {
  var time: Int64?
  /// Quality 1 or more.
  var isValid: Bool
  var position: Position?
  var satellites: Int?
  var hdop: Double?
  /// Metres above mean sea level.
  var altitude: Double?
  /// Height of the geoid above the ellipsoid, metres.
  var separation: Double?

  /// `nil` where the sentence claims to be valid and its time or position cannot be read.
  static func parse(_ reader: inout FieldReader, _ bytes: borrowing Span<UInt8>) -> GGA? {
    let time = reader.timeOfDay(bytes)
    let position = reader.position(bytes)
    let quality = reader.letter(bytes) ?? UInt8(ascii: "0")
    let isDamaged = reader.isDamaged
    let isValid = quality > UInt8(ascii: "0") && quality <= UInt8(ascii: "9")
    if isValid && (isDamaged || position == nil) { return nil }
    let satellites = reader.integer(bytes)
    let hdop = FieldMeaning.dilution(reader.decimal(bytes))
    let altitude = reader.decimal(bytes)
    reader.skip(1, bytes)
    let separation = reader.decimal(bytes)
    return GGA(
      time: time, isValid: isValid, position: position, satellites: satellites, hdop: hdop,
      altitude: altitude, separation: separation)
  }
}
