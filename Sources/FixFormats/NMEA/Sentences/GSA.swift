// SPDX-License-Identifier: Apache-2.0

/// GSA, satellites used and dilution of precision; it carries no time, and there is one for each
/// satellite system in turn.
///
///     $GNGSA,A,3,80,71,73,79,69,,,,,,,,1.83,1.09,1.47,1*hh
///            | | |                     |    |    |    |
///            | | 12 satellites         PDOP HDOP VDOP system (4.10)
///            | 1 no fix, 2 two, 3 three dimensions
///            A automatic, M manual
///
/// Source: gpsd, "NMEA Revealed"; IEC 61162-1.
struct GSA: Equatable {
  /// 1 to 3, 0 where it is not stated.
  var mode: UInt8
  var hdop: Double?
  /// Whether the field is there that NMEA 0183 4.10 (2012) added.
  var hasSystem: Bool

  static func parse(_ reader: inout FieldReader, _ bytes: borrowing Span<UInt8>) -> GSA? {
    reader.skip(1, bytes)
    let letter = reader.letter(bytes) ?? 48
    reader.skip(13, bytes)
    let hdop = FieldMeaning.dilution(reader.decimal(bytes))
    reader.skip(1, bytes)
    // SiRF's TriG puts a time dilution here: only one digit is a system.
    let system = reader.field(bytes)
    return GSA(
      mode: (49...51).contains(letter) ? letter - 48 : 0, hdop: hdop, hasSystem: system.count == 1)
  }
}
