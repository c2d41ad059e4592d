// SPDX-License-Identifier: Apache-2.0

package import Scoring

/// Several lives over one trace, side by side.
package struct ComparisonResult: Sendable, Equatable {
  /// In each world, the runs in the order of their plans; at least one world.
  package var worlds: [[RunResult]]
  /// Seconds of which the truth is known: all figures are over these.
  package var judged: Double
  /// Metres travelled in them.
  package var distance: Double
  /// Seconds within gaps.
  package var gapSeconds: Double
  package var gaps: Int
  /// Points of the trace left out because nothing confirmed them, or because they were late.
  package var jumpsRemoved: Int
  package var lateOrDuplicate: Int
  /// What an app knows of where it is that hears nothing after its launch.
  package var silence: Whereabouts

  /// Those of the first world, which has the seed that was asked for.
  package var runs: [RunResult] { worlds[0] }
}
