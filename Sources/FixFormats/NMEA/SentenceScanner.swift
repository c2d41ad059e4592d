// SPDX-License-Identifier: Apache-2.0

internal import JSONText

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

  /// Where the commas of the sentence are that was found last.
  private(set) var commas = CommaTable()
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
      body: start..<index, computed: sum.folded, stated: stated, isEncapsulated: isEncapsulated)
  }

  /// Where a body ends that begins at `start`, and the exclusive or of its bytes; finds its commas.
  private mutating func body(
    _ bytes: borrowing Span<UInt8>, from start: Int
  ) -> (end: Int, sum: ByteWord) {
    commas.begin(at: start)
    var index = start
    var whole = ByteBlock.none
    while end - index >= ByteBlock.length {
      let block = ByteBlock(bytes, at: index)
      let stop = block.marks(of: 42, or: 36)
      let found = block.marks(of: 44)
      guard stop.isEmpty else {
        let place = stop.place
        let before = found.before(place)
        commas.append(before.low, at: index)
        commas.append(before.high, at: index &+ 8)
        var sum = whole.exclusiveOr(before: ByteBlock.length)
        sum.formExclusiveOr(block.exclusiveOr(before: place))
        return (index + place, sum)
      }
      commas.append(found.low, at: index)
      commas.append(found.high, at: index &+ 8)
      whole.formExclusiveOr(block)
      index &+= ByteBlock.length
    }
    var sum = whole.exclusiveOr(before: ByteBlock.length)
    while index < end {
      let word = ByteWord(bytes, from: index, to: end)
      let stop = word.marks(of: 42) | word.marks(of: 36)
      let part = word.prefix(min(ByteWord.place(of: stop), end - index))
      commas.append(part.marks(of: 44), at: index)
      sum.formExclusiveOr(part)
      index = min(index + ByteWord.place(of: stop), end)
      if stop != 0 { break }
    }
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

/// Where the commas of a sentence are: the first 48 of them.
///
/// A sentence of 82 characters has at most 76. One with more commas than are kept is read on byte by byte.
struct CommaTable {
  static let capacity = 48

  private var start = 0
  /// Behind `start`; a line is shorter than 65,536 bytes wherever this is looked at.
  private var places = InlineArray<48, UInt16>(repeating: 0)
  private(set) var count = 0

  /// Whether there may be more of them than are kept.
  var isFull: Bool { count == Self.capacity }

  subscript(index: Int) -> Int { start &+ Int(places[index]) }

  mutating func begin(at start: Int) { (self.start, count) = (start, 0) }

  /// Appends the places of marks in the eight bytes from `position` on.
  @inline(__always)
  mutating func append(_ marks: UInt64, at position: Int) {
    var rest = marks
    var index = count
    while rest != 0, index < Self.capacity {
      places[index] = UInt16(truncatingIfNeeded: position &- start &+ ByteWord.place(of: rest))
      index &+= 1
      rest &= rest &- 1
    }
    count = index
  }
}
