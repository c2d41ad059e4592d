// SPDX-License-Identifier: Apache-2.0

import RadioPower
package import Scoring

/// The part of a comparison over one trace that can be added to that of the same runs over another.
package struct ComparisonSums: Sendable, Equatable, Codable {
  /// By row and world.
  package let rows: [[RunSums]]
  /// The knowledge of an app that hears nothing.
  package let silence: Whereabouts

  package init(rows: [[RunSums]], silence: Whereabouts) {
    self.rows = rows
    self.silence = silence
  }
}

/// The part of a run that can be added to the same run over another trace: everything except its plan and the parts of
/// one trace only.
package struct RunSums: Sendable, Equatable, Codable {
  private let counters: Counters
  private let energy: EnergyReport
  private let usage: EnergyUsage
  private let waste: Waste
  private let receiverOn: Double
  private let whereabouts: Whereabouts
  private let score: Score

  /// The sums of a run without regions, like those of a comparison.
  package init(_ run: RunResult) {
    counters = run.counters
    energy = run.energy
    usage = run.usage
    waste = run.waste
    receiverOn = run.receiverOn
    whereabouts = run.whereabouts
    score = run.score
  }

  /// Whether the decoded value is valid, so that it can be added and reported.
  package var isWhole: Bool {
    counters.isWhole && usage.isWhole && waste.isWhole && whereabouts.isWhole && score.isWhole
  }

  /// The run with these sums; `options` are those of its world.
  package func run(_ plan: RunPlan, in options: ReplayOptions) -> RunResult {
    RunResult(
      plan: plan.inWorld(of: options), counters: counters, energy: energy, usage: usage,
      waste: waste, receiverOn: receiverOn, whereabouts: whereabouts, score: score)
  }
}
