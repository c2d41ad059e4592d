// SPDX-License-Identifier: Apache-2.0

/// Several lives over one trace, side by side.
package struct ComparisonResult: Sendable, Equatable {
  package var runs: [RunResult]
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

  /// The row of a plan's service and scenario, for the sentence that recommends one.
  package func run(where matches: (RunPlan) -> Bool) -> RunResult? {
    runs.first { matches($0.plan) }
  }
}
