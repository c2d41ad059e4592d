// SPDX-License-Identifier: Apache-2.0

/// Finds the sentences of one line, whatever stands before, between and behind them: a logger's
/// timestamp, an NMEA 4 tag block, garbage, or the next sentence without a line's end.
///
/// A sentence begins at `$` or `!`. It ends behind its checksum (`*` and two hexadecimal digits),
/// before the next `$`, or at the line's end.
struct SentenceScanner {
  struct Sentence {
    /// Between `$` and `*`, both exclusive.
    var body: Range<Int>
    /// The exclusive or of the body's bytes.
    var computed: UInt8
    /// `nil` where the sentence has none.
    var stated: UInt8?
    var isEncapsulated: Bool
  }

  private var position: Int
  private let end: Int

  init(_ line: Range<Int>) {
    position = line.lowerBound
    end = line.upperBound
  }

  mutating func next(_ bytes: borrowing Span<UInt8>) -> Sentence? {
    while position < end, bytes[position] != 36, bytes[position] != 33 { position += 1 }
    guard position < end else { return nil }
    let isEncapsulated = bytes[position] == 33
    let start = position + 1
    var index = start
    var sum: UInt8 = 0
    while index < end {
      let byte = bytes[index]
      if byte == 42 || byte == 36 { break }
      sum ^= byte
      index += 1
    }
    position = index
    var stated: UInt8?
    if index + 2 < end, bytes[index] == 42, let high = Self.hexadecimal(bytes[index + 1]),
      let low = Self.hexadecimal(bytes[index + 2])
    {
      stated = high << 4 | low
      position = index + 3
    }
    return Sentence(
      body: start..<index, computed: sum, stated: stated, isEncapsulated: isEncapsulated)
  }

  /// The value of a hexadecimal digit in either case.
  static func hexadecimal(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 48...57: byte - 48
    case 65...70: byte - 55
    case 97...102: byte - 87
    default: nil
    }
  }
}
