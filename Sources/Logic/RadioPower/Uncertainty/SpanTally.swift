// SPDX-License-Identifier: Apache-2.0

/// A histogram of durations, of bounded size, with the exact sum of each bin.
///
/// Bins are quarter octaves (1.00–1.25–1.50–1.75–2.00 times a power of two, in microseconds), so a
/// piecewise linear function of a span is off only in the one bin that holds its kink, and there by
/// less than a tenth of that bin.
struct SpanTally: Sendable, Equatable, Codable {
  struct Bin: Sendable, Equatable, Codable {
    let key: UInt8
    var count: Double
    /// Microseconds, all together.
    var sum: Double
  }

  /// In the order of their keys; at most 256.
  private(set) var bins: [Bin] = []

  /// Whether the decoded value is valid.
  var isWhole: Bool { zip(bins, bins.dropFirst()).allSatisfy { $0.key < $1.key } }

  /// Adds a span of `span` microseconds.
  mutating func add(span: Int64) {
    add(bin: Bin(key: Self.key(of: span), count: 1, sum: Double(span)))
  }

  static func += (a: inout Self, b: Self) {
    for bin in b.bins { a.add(bin: bin) }
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
