// SPDX-License-Identifier: Apache-2.0

package import RadioPower

/// The part of a comparison over one trace that can be added to that of the same runs over another.
package struct ComparisonSums: Sendable, Equatable, Codable {
  /// By row and world.
  package let rows: [[RunSums]]
  /// What an app knows that hears nothing.
  package let silence: Whereabouts
  /// What nobody could know.
  package let unknowable: Unknowable

  package init(rows: [[RunSums]], silence: Whereabouts, unknowable: Unknowable) {
    self.rows = rows
    self.silence = silence
    self.unknowable = unknowable
  }
}

/// The part of a run that can be added to the same run over another trace: everything except its plan and the parts of
/// one trace only.
package struct RunSums: Sendable, Equatable, Codable {
  package private(set) var counters: Counters
  package private(set) var energy: EnergyReport
  /// What the device did, from which energies can be recomputed with other numbers: `Uncertainty`.
  package private(set) var usage: EnergyUsage
  /// The wasted part of the energy.
  package private(set) var waste: Waste
  /// Seconds that the receiver was on (acquiring or tracking), within judged time.
  package private(set) var receiverOn: Double
  /// The quality of the app's knowledge of its place.
  package private(set) var whereabouts: Whereabouts
  /// The quality of the deliveries against the truth.
  package private(set) var score: Score

  /// Whether the decoded value is valid, so that it can be added and reported.
  package var isWhole: Bool {
    counters.isWhole && usage.isWhole && waste.isWhole && whereabouts.isWhole && score.isWhole
  }

  /// The run with these sums, without regions, like those of a comparison; `options` are those of its world.
  package func run(_ plan: RunPlan, in options: ReplayOptions) -> RunResult {
    RunResult(plan: plan.inWorld(of: options), sums: self)
  }

  static func += (a: inout Self, b: Self) {
    a.counters += b.counters
    a.energy += b.energy
    a.usage += b.usage
    a.waste += b.waste
    a.receiverOn += b.receiverOn
    a.whereabouts += b.whereabouts
    a.score += b.score
  }
}
