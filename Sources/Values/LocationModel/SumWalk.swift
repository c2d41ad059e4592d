// SPDX-License-Identifier: Apache-2.0

// Theory
// ======
//
// A type that can be summed up lists its summands once, in a function `walkSums` beside them. The same walk gathers
// them into `ExactSums` and restores them from there, so that both cannot differ:
//
//   value ──gathering──► ExactSums ──+=──► ExactSums ──restoring, divided by──► value
//
// The sum over many worlds is restored as the mean of one: `divisor` is their number. Energies have a divisor of their
// own, so that one world's energy can be restored with the mean of everything else. Histograms and the events that go
// with them stay those of all worlds: their quantiles are the same.

/// A walk over the summands of a value, which gathers or restores them.
package struct SumWalk: Sendable {
  /// What a summand is divided by when it is restored.
  package enum Share: Sendable { case whole, life, energy }

  /// A row of a table, by its key.
  package struct Row: Sendable {
    package let key: Int
    package var values: [Double]

    package init(key: Int, values: [Double]) { (self.key, self.values) = (key, values) }
  }

  package private(set) var sums: ExactSums
  private let isRestoring: Bool
  private var (place, greatest, table) = (0, 0, 0)
  private var (lives, energies) = (1.0, 1.0)

  /// A walk that gathers.
  package init() { (sums, isRestoring) = (ExactSums(), false) }

  /// A walk that restores from sums of the same shape.
  package init(restoring sums: ExactSums) { (self.sums, isRestoring) = (sums, true) }

  /// Divides what is restored from here on.
  package mutating func divide(by lives: Double, energiesBy energies: Double) {
    (self.lives, self.energies) = (lives, energies)
  }

  private static let unit = 1e6

  private func divisor(_ share: Share) -> Double {
    switch share {
    case .whole: 1
    case .life: lives
    case .energy: energies
    }
  }

  private static func whole(_ value: Double, _ unit: Double = SumWalk.unit) -> Int128 {
    let scaled = (value * unit).rounded()
    return scaled > 0 ? Int128(exactly: min(scaled, 1e21)) ?? 0 : 0
  }

  private mutating func next() -> Double {
    defer { place += 1 }
    return Double(sums.numbers[place])
  }

  /// A quantity of 0 or more.
  package mutating func quantity(_ value: inout Double, _ share: Share = .life) {
    number(&value, Self.unit, share)
  }

  /// A count of 0 or more, whose mean is not rounded.
  package mutating func events(_ value: inout Double, _ share: Share = .life) {
    number(&value, 1, share)
  }

  private mutating func number(_ value: inout Double, _ unit: Double, _ share: Share) {
    guard isRestoring else { return sums.appendNumber(Self.whole(value, unit)) }
    value = next() / unit / divisor(share)
  }

  /// A count of 0 or more; its mean is rounded.
  package mutating func count(_ value: inout Int, _ share: Share = .life) {
    guard isRestoring else { return sums.appendNumber(Int128(max(0, value))) }
    value = Int(min(next() / divisor(share), 0x1p52).rounded())
  }

  /// The greatest of all.
  package mutating func greatest(_ value: inout Double) {
    guard isRestoring else { return sums.appendGreatest(max(0, value)) }
    value = sums.greatest[greatest]
    greatest += 1
  }

  /// Whether it is true of all.
  package mutating func all(_ value: inout Bool) {
    var others = value ? 0 : 1
    count(&others, .whole)
    value = others == 0
  }

  /// Joules by world.
  package mutating func energies(_ worlds: inout [Double]) {
    histogram(&worlds, unit: Self.unit, .whole)
  }

  /// The bins of a histogram; `unit` parts of a weight of 1 are counted.
  package mutating func histogram(_ bins: inout [Double], unit: Double, _ share: Share) {
    guard isRestoring else {
      var table = ExactSums.Table(width: 1, limit: bins.count)
      for (bin, weight) in bins.enumerated() where weight > 0 {
        table.appendRow(bin, CollectionOfOne(Self.whole(weight, unit)))
      }
      return sums.appendTable(table)
    }
    let table = sums.tables[self.table]
    self.table += 1
    for (key, value) in zip(table.keys, table.values) {
      bins[key] = min(Double(value) / unit / divisor(share), 0x1p52)
    }
  }

  /// Rows of so many whole counts and then quantities, by ascending keys below `limit`.
  package mutating func rows(
    _ rows: inout [Row], counts: Int = 0, width: Int, limit: Int, _ share: Share
  ) {
    func unit(_ place: Int) -> Double { place < counts ? 1 : Self.unit }
    guard isRestoring else {
      var table = ExactSums.Table(width: width, limit: limit)
      for row in rows {
        table.appendRow(row.key, row.values.enumerated().map { Self.whole($1, unit($0)) })
      }
      return sums.appendTable(table)
    }
    let table = sums.tables[self.table]
    self.table += 1
    rows = table.keys.enumerated().map { index, key in
      Row(
        key: key,
        values: (0..<width).map {
          Double(table.values[index * width + $0]) / unit($0) / divisor(share)
        })
    }
  }
}
