// SPDX-License-Identifier: Apache-2.0

// Theory
// ======
//
// A failing seed is run again with less: without one kind of fault at a time, for half the time, and then without one
// fault at a time, by its name. A reduction is kept if it still breaks the same rule. A reduced run diverges from there
// on, so that this finds few faults and not always the fewest.

/// Reduces a failing seed to few faults.
package struct Shrinking {
  package struct Shrunk: Sendable {
    package var plan: SimulationPlan
    package var violation: Violation
    /// The faults before the rule was broken.
    package var faults: [FaultName]

    /// Runs it again.
    package var command: String {
      let kinds = FaultKind.allCases.filter { plan.faults.contains($0) }.map(\.rawValue)
      var command = "Tools/simulate --seed \(plan.seed) --days \(plan.days)"
      command += " --faults '\(kinds.joined(separator: ","))'"
      if !plan.muted.isEmpty {
        let names = plan.muted.map(\.description).sorted()
        command += " --mute '\(names.joined(separator: ","))'"
      }
      return command + " --trace"
    }
  }

  private var best: Shrunk
  private let mayGoOn: () -> Bool

  /// `mayGoOn` is called before each run.
  package init(_ plan: SimulationPlan, _ violation: Violation, while mayGoOn: @escaping () -> Bool)
  {
    best = Shrunk(plan: plan, violation: violation, faults: [])
    self.mayGoOn = mayGoOn
  }

  package func shrunk() -> Shrunk {
    var copy = self
    copy.shrink()
    return copy.best
  }

  private mutating func shrink() {
    _ = attempt(best.plan)
    for kind in FaultKind.allCases where best.plan.faults.contains(kind) {
      var plan = best.plan
      plan.faults.remove(kind)
      _ = attempt(plan)
    }
    while best.plan.days > 0.01 {
      var plan = best.plan
      plan.days /= 2
      guard attempt(plan) else { break }
    }
    muteInstances()
  }

  /// Mutes half of the faults at a time, then a quarter, then one.
  private mutating func muteInstances() {
    var size = best.faults.count / 2
    while size >= 1, mayGoOn() {
      // The latest first: the faults before it stay the same.
      var end = best.faults.count
      while end > 0, mayGoOn() {
        var plan = best.plan
        let last = min(end, best.faults.count)
        plan.muted.formUnion(best.faults[max(0, last - size)..<last])
        _ = attempt(plan)
        end -= size
      }
      size = min(size, best.faults.count) / 2
    }
  }

  private mutating func attempt(_ plan: SimulationPlan) -> Bool {
    guard mayGoOn() else { return false }
    let result = plan.run()
    guard let violation = result.violation, violation.rule == best.violation.rule else {
      return false
    }
    best = Shrunk(plan: plan, violation: violation, faults: result.injected)
    return true
  }
}
