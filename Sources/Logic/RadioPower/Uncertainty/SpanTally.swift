// SPDX-License-Identifier: Apache-2.0

import LocationModel

/// A histogram of durations, of bounded size, with the exact sum of each bin.
///
/// Bins are quarter octaves (1.00–1.25–1.50–1.75–2.00 times a power of two, in microseconds), so a
/// piecewise linear function of a span is off only in the one bin that holds its kink, and there by
/// less than a tenth of that bin.
struct SpanTally: Sendable, Equatable {
  struct Bin: Sendable, Equatable {
    let key: UInt8
    var count: Double
    /// Microseconds, all together.
    var sum: Double
  }

  /// In the order of their keys; at most 256.
  private(set) var bins: [Bin] = []

  /// Adds a span of `span` microseconds.
  mutating func add(span: Int64) {
    add(bin: Bin(key: Self.key(of: span), count: 1, sum: Double(span)))
  }

  /// Sums tell spans apart by octaves only, so that they stay few; the mean of a bin is exact.
  mutating func walkSums(_ walk: inout SumWalk) {
    var coarse = Self()
    for bin in bins { coarse.add(bin: Bin(key: bin.key & ~3, count: bin.count, sum: bin.sum)) }
    var rows = coarse.bins.map {
      SumWalk.Row(key: Int($0.key >> 2), values: [$0.count, $0.sum * 1e-6])
    }
    walk.rows(&rows, counts: 1, width: 2, limit: 64, .energy)
    bins = rows.map { Bin(key: UInt8($0.key) << 2, count: $0.values[0], sum: $0.values[1] * 1e6) }
  }

  private mutating func add(bin: Bin) {
    let place = bins.firstIndex { $0.key >= bin.key } ?? bins.endIndex
    if place < bins.endIndex, bins[place].key == bin.key {
      bins[place].count += bin.count
      bins[place].sum += bin.sum
    } else {
      bins.insert(bin, at: place)
    }
  }

  /// The bin of a span in microseconds, 0 to 251; it grows with the span.
  static func key(of span: Int64) -> UInt8 {
    guard span >= 4 else { return UInt8(max(0, span)) }
    let octave = 63 - span.leadingZeroBitCount
    let quarter = Int(span >> Int64(octave - 2)) & 3
    return UInt8(4 * octave + quarter - 4)
  }
}
