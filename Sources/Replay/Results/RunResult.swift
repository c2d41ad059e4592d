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
  /// How well the app knew where it was.
  package private(set) var whereabouts: Whereabouts
  /// How well the deliveries followed the truth.
  package private(set) var score: Score
  /// How well the app was told of its regions, in their order.
  package private(set) var regions: [RegionScore]
  /// How well it was told of visits; `nil` where it monitors none.
  package private(set) var visits: VisitScore?
  /// The judged crossings in order; `nil` where they were not asked for.
  package private(set) var crossings: [Crossing]?
  /// What a picture of the run needs; `nil` where it was not asked for.
  package var curves: CurveRecord?
  /// What a clairvoyant would have needed; only for significant change, and where it was asked for.
  package internal(set) var optimum: Optimum?

  init(
    plan: RunPlan, counters: Counters, energy: EnergyReport, usage: EnergyUsage = EnergyUsage(),
    waste: Waste = Waste(), receiverOn: Double, whereabouts: Whereabouts, score: Score = Score(),
    crossings: [Crossing]? = nil, curves: CurveRecord? = nil, regions: [RegionScore] = [],
    visits: VisitScore? = nil
  ) {
    self.plan = plan
    self.counters = counters
    self.energy = energy
    self.usage = usage
    self.waste = waste
    self.whereabouts = whereabouts
    self.receiverOn = receiverOn
    self.score = score
    self.crossings = crossings
    self.curves = curves
    self.regions = regions
    self.visits = visits
  }

  /// Seconds and metres during which the app did not know where it was.
  package var blindSeconds: Double { whereabouts.blindSeconds }
  package var blindMetres: Double { whereabouts.blindMetres }

  /// Adds what the same plan came to over another trace; crossings, curves and optimum are of one trace.
  package static func += (a: inout Self, b: Self) {
    a.counters += b.counters
    a.energy += b.energy
    a.usage += b.usage
    a.waste += b.waste
    a.receiverOn += b.receiverOn
    a.whereabouts += b.whereabouts
    a.score += b.score
    for index in a.regions.indices { a.regions[index] += b.regions[index] }
    if let visits = b.visits { a.visits? += visits }
    a.crossings = nil
    a.curves = nil
    a.optimum = nil
  }
}
