// SPDX-License-Identifier: Apache-2.0

package import RadioPower
package import Scoring

/// What one run cost, delivered and missed.
package struct RunResult: Sendable, Equatable {
  package let plan: RunPlan
  package private(set) var counters: Counters
  package private(set) var energy: EnergyReport
  /// What was used, so that energies can be worked out again with other numbers: `Uncertainty`.
  package private(set) var usage: EnergyUsage
  /// What of the energy was for nothing.
  package private(set) var waste: Waste
  /// Seconds that the receiver was on (acquiring or tracking), within judged time.
  package private(set) var receiverOn: Double
  /// Seconds and metres during which the app did not know where it was.
  package private(set) var blindSeconds: Double
  package private(set) var blindMetres: Double
  /// How well the deliveries followed the truth.
  package private(set) var score: Score
  /// The judged crossings in order; `nil` where they were not asked for.
  package private(set) var crossings: [Crossing]?
  /// What a clairvoyant would have needed; only for significant change, and where it was asked for.
  package internal(set) var optimum: Optimum?

  init(
    plan: RunPlan, counters: Counters, energy: EnergyReport, usage: EnergyUsage = EnergyUsage(),
    waste: Waste = Waste(), receiverOn: Double, blindSeconds: Double, blindMetres: Double,
    score: Score = Score(), crossings: [Crossing]? = nil
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
    self.crossings = crossings
  }

  /// Adds what the same plan came to over another trace; crossings and optimum are of one trace.
  package static func += (a: inout Self, b: Self) {
    a.counters += b.counters
    a.energy += b.energy
    a.usage += b.usage
    a.waste += b.waste
    a.receiverOn += b.receiverOn
    a.blindSeconds += b.blindSeconds
    a.blindMetres += b.blindMetres
    a.score += b.score
    a.crossings = nil
    a.optimum = nil
  }
}
