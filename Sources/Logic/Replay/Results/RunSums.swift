// SPDX-License-Identifier: Apache-2.0

package import LocationModel
package import RadioPower

/// The part of a run that can be added to the same run over another trace: everything except its plan and the parts of
/// one trace only.
package struct RunSums: Sendable, Equatable {
  package private(set) var counters = Counters()
  package private(set) var energy = EnergyReport.zero
  /// What the device did, from which energies can be recomputed with other numbers: `Uncertainty`.
  package private(set) var usage = EnergyUsage()
  /// The wasted part of the energy.
  package private(set) var waste = Waste()
  /// Seconds that the receiver was on (acquiring or tracking), within judged time.
  package private(set) var receiverOn = 0.0
  /// The quality of the app's knowledge of its place.
  package private(set) var whereabouts = Whereabouts(blindDistance: .infinity)
  /// The quality of the deliveries against the truth.
  package private(set) var score = Score()

  /// Nothing yet: where restoring begins.
  package init() {}

  init(
    counters: Counters, energy: EnergyReport, usage: EnergyUsage, waste: Waste, receiverOn: Double,
    whereabouts: Whereabouts, score: Score
  ) {
    (self.counters, self.energy, self.usage, self.waste) = (counters, energy, usage, waste)
    (self.receiverOn, self.whereabouts, self.score) = (receiverOn, whereabouts, score)
  }

  package mutating func walkSums(_ walk: inout SumWalk) {
    counters.walkSums(&walk)
    energy.walkSums(&walk)
    usage.walkSums(&walk)
    waste.walkSums(&walk)
    walk.quantity(&receiverOn)
    whereabouts.walkSums(&walk)
    score.walkSums(&walk)
  }

  /// The run with these sums, without regions, like those of a comparison.
  package func run(_ plan: RunPlan) -> RunResult { RunResult(plan: plan, sums: self) }
}
