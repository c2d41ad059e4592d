// SPDX-License-Identifier: Apache-2.0

// Theory
// ======
//
// Sums grow with what is added up, but neighbours stay about as long as each other: so a number is told by how much longer
// or shorter it is than the one before it, and by its digits behind the first, which is 1.
//
//   5 after 4:   101 after 100    as long       1       01     3 bits
//   9 after 4:   1001 after 100   a digit more  011     001    6 bits
//
// The change of length c is 2c or -2c - 1, plus 1, in Elias' gamma code: as many zeros as it has digits behind the first,
// then its digits. The columns of a table are told each from its own. Every value has one form, which alone is read.

extension ExactSums {
  /// The value as words of bits, the first bit the highest: the same for equal values.
  package var words: [UInt32] {
    var writer = Writer()
    var length = 0
    for number in numbers { writer.writeNumber(UInt128(number), after: &length) }
    // The last digits of most are 0, and stand first.
    for value in greatest {
      writer.writeNumber(UInt128(value.bitPattern.byteSwapped), after: &length)
    }
    for table in tables { writer.writeTable(table) }
    return writer.finished
  }

  /// Reads what `words` wrote of a value of this shape; `nil` for anything else.
  package init?(_ words: [UInt32], shape: ExactSums) {
    self.init()
    var reader = Reader(words)
    var length = 0
    for _ in shape.numbers.indices {
      guard let number = reader.number(after: &length, atMost: Self.limit) else { return nil }
      appendNumber(number)
    }
    for _ in shape.greatest.indices {
      guard let bits = reader.number(after: &length, atMost: Int128(UInt64.max)) else { return nil }
      let value = Double(bitPattern: UInt64(bits).byteSwapped)
      guard value >= 0, value.sign == .plus else { return nil }
      appendGreatest(value)
    }
    for table in shape.tables {
      guard let read = reader.table(like: table) else { return nil }
      appendTable(read)
    }
    guard reader.isAtEnd else { return nil }
  }

  private struct Writer {
    private var words: [UInt32] = []
    /// The bits of the next word, `held` of them, the lowest the last.
    private var bits: UInt64 = 0
    private var held = 0

    /// Runs of neighbouring keys: how many, and of each how far it is, how long, and its rows.
    mutating func writeTable(_ table: Table) {
      let begins = table.keys.indices.filter {
        $0 == 0 || table.keys[$0] != table.keys[$0 - 1] + 1
      }
      writeGamma(begins.count)
      var lengths = Array(repeating: 0, count: table.width)
      var next = 0
      for (begin, end) in zip(begins, begins.dropFirst() + [table.keys.count]) {
        writeGamma(table.keys[begin] - next)
        writeGamma(end - begin)
        next = table.keys[begin] + end - begin
        for place in begin * table.width..<end * table.width {
          writeNumber(UInt128(table.values[place]), after: &lengths[place % table.width])
        }
      }
    }

    mutating func writeNumber(_ number: UInt128, after length: inout Int) {
      let own = UInt128.bitWidth - number.leadingZeroBitCount
      let change = own - length
      writeGamma(change < 0 ? -2 * change - 1 : 2 * change)
      // Without the first digit.
      if own > 33 { writeBits(UInt64(truncatingIfNeeded: number >> 64), max(0, own - 65)) }
      if own > 33 { writeBits(UInt64(truncatingIfNeeded: number >> 32), min(32, own - 33)) }
      writeBits(UInt64(truncatingIfNeeded: number), min(32, max(0, own - 1)))
      length = own
    }

    /// A number of 0 or more, below 2³¹.
    private mutating func writeGamma(_ number: Int) {
      let digits = UInt64(number) + 1
      let others = UInt64.bitWidth - 1 - digits.leadingZeroBitCount
      writeBits(0, others)
      writeBits(digits, others + 1)
    }

    /// The lowest `count` bits, of which there are 32 at most.
    private mutating func writeBits(_ value: UInt64, _ count: Int) {
      bits = (bits << UInt64(count)) | (value & ((1 << UInt64(count)) - 1))
      held += count
      guard held >= 32 else { return }
      held -= 32
      words.append(UInt32(truncatingIfNeeded: bits >> UInt64(held)))
    }

    var finished: [UInt32] {
      held == 0 ? words : words + [UInt32(truncatingIfNeeded: bits << UInt64(32 - held))]
    }
  }

  private struct Reader {
    /// With zeros behind them, for the last look.
    private let words: [UInt32]
    private let end: Int
    private var place = 0

    init(_ words: [UInt32]) {
      end = words.count * 32
      self.words = words + [0, 0, 0]
    }

    /// Whether nothing is left but the zeros that fill the last word.
    var isAtEnd: Bool { end - place < 32 && (end == place || next(end - place) == 0) }

    /// The next bits, 1 to 64 of them, the last the lowest; zeros behind the end.
    @inline(__always)
    private func next(_ count: Int) -> UInt64 {
      let (word, shift) = (place >> 5, UInt64(place & 31))
      let high = UInt64(words[word]) << 32 | UInt64(words[word + 1])
      let low = (UInt64(words[word + 2]) << shift) >> 32
      return (high << shift | low) >> UInt64(64 - count)
    }

    @inline(__always)
    private mutating func bits(_ count: Int) -> UInt64? {
      guard count > 0 else { return 0 }
      guard place + count <= end else { return nil }
      defer { place += count }
      return next(count)
    }

    @inline(__always)
    private mutating func gamma() -> Int? {
      let seen = next(64)
      let others = seen.leadingZeroBitCount
      guard others < 32, place + 2 * others + 1 <= end else { return nil }
      place += 2 * others + 1
      return Int((seen << UInt64(others)) >> UInt64(63 - others)) - 1
    }

    /// The next number; `nil` at the end or above the limit.
    mutating func number(after length: inout Int, atMost limit: Int128) -> Int128? {
      guard let step = gamma() else { return nil }
      length += step & 1 == 0 ? step >> 1 : -(step >> 1) - 1
      guard length > 1 else { return length < 0 ? nil : Int128(length) }
      guard length <= 96, let high = bits(max(0, length - 65)),
        let low = bits(min(64, length - 1))
      else { return nil }
      let first = UInt128(1) << UInt128(length - 1)
      let number = first | UInt128(high) << 64 | UInt128(low)
      return number <= UInt128(limit) ? Int128(number) : nil
    }

    mutating func table(like shape: Table) -> Table? {
      guard let runs = gamma(), runs <= shape.limit else { return nil }
      var table = Table(width: shape.width, limit: shape.limit)
      var lengths = Array(repeating: 0, count: shape.width)
      var free = 0
      for run in 0..<runs {
        guard let gap = gamma(), gap > 0 || run == 0, let length = gamma(), length > 0,
          free + gap + length <= shape.limit
        else { return nil }
        for key in free + gap..<free + gap + length {
          table.keys.append(key)
          var isZero = true
          for column in lengths.indices {
            guard let value = number(after: &lengths[column], atMost: ExactSums.limit) else {
              return nil
            }
            table.values.append(value)
            isZero = isZero && value == 0
          }
          // Such a row is not written.
          guard !isZero else { return nil }
        }
        free += gap + length
      }
      return table
    }
  }
}
