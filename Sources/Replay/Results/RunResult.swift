// SPDX-License-Identifier: Apache-2.0

package import RadioPower
package import Scoring

/// What one run cost, delivered and missed.
package struct RunResult: Sendable, Equatable {
  package let plan: RunPlan
  package let counters: Counters
  package let energy: EnergyReport
  /// What was used, so that energies can be worked out again with other numbers: `Uncertainty`.
  package let usage: EnergyUsage
  /// What of the energy was for nothing.
  package let waste: Waste
  /// Seconds that the receiver was on (acquiring or tracking), within judged time.
  package let receiverOn: Double
  /// Seconds and metres during which the app did not know where it was.
  package let blindSeconds: Double
  package let blindMetres: Double
  /// How well the deliveries followed the truth.
  package let score: Score
  /// What a clairvoyant would have needed; only for significant change, and where it was asked for.
  package internal(set) var optimum: Optimum?

  init(
    plan: RunPlan, counters: Counters, energy: EnergyReport, usage: EnergyUsage = EnergyUsage(),
    waste: Waste = Waste(), receiverOn: Double, blindSeconds: Double, blindMetres: Double,
    score: Score = Score()
  ) {
    self.plan = plan
    self.counters = counters
    self.energy = energy
    self.usage = usage
    self.waste = waste
    self.blindSeconds = blindSeconds
    self.blindMetres = blindMetres
    self.receiverOn = receiverOn
    self.score = score
  }
}
