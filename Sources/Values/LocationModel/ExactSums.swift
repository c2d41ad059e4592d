// SPDX-License-Identifier: Apache-2.0

// Theory
// ======
//
// The sum of floating-point numbers depends on their order; that of whole numbers does not. Each part is rounded once, to
// millionths (of a second, a metre, a joule), and from then on everything is whole: so parts may be added in any order
// and by any tree of adders, and give the same value and the same words (`ExactSums+Words`).
//
//   numbers    add up             seconds, joules, counts
//   greatest   the greater one    the longest wait
//   tables     row by row         histograms; energies by state; a row of zeros is not there
//
// What the places mean is known to the walk alone that fills them (`SumWalk`); two values of one shape can be added.
// A value may end with rows of the same places each, which are written after each other (`ExactSums+Words`).

/// Sums that are the same in whatever order they are added up: associative, commutative, and equal as bytes.
package struct ExactSums: Sendable, Equatable {
  /// Rows of whole numbers by key.
  package struct Table: Sendable, Equatable {
    /// Numbers in a row.
    package let width: Int
    /// Keys are less.
    package let limit: Int
    /// Ascending.
    package internal(set) var keys: [Int] = []
    /// Row after row.
    package internal(set) var values: [Int128] = []

    package init(width: Int, limit: Int) { (self.width, self.limit) = (width, limit) }

    /// Appends a row, unless it is all zeros; keys ascend.
    mutating func appendRow(_ key: Int, _ row: some Collection<Int128>) {
      guard row.contains(where: { $0 != 0 }) else { return }
      keys.append(key)
      values += row
    }

    package static func += (a: inout Self, b: Self) {
      precondition(a.width == b.width && a.limit == b.limit, "tables of different shapes")
      if a.keys == b.keys {
        for index in a.values.indices { a.values[index] += b.values[index] }
        return
      }
      // In place: after some lines of many, `a` has every key.
      var (place, next) = (0, 0)
      for key in b.keys {
        while place < a.keys.count, a.keys[place] < key { place += 1 }
        if place == a.keys.count || a.keys[place] != key {
          a.keys.insert(key, at: place)
          a.values.insert(contentsOf: repeatElement(0, count: a.width), at: place * a.width)
        }
        for column in place * a.width..<(place + 1) * a.width {
          a.values[column] += b.values[next]
          next += 1
        }
        place += 1
      }
    }
  }

  /// How many rows there are at the end, and how many places each has.
  struct Rows: Sendable, Equatable {
    fileprivate(set) var count = 0
    fileprivate(set) var (numbers, greatest, tables) = (0, 0, 0)

    /// Where the second row begins among `count` places, of which each row has `width`.
    func second(of count: Int, width: Int) -> Int { count - max(0, self.count - 1) * width }
  }

  package internal(set) var numbers: [Int128] = []
  /// 0 or more each; may be infinite.
  package internal(set) var greatest: [Double] = []
  package internal(set) var tables: [Table] = []
  private(set) var rows = Rows()

  package init() {}

  /// The greatest number that is read: 10¹⁵ in millionths.
  static let limit = Int128(1_000_000_000_000_000) * 1_000_000

  /// Adds another value of the same shape.
  package static func += (a: inout Self, b: Self) {
    precondition(
      a.numbers.count == b.numbers.count && a.greatest.count == b.greatest.count
        && a.tables.count == b.tables.count && a.rows == b.rows, "sums of different shapes")
    for index in a.numbers.indices { a.numbers[index] += b.numbers[index] }
    for index in a.greatest.indices {
      a.greatest[index] = max(a.greatest[index], b.greatest[index])
    }
    for index in a.tables.indices { a.tables[index] += b.tables[index] }
  }

  mutating func appendNumber(_ number: Int128) { numbers.append(number) }
  mutating func appendGreatest(_ value: Double) { greatest.append(value) }
  mutating func appendTable(_ table: Table) { tables.append(table) }

  /// Appends a row: all places of another value, as many as the row before has.
  package mutating func appendRow(_ other: Self) {
    var row = Rows()
    row.count = rows.count + 1
    (row.numbers, row.greatest) = (other.numbers.count, other.greatest.count)
    row.tables = other.tables.count
    rows.count += 1
    precondition(rows.count == 1 || rows == row, "rows of different shapes")
    rows = row
    numbers += other.numbers
    greatest += other.greatest
    tables += other.tables
  }
}
