// SPDX-License-Identifier: Apache-2.0

import LocationModel

/// A histogram of durations by kind, of bounded size, with the exact sum of each bin.
///
/// Bins are quarter octaves (1.00–1.25–1.50–1.75–2.00 times a power of two, in microseconds), so a
/// piecewise linear function of a span is off only in the one bin that holds its kink, and there by
/// less than a tenth of that bin.
struct SpanTally: Sendable, Equatable {
  struct Bin: Sendable, Equatable {
    /// The kind, and the quarter octave in the last eight bits.
    let key: Int
    var count = 1.0
    /// What happened in front of the spans.
    var events = 0.0
    /// Seconds, all together.
    var sum: Double

    var kind: Int { key >> 8 }
  }

  /// In the order of their keys; at most 256 of a kind.
  private(set) var bins: [Bin] = []

  /// Adds a span of `span` microseconds.
  mutating func add(span: Int64, kind: Int = 0, events: Double = 0) {
    add(
      bin: Bin(
        key: kind << 8 | Int(Self.key(of: span)), events: events, sum: Double(span) * 1e-6))
  }

  /// Seconds of all spans, of each at most so many.
  func total(atMost limit: Double) -> Double {
    bins.reduce(0) { $0 + min(limit * $1.count, $1.sum) }
  }

  /// Sums tell spans apart by octaves only, so that they stay few; the mean of a bin is exact.
  mutating func walkSums(_ walk: inout SumWalk, kinds: Int) {
    var coarse = Self()
    for bin in bins {
      coarse.add(
        bin: Bin(key: bin.key & ~3, count: bin.count, events: bin.events, sum: bin.sum))
    }
    var rows = coarse.bins.map {
      SumWalk.Row(key: $0.key >> 2, values: [$0.count, $0.events, $0.sum])
    }
    walk.rows(&rows, counts: 2, width: 3, limit: kinds << 6, .energy)
    bins = rows.map {
      Bin(key: $0.key << 2, count: $0.values[0], events: $0.values[1], sum: $0.values[2])
    }
  }

  private mutating func add(bin: Bin) {
    let place = bins.firstIndex { $0.key >= bin.key } ?? bins.endIndex
    if place < bins.endIndex, bins[place].key == bin.key {
      bins[place].count += bin.count
      bins[place].events += bin.events
      bins[place].sum += bin.sum
    } else {
      bins.insert(bin, at: place)
    }
  }

  /// The quarter octave of a span in microseconds, 0 to 251; it grows with the span.
  private static func key(of span: Int64) -> UInt8 {
    guard span >= 4 else { return UInt8(max(0, span)) }
    let octave = 63 - span.leadingZeroBitCount
    let quarter = Int(span >> Int64(octave - 2)) & 3
    return UInt8(4 * octave + quarter - 4)
  }
}
