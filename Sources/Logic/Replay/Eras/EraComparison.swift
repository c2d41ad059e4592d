// SPDX-License-Identifier: Apache-2.0

package import FixFormats
import LocationEngine
package import LocationModel
package import RadioPower

// Theory
// ======
//
// Two eras differ in many rules, and a reader wants to know which of them made the difference. So the last era is
// played with one rule of another one, for each rule in which they differ. A different outcome is due to this rule;
// changes due only to several rules together show in none of the trials.
//
//   ios7            ─► 12 deliveries
//   today           ─► 15 deliveries
//   today, but relaunchesAfterForceQuit as in ios7  ─► 12 deliveries: that is the rule
//
// Trials that are the same era are one run. All runs go over the truth in step.

/// Scenarios by the rules of several eras, and the rule behind each difference.
package struct EraComparison: Sendable {
  private let subjects: [EraSubject]
  private let eras: [Era]
  /// All played eras, those of `eras` first, without repeats.
  private let played: [Era]
  private let trials: [Trial]
  private let options: ReplayOptions
  private var comparison: Comparison

  /// One rule of one era in the last one.
  private struct Trial: Sendable {
    let era: Int
    let rule: EraRule
    /// The index in `played`.
    let played: Int
  }

  /// `eras` has at least one; the others are compared with the last.
  package init(
    _ subjects: [EraSubject], eras: [Era], options: ReplayOptions, summary: TraceSummary,
    observed: ObservedErrors?
  ) {
    self.subjects = subjects
    self.eras = eras
    var played = eras
    var trials: [Trial] = []
    let base = eras.last ?? .usual
    for (index, era) in eras.dropLast().enumerated() {
      for rule in EraRule.all where rule.value(in: era) != rule.value(in: base) {
        var mixed = base
        rule.set(rule.value(in: era), in: &mixed)
        let same = played.firstIndex { other in
          EraRule.all.allSatisfy { $0.value(in: other) == $0.value(in: mixed) }
        }
        if same == nil { played.append(mixed) }
        trials.append(Trial(era: index, rule: rule, played: same ?? played.count - 1))
      }
    }
    self.played = played
    self.trials = trials
    self.options = options
    let runs = subjects.flatMap { subject in
      played.map { era in
        var options = options
        options.rules.era = era
        return Run(
          subject.scenario, tracking: subject.plan, options: options, expecting: summary.duration)
      }
    }
    comparison = Comparison(runs: runs, options: options, summary: summary, observed: observed)
  }

  /// Takes the next events of the truth.
  package mutating func feed(_ events: [TraceEvent]) { comparison.feed(events) }

  /// Returns the result; call after the last event.
  package mutating func finishTrace() -> EraResult {
    let result = comparison.finishTrace()
    let outcomes = result.runs.map(EraOutcome.init)
    let rows = subjects.enumerated().map { number, subject in
      let first = number * played.count
      return EraResult.Row(
        name: subject.name, outcomes: Array(outcomes[first..<first + eras.count]),
        ranges: ranges(of: result.runs[first..<first + eras.count]),
        causes: trials.map { trial in
          EraResult.Cause(
            era: trial.era, field: trial.rule.field, outcome: outcomes[first + trial.played])
        })
    }
    return EraResult(eras: eras, rows: rows, judged: result.judged)
  }

  private func ranges(of runs: ArraySlice<RunResult>) -> [EnergyRange] {
    let uncertainty = Uncertainty(
      of: runs.map { [$0.usage] }, device: options.device, network: options.network,
      seed: options.seed)
    return runs.enumerated().map { index, run in
      uncertainty.energy(ofRun: index).range(including: run.energy.total.nominal)
    }
  }
}

/// The outcome of a scenario by one era's rules.
package struct EraOutcome: Sendable, Equatable {
  /// Joules, nominal.
  package let energy: Double
  /// Seconds.
  package let receiverOn: Double
  package let deliveries: Int
  package let wakes: Int
  package let launches: Int
  /// The number of times that the system ended a running app.
  package let terminations: Int
  /// The number of times that it purged a suspended one.
  package let purges: Int
  /// Fixes withheld from an app for want of an authorization.
  package let unauthorized: Int
  /// Callbacks to apps about their lives.
  package let callbacks: Int

  init(_ run: RunResult) {
    energy = run.energy.total.nominal
    receiverOn = run.receiverOn
    deliveries = run.counters.deliveries
    wakes = run.counters.wakes
    launches = run.counters.launches
    terminations = run.counters.terminations
    purges = run.counters.purges
    unauthorized = run.counters.verdicts[Verdict.Outcome.unauthorized.index]
    callbacks = run.counters.callbacks
  }
}

/// Several scenarios in several eras.
package struct EraResult: Sendable {
  /// In the order of the columns; the others are compared with the last.
  package let eras: [Era]
  package let rows: [Row]
  /// Seconds with known truth.
  package let judged: Double

  package struct Row: Sendable {
    package let name: String
    /// By era.
    package let outcomes: [EraOutcome]
    /// Their joules, with the 5th and 95th percentile over the draws, or the nominal ones where they are less, or more.
    package let ranges: [EnergyRange]
    /// For each rule in which an era differs from the last one: the last one's outcome with it.
    package let causes: [Cause]
  }

  package struct Cause: Sendable {
    /// The index in `eras`.
    package let era: Int
    /// The field of `Era`.
    package let field: String
    package let outcome: EraOutcome
  }
}
