// SPDX-License-Identifier: Apache-2.0

/// Several lives over one trace, side by side.
package struct ComparisonResult: Sendable, Equatable {
  /// In each world, the runs in the order of their plans; at least one world. Those beyond the lived ones repeat them.
  package var worlds: [[RunResult]]
  /// In what of the worlds and days it was lived, if not in all; times that were left out are no gaps.
  package var thinned: SparseDetail?
  /// Seconds with known truth: all figures cover these.
  package var judged: Double
  /// Metres travelled in them.
  package var distance: Double
  /// Seconds within gaps.
  package var gapSeconds: Double
  package var gaps: Int
  /// Points of the trace left out as jumps, or as coarse among finer ones.
  package var leftOut: Int
  package var lateOrDuplicate: Int
  /// What an app knows that hears nothing after its launch.
  package var silence: Whereabouts
  /// What nobody could know of the trace.
  package var unknowable: Unknowable

  /// Those of the first world, which has the requested seed.
  package var runs: [RunResult] { worlds[0] }
}
