// SPDX-License-Identifier: Apache-2.0

package import FixFormats
package import RadioPower

// Theory
// ======
//
// Apps on one device share its receiver, processor and radios, and these are counted once. The cost of an
// app beside others is therefore not its cost alone, and splitting the sum would be arbitrary. Its cost
// is what it *adds*: the energy with it minus the energy without it. The additions of all apps do not add
// up to the whole; the difference is what they share.
//
// For n apps that takes 2n + 1 runs in one pass: all of them, all but each one, and each one alone.

/// Several apps on one device at once, and the energy that each of them adds.
package struct DeviceSharing: Sendable {
  private let plans: [RunPlan]
  private var comparison: Comparison

  /// Prepares the lives of one app per plan; see `Comparison` for the other arguments.
  package init(
    _ plans: [RunPlan], options: ReplayOptions, summary: TraceSummary, observed: ObservedErrors?
  ) {
    self.plans = plans
    let without = plans.indices.map { left in
      plans.indices.filter { $0 != left }.map { plans[$0] }
    }
    let crews = ([plans] + without + plans.map { [$0] }).filter { !$0.isEmpty }
    comparison = Comparison(
      runs: crews.map { Run($0[0], beside: Array($0.dropFirst()), options: options) },
      options: options, summary: summary, observed: observed)
  }

  /// Takes the next events of the truth.
  package mutating func feed(_ events: [TraceEvent]) { comparison.feed(events) }

  /// Returns the result; call after the last event.
  package mutating func finishTrace() -> DeviceSharingResult {
    let energies = comparison.finishTrace().runs.map(\.energy)
    let count = plans.count
    let apps = plans.indices.map { index in
      DeviceSharingResult.App(
        plan: plans[index], alone: energies[energies.count - count + index],
        without: count > 1 ? energies[1 + index] : .zero)
    }
    return DeviceSharingResult(whole: energies[0], apps: apps)
  }
}

/// The cost of several apps at once.
package struct DeviceSharingResult: Sendable, Equatable {
  package struct App: Sendable, Equatable {
    package let plan: RunPlan
    /// With no other app on the device.
    package let alone: EnergyReport
    /// All the others, without this one.
    package let without: EnergyReport
  }

  /// All apps at once.
  package let whole: EnergyReport
  package let apps: [App]

  /// Joules that an app adds to the others, nominal; below 0 if it helps them (a receiver that it
  /// keeps on spares the others a search).
  package func adds(_ app: App) -> Double { whole.total.nominal - app.without.total.nominal }

  /// The additions of an app, by component and state: seconds and joules with it minus without it.
  package func rows(added app: App) -> [EnergyReport.Row] {
    var rows = whole.components
    for other in app.without.components {
      let same = rows.firstIndex { $0.component == other.component && $0.state == other.state }
      if let same {
        rows[same].seconds -= other.seconds
        rows[same].energy.nominal -= other.energy.nominal
      } else {
        var row = other
        row.seconds.negate()
        row.energy.nominal.negate()
        rows.append(row)
      }
    }
    return rows.filter { $0.seconds != 0 || $0.energy.nominal != 0 }
  }
}
