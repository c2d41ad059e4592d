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
  mutating func begin(line: Range<Int>) {
    position = line.lowerBound
    end = line.upperBound
  }

  /// The sentence that is a whole line from `start` on, its end included: one that begins at `$`, with its right checksum
  /// in capitals and nothing behind that. `nil` for any other line; `position` is that behind its end.
  @inline(__always)
  mutating func wholeLine(_ bytes: borrowing Span<UInt8>, from start: Int) -> Sentence? {
    guard bytes[start] == 36 else { return nil }
    begin(line: start..<min(bytes.count, start &+ NMEADecoder.lineLimit))
    let (index, sum) = body(bytes, from: start &+ 1)
    guard index &+ 3 <= end, index <= bytes.count &- ByteWord.length else { return nil }
    let tail = ByteWord(bytes, at: index).bits
    let checksum = Self.checksum(sum)
    if tail & 0xFF_FFFF_FFFF == checksum | 0x0A_0D00_0000 {
      position = index &+ 5
    } else if tail & 0xFFFF_FFFF == checksum | 0x0A00_0000 {
      position = index &+ 4
    } else {
      return nil
    }
    return Sentence(body: (start &+ 1)..<index, computed: sum, stated: sum, isEncapsulated: false)
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
  @inline(__always)
  private mutating func body(
    _ bytes: borrowing Span<UInt8>, from start: Int
  ) -> (end: Int, sum: UInt8) {
    fields.begin(at: start)
    var sum = ByteBlock.none
    var marks: UInt64 = 0
    var shift: UInt64 = 0
    var index = start
    while index &+ ByteBlock.length <= end {
      let block = ByteBlock(bytes, at: index)
      let commas = block.marks(of: 44)
      // The ends are below the figures and letters; hardly anything else there but commas is not one of them.
      let others = block.marks(below: 45).without(commas)
      if !others.isEmpty {
        let first = Self.isEnd(bytes[index &+ others.place])
        let stop = first ? others : block.marks(of: 42, or: 36, or: 13, or: 10)
        if !stop.isEmpty {
          sum.formExclusiveOr(block.prefix(stop.place))
          fields.append(marks: marks | UInt64(commas.through(stop).bits) &<< shift)
          fields.end(at: index &+ stop.place)
          return (index &+ stop.place, sum.folded)
        }
      }
      sum.formExclusiveOr(block)
      marks |= UInt64(commas.bits) &<< shift
      index &+= ByteBlock.length
      shift &+= UInt64(ByteBlock.length)
      if shift == 64 {
        fields.append(marks: marks)
        (marks, shift) = (0, 0)
      }
    }
    return shortEnd(bytes, from: index, marks, shift, sum.folded)
  }

  /// The last bytes of a line, fewer than a block.
  private mutating func shortEnd(
    _ bytes: borrowing Span<UInt8>, from start: Int, _ marks: UInt64, _ shift: UInt64, _ sum: UInt8
  ) -> (end: Int, sum: UInt8) {
    var (marks, sum, index) = (marks, sum, start)
    while index < end, !Self.isEnd(bytes[index]) {
      if bytes[index] == 44 { marks |= 1 &<< (shift &+ UInt64(index &- start)) }
      sum ^= bytes[index]
      index &+= 1
    }
    fields.append(marks: marks | 1 &<< (shift &+ UInt64(index &- start)))
    fields.end(at: index)
    return (index, sum)
  }

  /// Whether a byte ends a body: `*`, `$`, CR, LF.
  @inline(__always)
  private static func isEnd(_ byte: UInt8) -> Bool {
    byte == 42 || byte == 36 || byte == 13 || byte == 10
  }

  /// `*` and the two digits of a checksum, the first byte the lowest.
  @inline(__always)
  private static func checksum(_ sum: UInt8) -> UInt64 {
    let digits = UInt64(sum >> 4) | UInt64(sum & 15) << 8
    // Ten and more reach the next four bits with six added, and are letters: seven places on.
    let letters = (digits &+ 0x0606) >> 4 & 0x0101
    return 42 | (digits &+ 0x3030 &+ letters &* 7) << 8
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
