// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// Finds the sentences of one line, whatever stands before, between and behind them: a logger's
/// timestamp, an NMEA 4 tag block, garbage, or the next sentence without a line's end.
///
/// A sentence begins at `$` or `!`. It ends behind its checksum (`*` and two hexadecimal digits),
/// before the next `$`, or at the line's end: that of the range, or a CR or LF.
struct SentenceScanner: Sendable {
  struct Sentence {
    /// Between `$` and `*`, both exclusive.
    var body: Range<Int>
    /// The exclusive or of the body's bytes.
    var computed: UInt8
    /// `nil` if the sentence has none.
    var stated: UInt8?
    var isEncapsulated: Bool
  }

  /// The fields of the last sentence found.
  var fields = FieldReader()
  /// The place behind the last sentence found.
  private(set) var position = 0
  private var end = 0

  /// Begins a line. One scanner serves all lines of a log: its table of fields is not made anew for each.
  mutating func begin(_ line: Range<Int>) {
    position = line.lowerBound
    end = line.upperBound
  }

  @inline(__always)
  mutating func next(_ bytes: borrowing Span<UInt8>) -> Sentence? {
    while position < end, bytes[position] != 36, bytes[position] != 33 { position += 1 }
    guard position < end else { return nil }
    let isEncapsulated = bytes[position] == 33
    let start = position + 1
    let (index, sum) = body(bytes, from: start)
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

  /// The end of a body that begins at `start`, and the exclusive or of its bytes; finds its fields.
  private mutating func body(
    _ bytes: borrowing Span<UInt8>, from start: Int
  ) -> (end: Int, sum: UInt8) {
    fields.begin(at: start)
    guard end >= ByteBlock.length else { return shortBody(bytes, from: start) }
    var sum = ByteBlock.none
    var index = start
    while index < end {
      // The last block of a line begins with bytes already looked at, or before the body.
      let base = min(index, end &- ByteBlock.length)
      var block = ByteBlock(bytes, at: base)
      if base < index { block = block.suffix(from: index &- base) }
      let stop = block.marks(of: 42, or: 36, or: 13, or: 10)
      let isLast = !stop.isEmpty
      if isLast { block = block.prefix(stop.place) }
      fields.append(block.marks(of: 44), at: base)
      sum.formExclusiveOr(block)
      index = base &+ (isLast ? stop.place : ByteBlock.length)
      if isLast { break }
    }
    fields.end(at: index)
    return (index, sum.folded)
  }

  /// The same in a line that is shorter than a block.
  private mutating func shortBody(
    _ bytes: borrowing Span<UInt8>, from start: Int
  ) -> (end: Int, sum: UInt8) {
    var sum: UInt8 = 0
    var index = start
    loop: while index < end {
      switch bytes[index] {
      case 42, 36, 13, 10: break loop
      case 44: fields.append(at: index)
      default: break
      }
      sum ^= bytes[index]
      index += 1
    }
    fields.end(at: index)
    return (index, sum)
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
