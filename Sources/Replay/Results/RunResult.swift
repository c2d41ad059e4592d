// SPDX-License-Identifier: Apache-2.0

package import RadioPower

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

  init(
    plan: RunPlan, counters: Counters, energy: EnergyReport, usage: EnergyUsage = EnergyUsage(),
    waste: Waste = Waste(),
    receiverOn: Double, blindSeconds: Double, blindMetres: Double
  ) {
    self.plan = plan
    self.counters = counters
    self.energy = energy
    self.usage = usage
    self.waste = waste
    self.blindSeconds = blindSeconds
    self.blindMetres = blindMetres
    self.receiverOn = receiverOn
  }

  /// Mean power above the baseline, milliwatts; `nil` without judged time.
  package func averagePower(over seconds: Double) -> Double? {
    seconds > 0 ? energy.total.nominal / seconds * 1_000 : nil
  }
}
