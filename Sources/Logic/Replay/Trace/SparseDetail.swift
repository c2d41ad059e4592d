// SPDX-License-Identifier: Apache-2.0

// Theory
// ======
//
// Between two fixes that are minutes or hours apart nothing was measured. What a world makes there is luck alone, and over
// many such legs luck evens out. So a replay of a sparse trace has a budget of samples of long legs, over all worlds:
//
//     fewer worlds first      down to one: each leg is new luck, as another world would be
//     then longer strides     down to `least` samples a leg, however long it is
//
// A trace with fewer long legs has all of its worlds, and 120 samples a leg.

/// How finely the long legs of a trace are lived, and in how many worlds.
package struct SparseDetail: Sendable, Equatable {
  /// The samples of long legs in all worlds together [ours: some seconds of a processor].
  static let budget = 100_000.0
  /// The greatest number of samples of a leg [ours: a second each in a leg of the least gap threshold], and the least.
  static let (most, least) = (120.0, 4.0)

  /// The number of worlds that are lived.
  package let worlds: Int
  /// The greatest number of samples of a leg.
  let samples: Double

  /// `worlds`: as many as were asked for.
  package init(_ summary: TraceSummary, worlds asked: Int) {
    let legs = Double(max(1, summary.longLegs))
    worlds = max(1, min(asked, Int(Self.budget / (Self.most * legs))))
    samples = max(
      Self.least, min(Self.most, (Self.budget / (legs * Double(worlds))).rounded(.down)))
  }

  /// The usual detail.
  static let full = SparseDetail(.dense, worlds: 1)
}
