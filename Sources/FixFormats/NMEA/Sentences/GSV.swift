// SPDX-License-Identifier: Apache-2.0

/// GSV, satellites in view, four to a sentence, one group of sentences for each system and signal.
///
///     $GPGSV,3,1,11,03,03,111,00,04,15,270,00,06,01,010,00,13,06,292,00,1*hh
///            | | |  |  |  |   |                                         |
///            | | |  |  |  |   C/N0, dB-Hz; empty or 0: not tracked      signal (4.10)
///            | | |  |  |  azimuth
///            | | |  |  elevation
///            | | |  satellite
///            | | satellites in view of this talker
///            | number of this sentence
///            number of sentences
///
/// Source: gpsd, "NMEA Revealed"; IEC 61162-1.
struct GSV: Equatable {
  /// 1-based number of this sentence in its group.
  var number: Int
  var inView: Int
  /// C/N0 of the satellites that are tracked, dB-Hz; 0 is none.
  var signals: InlineArray<4, UInt8>

  static func == (a: GSV, b: GSV) -> Bool {
    a.number == b.number && a.inView == b.inView
      && (0..<4).allSatisfy { a.signals[$0] == b.signals[$0] }
  }

  /// `nil` where a count cannot be read.
  static func parse(_ reader: inout FieldReader, _ bytes: borrowing Span<UInt8>) -> GSV? {
    reader.skip(1, bytes)
    guard let number = reader.integer(bytes), let inView = reader.integer(bytes),
      (1...20).contains(number), inView < 200
    else { return nil }
    var signals = InlineArray<4, UInt8>(repeating: 0)
    for index in 0..<4 where !reader.isAtEnd {
      reader.skip(3, bytes)
      if reader.isAtEnd { break }
      let strength = reader.integer(bytes) ?? 0
      signals[index] = (0...99).contains(strength) ? UInt8(strength) : 0
    }
    return GSV(number: number, inView: inView, signals: signals)
  }
}
