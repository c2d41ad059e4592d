// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel

// Theory
// ======
//
// Values are kept as they are up to `exactLimit`: with 300 s between crossings that is two weeks of
// continuous crossings, so quantiles are exact in practice. Beyond it they are counted in bins that
// grow by 1 % (the answer then is within 0.5 %), and memory stays at 32 KB.

/// Quantiles of values of 0 or more, in bounded memory.
package struct Distribution: Sendable, Equatable {
  /// The number of values kept exactly.
  package static let exactLimit = 4_096

  package private(set) var count = 0
  private var values: [Double] = []
  private var bins: [Int] = []

  /// The upper end of the first bin; smaller values share it.
  private static let least = 0.001
  private static let growth = 1.01
  /// Up to about 10⁷.
  private static let binCount = 2_320

  package init() {}

  /// Takes a value; a negative one counts as 0.
  package mutating func include(_ value: Double) {
    count += 1
    if bins.isEmpty && values.count < Self.exactLimit {
      values.append(max(0, value))
      return
    }
    spill()
    bins[Self.bin(of: value)] += 1
  }

  /// Takes a value `times` times.
  package mutating func include(_ value: Double, times: Int) {
    let exact = bins.isEmpty ? min(times, Self.exactLimit - values.count) : 0
    for _ in 0..<exact { include(value) }
    guard times > exact else { return }
    count += times - exact
    spill()
    bins[Self.bin(of: value)] += times - exact
  }

  package mutating func merge(_ other: Distribution) {
    if other.bins.isEmpty {
      for value in other.values { include(value) }
      return
    }
    spill()
    for index in bins.indices { bins[index] += other.bins[index] }
    count += other.count
  }

  /// The quantile for a probability of 0 to 1, interpolated between neighbours (the method of NumPy's and
  /// R's default, type 7); `nil` if there is no value.
  package func quantile(_ probability: Double) -> Double? {
    guard count > 0 else { return nil }
    let rank = min(1, max(0, probability)) * Double(count - 1)
    guard bins.isEmpty else { return binned(rank) }
    let sorted = values.sorted()
    let lower = Int(rank)
    let upper = min(lower + 1, sorted.count - 1)
    return sorted[lower] + (sorted[upper] - sorted[lower]) * (rank - Double(lower))
  }

  private func binned(_ rank: Double) -> Double {
    var seen = 0.0
    for index in bins.indices {
      seen += Double(bins[index])
      if seen > rank { return Self.middle(of: index) }
    }
    return Self.middle(of: bins.count - 1)
  }

  private mutating func spill() {
    guard bins.isEmpty else { return }
    bins = Array(repeating: 0, count: Self.binCount)
    for value in values { bins[Self.bin(of: value)] += 1 }
    values = []
  }

  private static func bin(of value: Double) -> Int {
    guard value > least else { return 0 }
    let place = logarithm(value / least) / logarithm(growth)
    return place >= Double(binCount - 1) ? binCount - 1 : Int(place) + 1
  }

  private static func middle(of bin: Int) -> Double {
    bin == 0 ? 0 : least * exponential((Double(bin) - 0.5) * logarithm(growth))
  }
}

extension Distribution {
  /// Bins in one of the sums [ours: a restored quantile is off by 6 % at most].
  private static let pooled = 11
  /// Values below 1 share one, as a receiver has a fix a second: restored they are a half. 0 stays 0.
  private static let small = bin(of: 0.99)

  private static let pools: [Range<Int>] =
    [0..<1, 1..<small + 1]
    + stride(from: small + 1, to: binCount, by: pooled).map { $0..<min($0 + pooled, binCount) }

  private static let poolOfBin = pools.indices.flatMap { pool in
    repeatElement(pool, count: pools[pool].count)
  }

  /// Restored, it is that of all worlds, and each pool is spread over its bins.
  mutating func walkSums(_ walk: inout SumWalk) {
    var pools = Array(repeating: 0.0, count: Self.pools.count)
    for value in values { pools[Self.poolOfBin[Self.bin(of: value)]] += 1 }
    for (bin, count) in bins.enumerated() where count > 0 {
      pools[Self.poolOfBin[bin]] += Double(count)
    }
    walk.histogram(&pools, unit: 1, .whole)
    self = Self()
    for (pool, count) in pools.enumerated() where count > 0 {
      let range = pool == 1 ? Self.bin(of: 0.5)..<Self.bin(of: 0.5) + 1 : Self.pools[pool]
      spill()
      // The first of few lies in the middle.
      var told = 0
      for (place, bin) in range.enumerated() {
        let upTo = (count * Double(place + 1) / Double(range.count) + 0.5).rounded(.down)
        bins[bin] += min(Int(upTo), Int(count)) - told
        told = min(Int(upTo), Int(count))
      }
      self.count += Int(count)
    }
  }
}
