// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel
import RadioPower
import Replay
import Reports
import ServiceCore
import TraceFiles

/// A scenario with expectations over a trace, in several worlds.
struct ExpectationSession {
  let scenario: Scenario
  /// The file's name.
  let name: String
  let worlds: Int
  let options: ReplayOptions

  func suite(over input: TraceInput, _ setting: ReplaySetting) throws -> ExpectationReport.Suite {
    var options = options
    try setting.world.placeTowers(for: input, in: &options)
    var failures: [[ExpectationJudge.Failure]] = []
    var first: [String: ExpectationReport.Failure] = [:]
    for number in 0..<worlds {
      let (found, account, energy) = try live(over: input, options.world(number))
      failures.append(found)
      for failure in found where first[Self.key(failure.expectation)] == nil {
        first[Self.key(failure.expectation)] = .init(
          failure.words, at: failure.time, inWorld: number + 1,
          seed: options.world(number).seed,
          account: failure.expectation.isOfEnergy
            ? ExpectationReport.shares(of: energy) : Self.around(failure, account))
      }
    }
    let cases = scenario.expectations.map { expectation in
      let failed = failures.count { $0.contains { $0.expectation == expectation } }
      let isBroken = Double(failed) > (1 - ExpectationReport.share) * Double(worlds) + 1e-9
      return ExpectationReport.Case(
        sentence: expectation.sentence, app: expectation.app, failedWorlds: failed,
        failure: isBroken ? first[Self.key(expectation)] : nil)
    }
    return ExpectationReport.Suite(
      file: name, trace: input.file.name, rules: rules, cases: cases)
  }

  /// The title of the era, or of a release of Android.
  private var rules: String {
    scenario.android.map { "Android \($0.release.version)" } ?? options.rules.era.title
  }

  private static func key(_ expectation: Expectation) -> String {
    "\(expectation.app ?? "") \(expectation.sentence)"
  }

  /// What failed in one life, its account, and its energy.
  typealias Life = (
    failures: [ExpectationJudge.Failure], account: [ReplayEvent], energy: EnergyReport
  )

  private func live(
    over input: TraceInput, _ options: ReplayOptions
  ) throws -> Life {
    if let script = scenario.android { return try live(script, over: input, options) }
    var judge = ExpectationJudge(scenario)
    var account: [ReplayEvent] = []
    let plan = RunPlan(.significant, .pocket)
    var comparison = Comparison(
      runs: [
        Run(
          scenario, tracking: Self.usual(plan, options), options: options, records: [.events],
          expecting: input.replayed.duration)
      ], options: options, summary: input.replayed, observed: input.observed)
    func drain() {
      let events = comparison.drainEvents(ofRun: 0)
      judge.takeAccount(events)
      account += events.filter { Self.isTold($0) }
    }
    try input.forEachPiece(isReported: false) { events in
      judge.takeTruth(events)
      comparison.feed(events)
      drain()
    }
    let result = comparison.finishTrace()
    drain()
    let energy = result.runs.first?.energy ?? .zero
    return (judge.failures(joules: energy.total.nominal), account, energy)
  }

  private static func usual(_ plan: RunPlan, _ options: ReplayOptions) -> RunPlan {
    var plan = plan
    plan.policy = .usual(for: options.device, seed: options.seed)
    return plan
  }

  /// Whether people are told of an event: radios switch too often.
  private static func isTold(_ event: ReplayEvent) -> Bool {
    if case .radio = event.kind { false } else { true }
  }

  /// The lines of the account around a failure; the last ones for what is of the whole trace.
  private static func around(
    _ failure: ExpectationJudge.Failure, _ account: [ReplayEvent]
  ) -> [String] {
    let own = account.filter { $0.name == nil || failure.expectation.app.map($0.isOf) ?? true }
    let place = failure.time.map { time in own.firstIndex { $0.time > time } ?? own.count }
    let middle = place ?? own.count
    let shown = ExpectationReport.lines
    let lines = own[max(0, middle - shown.before)..<min(own.count, middle + shown.after)]
    return lines.map { ReplayText.line(event: $0) }
  }
}

extension Expectation {
  /// Whether it is about a sum, which no event shows.
  fileprivate var isOfEnergy: Bool { if case .energy = claim { true } else { false } }
}

extension ReplayEvent {
  fileprivate func isOf(_ app: String) -> Bool { name == app }
}
