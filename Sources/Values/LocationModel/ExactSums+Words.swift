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
// then its digits. The columns of a table are told each from its own.
//
// Rows are much alike. From the second on, a place is told from that of the row before: 1 if it is the same, else 0 and a
// number as above, after that one's length; and a table 1 if it is the same, else 0 and a table as above. Every value has
// one form, which alone is read.

extension ExactSums {
  /// The value as words of bits, the first bit the highest: the same for equal values.
  package var words: [UInt32] {
    var writer = Writer()
    writer.writeNumbers(
      numbers.map { UInt128($0) }, width: rows.numbers, second: secondNumber)
    // The last digits of most are 0, and stand first.
    writer.writeNumbers(
      greatest.map { UInt128($0.bitPattern.byteSwapped) }, width: rows.greatest,
      second: secondGreatest)
    for index in tables.indices {
      if index >= secondTable {
        let isSame = tables[index] == tables[index - rows.tables]
        writer.writeBits(isSame ? 1 : 0, 1)
        if isSame { continue }
      }
      writer.writeTable(tables[index])
    }
    return writer.finished
  }

  private var secondNumber: Int { rows.second(of: numbers.count, width: rows.numbers) }
  private var secondGreatest: Int { rows.second(of: greatest.count, width: rows.greatest) }
  private var secondTable: Int { rows.second(of: tables.count, width: rows.tables) }

  /// Reads what `words` wrote of a value of this shape; `nil` for anything else.
  package init?(_ words: [UInt32], shape: ExactSums) {
    self = shape
    guard read(words) else { return nil }
  }

  /// Becomes what `words` wrote of a value of this shape, in the memory that it has; `false` for anything else, and then
  /// nothing is of use but the shape.
  package mutating func read(_ words: consuming [UInt32]) -> Bool {
    var reader = Reader(words)
    var (length, second) = (0, secondNumber)
    for index in numbers.indices {
      let before = index < second ? nil : numbers[index - rows.numbers]
      let number = reader.number(like: before, after: &length)
      guard number <= Self.limit else { return false }
      numbers[index] = number
    }
    (length, second) = (0, secondGreatest)
    for index in greatest.indices {
      let before =
        index < second ? nil : Int128(greatest[index - rows.greatest].bitPattern.byteSwapped)
      let number = reader.number(like: before, after: &length)
      guard let bits = UInt64(exactly: number) else { return false }
      let value = Double(bitPattern: bits.byteSwapped)
      guard value >= 0, value.sign == .plus else { return false }
      greatest[index] = value
    }
    second = secondTable
    for index in tables.indices {
      let before = index < second ? nil : tables[index - rows.tables]
      guard reader.readTable(&tables[index], like: before) else { return false }
    }
    return reader.isAtEnd
  }

  private struct Writer {
    private var words: [UInt32] = []
    /// The bits of the next word, `held` of them, the lowest the last.
    private var bits: UInt64 = 0
    private var held = 0

    mutating func writeNumbers(_ numbers: [UInt128], width: Int, second: Int) {
      var length = 0
      for (index, number) in numbers.enumerated() {
        if index >= second {
          let before = numbers[index - width]
          writeBits(number == before ? 1 : 0, 1)
          if number == before { continue }
          length = UInt128.bitWidth - before.leadingZeroBitCount
        }
        writeNumber(number, after: &length)
      }
    }

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

    private mutating func writeNumber(_ number: UInt128, after length: inout Int) {
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
    mutating func writeBits(_ value: UInt64, _ count: Int) {
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
    /// Whether something was not as it is written; what is read from then on is of no use.
    private var isBroken = false

    init(_ words: consuming [UInt32]) {
      end = words.count * 32
      words += [0, 0, 0]
      self.words = words
    }

    /// Whether all was as it is written, and nothing is left but the zeros that fill the last word.
    var isAtEnd: Bool {
      !isBroken && end - place < 32 && (end == place || next(end - place) == 0)
    }

    /// The next bits, 1 to 64 of them, the last the lowest; zeros behind the end.
    @inline(__always)
    private func next(_ count: Int) -> UInt64 {
      let (word, shift) = (place >> 5, UInt64(place & 31))
      let high = UInt64(words[word]) << 32 | UInt64(words[word + 1])
      let low = (UInt64(words[word + 2]) &<< shift) >> 32
      return (high &<< shift | low) &>> UInt64(64 - count)
    }

    @inline(__always)
    private mutating func skip(_ count: Int) {
      place += count
      guard place > end else { return }
      (place, isBroken) = (end, true)
    }

    @inline(__always)
    private mutating func bits(_ count: Int) -> UInt64 {
      guard count > 0 else { return 0 }
      defer { skip(count) }
      return next(count)
    }

    @inline(__always)
    private mutating func gamma() -> Int {
      let seen = next(64)
      let others = seen.leadingZeroBitCount
      guard others < 32 else {
        isBroken = true
        return 0
      }
      skip(2 * others + 1)
      return Int((seen &<< UInt64(others)) &>> UInt64(63 - others)) - 1
    }

    /// The next number, which is told from `before` of the row before, if there is one.
    @inline(__always)
    mutating func number(like before: Int128?, after length: inout Int) -> Int128 {
      guard let before else { return number(after: &length) }
      if bits(1) == 1 { return before }
      length = Int128.bitWidth - before.leadingZeroBitCount
      let number = number(after: &length)
      if number == before { isBroken = true }
      return number
    }

    /// The next number.
    @inline(__always)
    private mutating func number(after length: inout Int) -> Int128 {
      let step = gamma()
      length += step & 1 == 0 ? step >> 1 : -(step >> 1) - 1
      if length > 1, length <= 64 {
        return Int128(1 &<< UInt64(length - 1) | bits(length - 1))
      }
      guard length > 1 else {
        if length < 0 { (length, isBroken) = (0, true) }
        return Int128(length)
      }
      return longNumber(length)
    }

    private mutating func longNumber(_ length: Int) -> Int128 {
      guard length <= 96 else {
        isBroken = true
        return 0
      }
      let high = bits(length - 65)
      let low = bits(64)
      return Int128(1) << Int128(length - 1) | Int128(high) << 64 | Int128(low)
    }

    /// Whether a table could be read, which is told from that of the row before, if there is one.
    mutating func readTable(_ table: inout Table, like before: Table?) -> Bool {
      table.keys.removeAll(keepingCapacity: true)
      table.values.removeAll(keepingCapacity: true)
      if let before, bits(1) == 1 {
        table.keys += before.keys
        table.values += before.values
        return true
      }
      let runs = gamma()
      guard runs <= table.limit else { return false }
      var lengths = Array(repeating: 0, count: table.width)
      var free = 0
      for run in 0..<runs {
        let (gap, length) = (gamma(), gamma())
        guard gap > 0 || run == 0, length > 0, free + gap + length <= table.limit else {
          return false
        }
        for key in free + gap..<free + gap + length {
          table.keys.append(key)
          var greatest: Int128 = 0
          for column in lengths.indices {
            let value = number(after: &lengths[column])
            table.values.append(value)
            greatest = max(greatest, value)
          }
          // A row of zeros is not written.
          guard greatest > 0, greatest <= ExactSums.limit, !isBroken else { return false }
        }
        free += gap + length
      }
      return !isBroken && before != table
    }
  }
}
