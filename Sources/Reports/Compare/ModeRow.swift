// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel
package import RadioPower
package import Replay
package import Scoring
import ServiceCore
import Wording

/// What one mode cost, delivered and missed, over one trace or several.
package struct ModeRow: Sendable {
  package let plan: RunPlan
  package private(set) var energy: EnergyReport
  package private(set) var receiverOn: Double
  package private(set) var fixesSeen: Int
  package private(set) var deliveries: Int
  package private(set) var wakes: Int
  package private(set) var launches: Int
  package private(set) var uploads: Int
  /// Sessions of the receiver; of them, and of the deliveries, those while the device truly moved.
  package private(set) var sessions: Int
  package private(set) var movingSessions: Int
  package private(set) var movingDeliveries: Int
  package private(set) var blindSeconds: Double
  package private(set) var blindMetres: Double
  package private(set) var score: Score
  /// `nil` where it was not reckoned; not added up over traces.
  package private(set) var optimum: Optimum?
  /// What was used, so that energies can be worked out again with other numbers.
  package private(set) var usage: EnergyUsage
  /// What of the energy was for nothing.
  package private(set) var waste: Waste
  /// How the energy spreads over draws of the profile's numbers, and what it depends on most; `nil`
  /// before `ComparedTrace.assess`.
  package internal(set) var sureness: Sureness?

  package struct Sureness: Sendable {
    package let spread: Spread
    package let drivers: [Driver]
  }

  /// Joules above the baseline: nominal, and from the 5th to the 95th percentile of the draws, or as
  /// far as the nominal lies.
  package var total: EnergyRange {
    var total = energy.printedTotal
    guard let spread = sureness?.spread else { return total }
    total.low = min(spread.p5, total.nominal)
    total.high = max(spread.p95, total.nominal)
    return total
  }

  package init(_ run: RunResult) {
    plan = run.plan
    energy = run.energy
    receiverOn = run.receiverOn
    fixesSeen = run.counters.fixesSeen
    deliveries = run.counters.deliveries
    wakes = run.counters.wakes
    launches = run.counters.launches
    uploads = run.counters.uploads
    sessions = run.counters.sessions
    movingSessions = run.counters.movingSessions
    movingDeliveries = run.counters.movingDeliveries
    blindSeconds = run.blindSeconds
    blindMetres = run.blindMetres
    usage = run.usage
    waste = run.waste
    score = run.score
    optimum = run.optimum
  }

  mutating func add(_ other: ModeRow) {
    energy.add(other.energy)
    receiverOn += other.receiverOn
    fixesSeen += other.fixesSeen
    deliveries += other.deliveries
    wakes += other.wakes
    launches += other.launches
    uploads += other.uploads
    sessions += other.sessions
    movingSessions += other.movingSessions
    movingDeliveries += other.movingDeliveries
    blindSeconds += other.blindSeconds
    blindMetres += other.blindMetres
    usage += other.usage
    waste += other.waste
    score += other.score
    optimum = nil
  }

  /// Sessions of the receiver per delivered event while moving; `nil` without such an event.
  package var sessionsPerEvent: Double? {
    movingDeliveries > 0 ? Double(movingSessions) / Double(movingDeliveries) : nil
  }

  /// `2/14`: missed crossings of all judged ones.
  var missed: String {
    score.crossings > 0
      ? "\(Figures.shortCount(score.missed))/\(Figures.shortCount(score.crossings))"
      : Figures.unknown
  }

  /// `continuous, pausing`: what stands at the head of its line.
  package var name: String {
    if plan.isNamedByPolicy, let policy = plan.policy { return "policy \(policy.label)" }
    if plan.pausesAutomatically { return "\(plan.service.rawValue), pausing" }
    return "\(plan.service.rawValue), \(plan.scenario.rawValue)"
  }

  /// What a sentence calls it.
  var phrase: String {
    switch plan.service {
    case .standard: "standard updates in the \(plan.scenario.rawValue)"
    case .significant:
      plan.isNamedByPolicy
        ? "significant change (\(plan.policy?.label ?? "ios"))" : "significant change"
    case .continuous:
      plan.pausesAutomatically
        ? "continuous updates with automatic pausing" : "continuous updates"
    }
  }
}

extension SignificantPolicy {
  /// The name as it is typed: with the interval where that is not the usual one.
  var label: String {
    guard let interval, interval != 300 else { return name }
    return "\(name)=\(Figures.plain(interval))"
  }
}

extension EnergyReport {
  /// Adds another trace's rows to those of the same component and state.
  fileprivate mutating func add(_ other: EnergyReport) {
    Self.add(other.components, to: &components)
    Self.add(other.baseline, to: &baseline)
    seconds += other.seconds
  }

  private static func add(_ rows: [Row], to sums: inout [Row]) {
    for row in rows {
      let same = sums.firstIndex { $0.component == row.component && $0.state == row.state }
      guard let same else {
        sums.append(row)
        continue
      }
      sums[same].seconds += row.seconds
      sums[same].energy += row.energy
    }
  }
}
