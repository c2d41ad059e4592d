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
