// SPDX-License-Identifier: Apache-2.0

// Theory
// ======
//
// Half of all intervals are at most the median, and it is known only at the end. So they are counted by length: up to
// 120 s, where none is a gap, to a tenth of a second; above in 64 bins to an octave, whose sums are kept too. So equal
// intervals have their own length as the median, and different ones have one that is good to 1.6 %.
//
//     short   0, 0.1, 0.2 … 120 s
//     long    120, 121.9, 123.8 … 240, 243.8 … 32 years and more

/// The seconds between fixes, and the metres of the longer ones; memory is fixed (45 KB).
struct IntervalHistogram: Sendable {
  /// Bits of a number's fraction that are left out of its bin.
  private static let shift: UInt64 = 46

  private var short = [UInt32](repeating: 0, count: Int(10 * TraceSummary.leastGap) + 1)
  private var long = [Bin](repeating: Bin(), count: 23 * 64)

  private struct Bin {
    var count = 0
    var seconds = 0.0
    var metres = 0.0
    var mean: Double { seconds / Double(count) }

    /// The limit is a multiple of a mean: equal ones may differ by their rounding.
    func isAbove(_ limit: Double) -> Bool { count > 0 && mean > limit * (1 + 1e-12) }
  }

  /// Takes an interval, seconds, above 0, in which the device made so many metres.
  mutating func include(_ seconds: Double, metres: Double = 0) {
    guard seconds > TraceSummary.leastGap else { return short[Int((seconds * 10).rounded())] += 1 }
    // The leading bits, of which those of 1 are the first bin's.
    let place = ((seconds / TraceSummary.leastGap).bitPattern - (1.0).bitPattern) >> Self.shift
    let index = min(long.count - 1, Int(place))
    long[index].count += 1
    long[index].seconds += seconds
    long[index].metres += metres
  }

  /// Seconds; `nil` if there are no intervals.
  var median: Double? {
    var left = short.reduce(0) { $0 + Int($1) } + long.reduce(0) { $0 + $1.count }
    guard left > 0 else { return nil }
    left = (left + 1) / 2
    for (tenths, count) in short.enumerated() {
      left -= Int(count)
      if left <= 0 { return Double(tenths) / 10 }
    }
    for bin in long where bin.count > 0 {
      left -= bin.count
      if left <= 0 { return bin.mean }
    }
    return nil
  }

  /// The intervals above a limit of at least 120 s, and their sum; a bin counts as its mean.
  func above(_ limit: Double) -> (count: Int, seconds: Double) {
    long.reduce(into: (0, 0)) { sum, bin in
      guard bin.isAbove(limit) else { return }
      sum.0 += bin.count
      sum.1 += bin.seconds
    }
  }

  /// The metres of the intervals above 120 s that are not above such a limit.
  func metres(upTo limit: Double) -> Double {
    long.reduce(0) { $0 + ($1.isAbove(limit) ? 0 : $1.metres) }
  }
}
