// SPDX-License-Identifier: Apache-2.0

// Theory
// ======
//
// The sum of floating-point numbers depends on their order; that of whole numbers does not. Each part is rounded once, to
// millionths (of a second, a metre, a joule), and from then on everything is whole: so parts may be added in any order
// and by any tree of adders, and give the same value and the same bytes.
//
//   numbers    add up             seconds, joules, counts
//   greatest   the greater one    the longest wait
//   tables     row by row         histograms; energies by state; a row of zeros is not there
//
// What the places mean is known to the walk alone that fills them (`SumWalk`); two values of one shape can be added.

/// Sums that are the same in whatever order they are added up: associative, commutative, and equal as bytes.
package struct ExactSums: Sendable, Equatable {
  /// Rows of whole numbers by key.
  package struct Table: Sendable, Equatable {
    /// Numbers in a row.
    package let width: Int
    /// Keys are less.
    package let limit: Int
    /// Ascending.
    package fileprivate(set) var keys: [Int] = []
    /// Row after row.
    package fileprivate(set) var values: [Int128] = []

    package init(width: Int, limit: Int) { (self.width, self.limit) = (width, limit) }

    /// Appends a row; keys ascend.
    mutating func appendRow(_ key: Int, _ row: some Sequence<Int128>) {
      keys.append(key)
      values += row
      guard values.suffix(width).allSatisfy({ $0 == 0 }) else { return }
      keys.removeLast()
      values.removeLast(width)
    }

    package static func += (a: inout Self, b: Self) {
      if a.keys == b.keys {
        for index in a.values.indices { a.values[index] += b.values[index] }
        return
      }
      var sum = Self(width: a.width, limit: a.limit)
      var (i, j) = (0, 0)
      while i < a.keys.count || j < b.keys.count {
        let isOfA = i < a.keys.count && (j == b.keys.count || a.keys[i] <= b.keys[j])
        let isOfB = j < b.keys.count && (i == a.keys.count || b.keys[j] <= a.keys[i])
        sum.keys.append(isOfA ? a.keys[i] : b.keys[j])
        for place in 0..<a.width {
          sum.values.append(
            (isOfA ? a.values[i * a.width + place] : 0)
              + (isOfB ? b.values[j * b.width + place] : 0))
        }
        if isOfA { i += 1 }
        if isOfB { j += 1 }
      }
      a = sum
    }
  }

  package private(set) var numbers: [Int128] = []
  /// 0 or more each; may be infinite.
  package private(set) var greatest: [Double] = []
  package private(set) var tables: [Table] = []

  package init() {}

  /// The greatest number that is read: 10¹⁵ in millionths.
  static let limit = Int128(1_000_000_000_000_000) * 1_000_000

  /// Whether another value has the same places, so that both can be added.
  package func hasShape(of other: Self) -> Bool {
    numbers.count == other.numbers.count && greatest.count == other.greatest.count
      && tables.elementsEqual(other.tables) { $0.width == $1.width && $0.limit == $1.limit }
  }

  /// Adds another value of the same shape.
  package static func += (a: inout Self, b: Self) {
    precondition(a.hasShape(of: b), "sums of different shapes")
    for index in a.numbers.indices { a.numbers[index] += b.numbers[index] }
    for index in a.greatest.indices {
      a.greatest[index] = max(a.greatest[index], b.greatest[index])
    }
    for index in a.tables.indices { a.tables[index] += b.tables[index] }
  }

  mutating func appendNumber(_ number: Int128) { numbers.append(number) }
  mutating func appendGreatest(_ value: Double) { greatest.append(value) }
  mutating func appendTable(_ table: Table) { tables.append(table) }

  /// Appends all places of another value.
  package mutating func append(_ other: Self) {
    numbers += other.numbers
    greatest += other.greatest
    tables += other.tables
  }
}

extension ExactSums {
  /// The value as bytes, the same for equal values: whole numbers of seven bits a byte, the least first (LEB128).
  package var bytes: [UInt8] {
    var writer = Writer()
    for number in numbers { writer.write(number: UInt128(number)) }
    // The last bytes of most are 0, and stand first.
    for value in greatest { writer.write(number: UInt128(value.bitPattern.byteSwapped)) }
    for table in tables { writer.writeTable(table) }
    return writer.bytes
  }

