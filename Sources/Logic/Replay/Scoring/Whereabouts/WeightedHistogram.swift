// SPDX-License-Identifier: Apache-2.0

import LocationModel

// Theory
// ======
//
// A number's bin is its leading bits: the exponent and six of the fraction, so 64 bins to an octave. Finding it is a
// shift, a bin is 1.6 % wide at most, and memory is always 16 KB.

/// The seconds, or metres of way, for which something had each value of 0 or more.
package struct WeightedHistogram: Sendable, Equatable {
  private var sums = Sums()
  private var bins: [Double] = []

  private struct Sums: Sendable, Equatable {
    var weight = 0.0
    var greatest: Double?

    @inline(__always)
    mutating func include(_ value: Double, for span: Double) {
      weight += span
      if value > greatest ?? -1 { greatest = max(0, value) }
    }
  }

  /// Bits of a number's fraction that are left out.
  private static let shift: UInt64 = 46
  /// Smaller values, 2⁻⁷, share the first bin; greater ones than 2²⁵ the last.
  private static let first = (0.007_812_5).bitPattern >> shift
  private static let count = 32 * 64

  package init() {}

  /// The weight of all values.
  package var weight: Double { sums.weight }
  /// The greatest value; `nil` if there is none.
  package var greatest: Double? { sums.greatest }

  /// Takes a value that held for `span`, its weight.
  @inline(__always)
  package mutating func include(_ value: Double, for span: Double) {
    guard span > 0 else { return }
    if bins.isEmpty { bins = Array(repeating: 0, count: Self.count) }
    sums.include(value, for: span)
    bins[Self.bin(of: value)] += span
  }

  /// Whether values between these two make no difference beside the greatest one: they share a bin, and none would be
  /// the greatest.
  static func holdAsOne(_ low: Double, _ high: Double, below greatest: Double?) -> Bool {
    guard let greatest, high <= greatest else { return false }
    return bin(of: low) == bin(of: high)
  }

  package static func += (a: inout Self, b: Self) {
    guard let greatest = b.greatest else { return }
    a.sums.greatest = max(a.greatest ?? 0, greatest)
    a.sums.weight += b.weight
    if a.bins.isEmpty {
      a.bins = b.bins
    } else {
      for index in a.bins.indices { a.bins[index] += b.bins[index] }
    }
  }

  /// The value not exceeded for this share of the weight, 0 to 1, good to 0.8 %; `nil` if there is none.
  package func quantile(_ share: Double) -> Double? {
    guard let greatest else { return nil }
    var left = share * weight
    for (index, span) in bins.enumerated() {
      left -= span
      if left < 0 { return min(greatest, Self.middle(of: index)) }
    }
    return greatest
  }

  private static func bin(of value: Double) -> Int {
    let bits = value.bitPattern >> shift
    return value > 0 && bits > first ? min(count - 1, Int(bits - first)) : 0
  }

  private static func middle(of bin: Int) -> Double {
    guard bin > 0 else { return 0 }
    let low = Double(bitPattern: (first + UInt64(bin)) << shift)
    let high = Double(bitPattern: (first + UInt64(bin) + 1) << shift)
    return (low + high) / 2
  }
}

extension WeightedHistogram {
  /// Nine octaves above the first bin: smaller values than 4 are not told apart.
  private static let small = 9 * 64
  /// Twenty-three octaves above it: of greater values than 65,536 only octaves are told apart.
  private static let great = 23 * 64
  /// Where eighths of an octave begin, 64 (2^(k/8) - 1): so a pool is 10 % wide at most [ours: a restored quantile is off
  /// by 5 % at most, mostly by less than 1 %].
  private static let eighths = [0, 6, 12, 19, 27, 35, 44, 53, 64]

  /// Whole metres are counted, or seconds.
  private static let pools: [Range<Int>] =
    [small - 64..<small]
    + stride(from: small, to: great, by: 64).flatMap { octave in
      zip(eighths, eighths.dropFirst()).map { octave + $0..<octave + $1 }
    }
    + stride(from: great, to: count, by: 64).map { $0..<$0 + 64 }

  private static let poolOfBin: [Int] = {
    var places = Array(repeating: 0, count: count)
    for (pool, bins) in pools.enumerated() { for bin in bins { places[bin] = pool } }
    return places
  }()

  /// Restored, its shares are those of all worlds together, and each pool is spread over its bins.
  mutating func walkSums(_ walk: inout SumWalk) {
    var pools = Array(repeating: 0.0, count: Self.pools.count)
    for (bin, span) in bins.enumerated() where span > 0 { pools[Self.poolOfBin[bin]] += span }
    var most = greatest ?? 0
    walk.histogram(&pools, unit: 1, .life)
    walk.greatest(&most)
    self = Self()
    for (pool, span) in pools.enumerated() where span > 0 {
      let bins = Self.pools[pool]
      for bin in bins { include(Self.middle(of: bin), for: span / Double(bins.count)) }
    }
    if sums.greatest != nil { sums.greatest = most }
  }
}
