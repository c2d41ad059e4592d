// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// The two letters of the talker, as one number (`GP` is 0x4750).
struct Talker: Hashable, Sendable {
  let code: UInt16

  static let none = Talker(code: 0)

  /// The receiver to which a talker belongs. One satellite receiver talks as `GN`, `GP`, `GL`, `GA`, `GB` in turn;
  /// others (`II`, `IN`, `SD`) are another device's words, usually a chart plotter's.
  var receiver: UInt16 {
    let isSatellite = code >> 8 == 0x47 || code == 0x4244 || code == 0x515A
    return isSatellite ? 0x4750 : code
  }

  /// Talkers that NMEA 0183 4.10 (2012) or later named: Galileo, BeiDou, QZSS, NavIC.
  var isModern: Bool {
    switch code {
    case 0x4741, 0x4742, 0x4244, 0x4751, 0x515A, 0x4749: true
    default: false
    }
  }

  /// `GN`, the common solution of several systems.
  var isCombined: Bool { code == 0x474E }
}

/// The first field of a sentence: `GPRMC`, `PGRME`, `AIVDM`.
struct SentenceAddress: Sendable {
  /// Up to 8 letters, packed; never 0.
  let packed: UInt64
  let talker: Talker
  /// The three letters behind the talker, packed; 0 for proprietary and encapsulated sentences.
  let name: UInt32

  /// The numbers of characters of an address.
  static var lengths: ClosedRange<Int> { 3...ByteWord.length }

  /// `nil` if the body does not begin with 3 to 8 capital letters or digits and a comma; `length` is the number of
  /// characters before the first one.
  init?(_ sentence: SentenceScanner.Sentence, length: Int, _ bytes: borrowing Span<UInt8>) {
    guard Self.lengths.contains(length) else { return nil }
    let start = sentence.body.lowerBound
    let head = ByteWord(bytes, from: start, to: start + length)
    guard head.isCapitalsAndDigits(length), bytes[start] > 57 else { return nil }
    packed = head.bits.byteSwapped >> UInt64(64 - 8 * length)
    guard length == 5, !sentence.isEncapsulated, bytes[start] != 80 else {
      talker = .none
      name = 0
      return
    }
    talker = Talker(code: UInt16(packed >> 24 & 0xFFFF))
    name = UInt32(packed & 0xFF_FFFF)
  }

  static func text(_ packed: UInt64) -> String {
    var text = ""
    for shift in stride(from: 56, through: 0, by: -8) {
      let byte = UInt8(packed >> UInt64(shift) & 0xFF)
      if byte != 0 { text.unicodeScalars.append(Unicode.Scalar(byte)) }
    }
    return text
  }
}

extension ByteWord {
  /// Whether the first `count` bytes are capital letters and digits, with zeros behind them.
  fileprivate func isCapitalsAndDigits(_ count: Int) -> Bool {
    let capitals = marks(below: 91) & ~marks(below: 65)
    let digits = marks(below: 58) & ~marks(below: 48)
    return (capitals | digits).nonzeroBitCount == count
  }
}
