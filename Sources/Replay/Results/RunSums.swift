// SPDX-License-Identifier: Apache-2.0

import RadioPower
package import Scoring

/// What of a comparison over one trace can be added to that of the same runs over another.
package struct ComparisonSums: Sendable, Equatable, Codable {
  /// By row and world.
  package let rows: [[RunSums]]
  /// What an app knows that hears nothing.
  package let silence: Whereabouts

  package init(rows: [[RunSums]], silence: Whereabouts) {
    self.rows = rows
    self.silence = silence
  }
}

/// What of a run can be added to the same run over another trace: everything but its plan and what is of one
/// trace only.
package struct RunSums: Sendable, Equatable, Codable {
  private let counters: Counters
  private let energy: EnergyReport
  private let usage: EnergyUsage
  private let waste: Waste
  private let receiverOn: Double
  private let whereabouts: Whereabouts
  private let score: Score

  /// Of a run without regions, as those of a comparison are.
  package init(_ run: RunResult) {
    counters = run.counters
    energy = run.energy
    usage = run.usage
    waste = run.waste
    receiverOn = run.receiverOn
    whereabouts = run.whereabouts
    score = run.score
  }

  /// Whether what was read can be what was written, so that it can be added and told.
  package var isWhole: Bool {
    counters.isWhole && usage.isWhole && waste.isWhole && whereabouts.isWhole && score.isWhole
  }

  /// The run that these are the sums of; `options` are those of its world.
  package func run(_ plan: RunPlan, in options: ReplayOptions) -> RunResult {
    RunResult(
      plan: plan.inWorld(of: options), counters: counters, energy: energy, usage: usage,
      waste: waste, receiverOn: receiverOn, whereabouts: whereabouts, score: score)
  }
}
