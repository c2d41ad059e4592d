// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel
package import RadioPower
package import Replay
import ServiceContract

/// The costs, deliveries and misses of one mode, over one trace or several, in one world or several.
///
/// Its figures are those of its *middle world*, in which its energy is the median (of an even number the lower of the
/// two), so that they belong together. The app's place knowledge has figures with a middle world each (`typical`); its
/// events are counted over all worlds.
@dynamicMemberLookup
package struct ModeRow: Sendable {
  /// The result in each world, in the order of their seeds.
  package private(set) var worlds: [RunResult]
  private var run: RunResult
  /// The app's place knowledge, in all worlds together.
  package private(set) var whereabouts: Whereabouts
  /// The spread of the energy over draws of the profile's numbers, and its strongest drivers; `nil` before
  /// `ComparedTrace.assess`.
  package internal(set) var sureness: Sureness?

  /// `worlds` are those of one mode, at least one.
  package init(_ worlds: [RunResult]) {
    run = Self.middle(of: worlds)
    // Pictures show only the middle world.
    self.worlds = worlds.map { world in
      var world = world
      world.curves = nil
      return world
    }
    whereabouts = worlds[0].whereabouts
    for world in worlds.dropFirst() { whereabouts += world.whereabouts }
  }

  private static func middle(of worlds: [RunResult]) -> RunResult {
    // By index: a result is large.
    let joules = worlds.map(\.energy.total.nominal)
    let ranked = joules.indices.sorted { (joules[$0], $0) < (joules[$1], $1) }
    return worlds[ranked[(ranked.count - 1) / 2]]
  }

  package var plan: RunPlan { run.plan }

  /// A row of a total: its worlds differ in their energies, and have everything else in common: the mean of all, and the
  /// place knowledge and events of all together.
  init(_ plan: RunPlan, worlds count: Int, restoredBy walk: inout SumWalk) {
    let begin = walk
    var all = RunSums()
    all.walkSums(&walk)
    var joules = Array(repeating: 0.0, count: count)
    walk.energies(&joules)
    let total = joules.reduce(0, +)
    self.init(
      joules.map { own in
        var (again, world) = (begin, RunSums())
        again.divide(by: Double(count), energiesBy: own > 0 ? total / own : Double(count))
        world.walkSums(&again)
        return world.run(plan)
      })
    whereabouts = all.whereabouts
  }

  package subscript<Value>(dynamicMember path: KeyPath<RunResult, Value>) -> Value {
    run[keyPath: path]
  }

  package subscript<Value>(dynamicMember path: KeyPath<Counters, Value>) -> Value {
    run.counters[keyPath: path]
  }

  package struct Sureness: Sendable {
    package let spread: Spread
    package let drivers: [Driver]
    /// What whole devices drew, over what the model says; `nil` without measurements.
    let measured: ClosedRange<Double>?
  }

  /// Joules above the baseline: those of the middle world with the nominal numbers, and the 5th to the 95th percentile
  /// of the draws of worlds and numbers, extended to include the former and what whole devices drew (`MeasuredDevices`).
  package var total: EnergyRange {
    let total = run.energy.printedTotal
    guard let sureness else { return total }
    let drawn = sureness.spread.range(including: total.nominal)
    guard let measured = sureness.measured else { return drawn }
    return Quantity(
      nominal: drawn.nominal, low: min(drawn.low, measured.lowerBound * drawn.nominal),
      high: max(drawn.high, measured.upperBound * drawn.nominal))
  }

  /// The nominal of `total`.
  var joules: Double { run.energy.printedTotal.nominal }

  /// Sessions of the receiver per delivered event while moving; `nil` without such an event.
  package var sessionsPerEvent: Double? {
    run.counters.movingDeliveries > 0
      ? Double(run.counters.movingSessions) / Double(run.counters.movingDeliveries) : nil
  }

  /// The name of the mode, in sentences and at the head of its row. A phone's own behaviour is no policy to its users.
  package var name: String {
    if plan.isAndroid { return plan.androidName }
    return switch plan.mode {
    case .standard: plan.scenario == .foreground ? "in the foreground" : "no background mode"
    case .continuous: plan.pausesAutomatically ? "continuous, pauses" : "continuous"
    case .cycled: "only while moving"
    case .significant:
      plan.distinguishingPolicy.map { "policy \($0.label)" } ?? "significant change"
    case .visits: "visits"
    case .regions: "region monitoring"
    }
  }

  /// The same as a heading.
  var heading: String { name.prefix(1).uppercased() + name.dropFirst() }
}

extension RunPlan {
  /// The policy that makes it another mode to its reader.
  fileprivate var distinguishingPolicy: SignificantPolicy? {
    guard let policy, isAskedFor || isNamedByPolicy && policy.kind.system == nil else { return nil }
    return policy
  }
}

extension SignificantPolicy {
  /// The name as typed: with the interval if that is not the usual one.
  var label: String {
    guard let interval, interval != EngineRules.usualInterval else { return name }
    return "\(name)=\(Figures.plain(interval))"
  }
}
