// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel
package import RadioPower
package import Replay
import ServiceCore
import Wording

/// What one mode cost, delivered and missed, over one trace or several.
@dynamicMemberLookup
package struct ModeRow: Sendable {
  private var run: RunResult
  /// How the energy spreads over draws of the profile's numbers, and what it depends on most; `nil`
  /// before `ComparedTrace.assess`.
  package internal(set) var sureness: Sureness?

  package init(_ run: RunResult) { self.run = run }

  package var plan: RunPlan { run.plan }

  mutating func add(_ other: ModeRow) { run += other.run }

  package subscript<Value>(dynamicMember path: KeyPath<RunResult, Value>) -> Value {
    run[keyPath: path]
  }

  package subscript<Value>(dynamicMember path: KeyPath<Counters, Value>) -> Value {
    run.counters[keyPath: path]
  }

  package struct Sureness: Sendable {
    package let spread: Spread
    package let drivers: [Driver]
  }

  /// Joules above the baseline: nominal, and from the 5th to the 95th percentile of the draws, or as
  /// far as the nominal lies.
  package var total: EnergyRange {
    var total = run.energy.printedTotal
    guard let spread = sureness?.spread else { return total }
    total.low = min(spread.p5, total.nominal)
    total.high = max(spread.p95, total.nominal)
    return total
  }

  /// The nominal of `total`.
  var joules: Double { run.energy.printedTotal.nominal }

  /// Sessions of the receiver per delivered event while moving; `nil` without such an event.
  package var sessionsPerEvent: Double? {
    run.counters.movingDeliveries > 0
      ? Double(run.counters.movingSessions) / Double(run.counters.movingDeliveries) : nil
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