  /// Reads what `bytes` wrote of a value of this shape; `nil` for anything else.
  package init?(_ bytes: [UInt8], shape: ExactSums) {
    var reader = Reader(bytes)
    numbers.reserveCapacity(shape.numbers.count)
    for _ in shape.numbers.indices {
      guard let number = reader.next(atMost: Self.limit) else { return nil }
      numbers.append(number)
    }
    for _ in shape.greatest.indices {
      guard let bits = reader.next(atMost: Int128(UInt64.max)) else { return nil }
      let value = Double(bitPattern: UInt64(bits).byteSwapped)
      guard value >= 0, value.sign == .plus else { return nil }
      greatest.append(value)
    }
    for table in shape.tables {
      guard let read = reader.table(like: table) else { return nil }
      tables.append(read)
    }
    guard reader.isAtEnd else { return nil }
  }

  private struct Writer {
    var bytes: [UInt8] = []

    /// Runs of neighbouring keys: how many, and of each how far it is, how long, and its rows.
    mutating func writeTable(_ table: Table) {
      let begins = table.keys.indices.filter {
        $0 == 0 || table.keys[$0] != table.keys[$0 - 1] + 1
      }
      write(number: UInt128(begins.count))
      var next = 0
      for (begin, end) in zip(begins, begins.dropFirst() + [table.keys.count]) {
        write(number: UInt128(table.keys[begin] - next))
        write(number: UInt128(end - begin))
        next = table.keys[begin] + end - begin
        for value in table.values[begin * table.width..<end * table.width] {
          write(number: UInt128(value))
        }
      }
    }

    mutating func write(number: UInt128) {
      var rest = number
      while rest >= 0x80 {
        bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
        rest >>= 7
      }
      bytes.append(UInt8(rest))
    }
  }

  private struct Reader {
    private let bytes: [UInt8]
    private var place = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { place == bytes.count }

    /// The next number; `nil` at the end, above the limit, or if a shorter form exists.
    mutating func next(atMost limit: Int128) -> Int128? {
      var low: UInt64 = 0
      var shift: UInt64 = 0
      while place < bytes.count, shift < 56 {
        let byte = bytes[place]
        place += 1
        low |= UInt64(byte & 0x7F) << shift
        shift += 7
        if byte < 0x80 {
          return (byte > 0 || shift == 7) && Int128(low) <= limit ? Int128(low) : nil
        }
      }
      return nextLong(UInt128(low), from: shift, limit)
    }

    private mutating func nextLong(_ low: UInt128, from begin: UInt64, _ limit: Int128) -> Int128? {
      var (number, shift) = (low, begin)
      while place < bytes.count, shift <= 112 {
        let byte = bytes[place]
        place += 1
        number |= UInt128(byte & 0x7F) << UInt128(shift)
        shift += 7
        if byte < 0x80 { return byte > 0 && number <= UInt128(limit) ? Int128(number) : nil }
      }
      return nil
    }

    mutating func table(like shape: Table) -> Table? {
      guard let runs = next(atMost: Int128(shape.limit)) else { return nil }
      var table = Table(width: shape.width, limit: shape.limit)
      var free = 0
      for run in 0..<Int(runs) {
        guard let gap = next(atMost: Int128(shape.limit)), gap > 0 || run == 0,
          let length = next(atMost: Int128(shape.limit)), length > 0,
          free + Int(gap) + Int(length) <= shape.limit
        else { return nil }
        for key in free + Int(gap)..<free + Int(gap) + Int(length) {
          guard readRow(key, into: &table) else { return nil }
        }
        free += Int(gap) + Int(length)
      }
      return table
    }

    private mutating func readRow(_ key: Int, into table: inout Table) -> Bool {
      var isZero = true
      for _ in 0..<table.width {
        guard let value = next(atMost: ExactSums.limit) else { return false }
        if value != 0 { isZero = false }
        table.values.append(value)
      }
      table.keys.append(key)
      return !isZero
    }
  }
}
