// SPDX-License-Identifier: Apache-2.0

package import RadioPower
package import Scoring

/// The costs, deliveries and misses of one run.
package struct RunResult: Sendable, Equatable {
  package let plan: RunPlan
  package private(set) var counters: Counters
  package private(set) var energy: EnergyReport
  /// The use of the device, from which energies can be recomputed with other numbers: `Uncertainty`.
  package private(set) var usage: EnergyUsage
  /// The wasted part of the energy.
  package private(set) var waste: Waste
  /// Seconds that the receiver was on (acquiring or tracking), within judged time.
  package private(set) var receiverOn: Double
  /// The quality of the app's knowledge of its place.
  package private(set) var whereabouts: Whereabouts
  /// The quality of the deliveries against the truth.
  package private(set) var score: Score
  /// The quality of the app's region events, in the order of its regions.
  package private(set) var regions: [RegionScore]
  /// The quality of its visit events; `nil` if it monitors none.
  package private(set) var visits: VisitScore?
  /// The judged crossings in order; `nil` if not requested.
  package private(set) var crossings: [Crossing]?
  /// The data for a picture of the run; `nil` if not requested.
  package var curves: CurveRecord?
  /// The needs of a clairvoyant; only for significant change, and if requested.
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

  /// Seconds and metres during which the app did not know its place.
  package var blindSeconds: Double { whereabouts.blindSeconds }
  package var blindMetres: Double { whereabouts.blindMetres }

  /// Adds the result of the same plan over another trace; crossings, curves and optimum are of one trace.
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
