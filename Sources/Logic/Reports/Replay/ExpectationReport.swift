// SPDX-License-Identifier: Apache-2.0

package import JSONText
package import LocationModel
package import RadioPower
import ServiceContract

/// What became of the expectations of scenarios' files: `milepost test`.
package struct ExpectationReport: Sendable {
  /// The share of worlds in which an expectation must hold.
  package static let share = 0.95
  /// The lines of the account before a failure, and after it.
  package static let lines = (before: 4, after: 4)

  /// The number of worlds in which each was played.
  package var worlds: Int
  package var suites: [Suite] = []
  /// Files that could not be tested.
  package var untested: [Untested] = []

  package init(worlds: Int) { self.worlds = worlds }

  /// A file that could not be tested, and why.
  package struct Untested: Sendable {
    package var file: String
    package var reason: String

    package init(file: String, reason: String) {
      self.file = file
      self.reason = reason
    }
  }

  /// One file over one trace by the rules of one era.
  package struct Suite: Sendable {
    package var file: String
    package var trace: String
    package var rules: String
    package var cases: [Case]

    package init(file: String, trace: String, rules: String, cases: [Case]) {
      self.file = file
      self.trace = trace
      self.rules = rules
      self.cases = cases
    }

    /// `drive.yaml over car-commute.gpx, ios7`.
    package var name: String { "\(file) over \(trace), \(rules)" }
  }

  /// One expectation.
  package struct Case: Sendable {
    /// As the file has it.
    package var sentence: String
    /// `nil` for the device.
    package var app: String?
    /// The number of worlds in which it did not hold; a few may be allowed.
    package var failedWorlds: Int
    /// `nil` if it holds.
    package var failure: Failure?

    package init(sentence: String, app: String?, failedWorlds: Int, failure: Failure?) {
      self.sentence = sentence
      self.app = app
      self.failedWorlds = failedWorlds
      self.failure = failure
    }

    package var subject: String { app ?? "device" }
  }

  /// What happened in the first world in which an expectation did not hold.
  package struct Failure: Sendable {
    /// `woken 6 min 12 s after it left home`.
    package var reason: String
    /// `nil` for what is of the whole trace.
    package var time: UTCInstant?
    /// Counts from 1.
    package var world: Int
    package var seed: UInt64
    /// The lines of the account around it; of an energy, what took most of it.
    package var account: [String]

    package init(
      _ reason: String, at time: UTCInstant?, inWorld world: Int, seed: UInt64, account: [String]
    ) {
      self.reason = reason
      self.time = time
      self.world = world
      self.seed = seed
      self.account = account
    }

    /// `world 3, seed 3`.
    var place: String { "world \(world), seed \(seed)" }
  }

  package var cases: [Case] { suites.flatMap(\.cases) }

  /// The number of expectations that do not hold.
  package var failed: Int { cases.count { $0.failure != nil } }

  /// What is said of a failure in one line.
  func message(of failure: Failure, in one: Case) -> String {
    "\(failure.reason), in \(one.failedWorlds) of \(worlds) worlds"
  }

  /// The number of lines of an energy that name what took it.
  private static let shown = 5

  /// What took most of an energy, as `62 J gnss acquire_hot in 4 min`, the largest first, and what is left.
  package static func shares(of energy: EnergyReport) -> [String] {
    let rows = energy.components.sorted { $0.energy.nominal > $1.energy.nominal }
    let rest = rows.dropFirst(shown)
    return rows.prefix(shown).map { row in
      "\(Figures.energy(row.energy.nominal)) \(row.component) \(row.state)"
        + (row.seconds > 0 ? " in \(Figures.span(row.seconds))" : "")
    }
      + (rest.isEmpty
        ? [] : ["\(Figures.energy(rest.reduce(0) { $0 + $1.energy.nominal })) all else"])
  }

  package static let document = JSONDocument<ExpectationReport>(
    "milepost.test/1",
    "milepost test --json: which expectations of scenarios hold, and what happened where one does not."
  ) { report in
    report.value("worlds", .count, about: "Each was played in so many.") { $0.worlds }
    report.value("expectations", .count) { $0.cases.count }
    report.value("failed", .count, about: "Expectations that do not hold.") { $0.failed }
    report.objects("suites", about: "A file over a trace by the rules of an era.", \.suites) {
      suite in
      suite.value("file", \.file)
      suite.value("trace", \.trace)
      suite.value("rules", about: "The era's name.", \.rules)
      suite.objects("expectations", about: "In the order of the file.", \.cases, members)
    }
    report.objects("untested", about: "Files that could not be tested.", \.untested) { file in
      file.value("file", \.file)
      file.value("reason", \.reason)
    }
  }

  private static func members(_ one: inout JSONTable<Case>) {
    one.value("app", about: "Null of what is expected of the whole device.", \.app)
    one.value("sentence", \.sentence)
    one.value("holds") { $0.failure == nil }
    one.value("failed_worlds", .count, about: "One in 20 may fail.") { $0.failedWorlds }
    one.optionalObject(
      "failure", about: "In the first world in which it failed; null if it holds.", \.failure
    ) { failure in
      failure.value("reason", \.reason)
      failure.value("time", about: "Null of what is of the whole trace.", \.time)
      failure.value("world", .count, about: "Counts from 1.") { $0.world }
      failure.value("seed", about: "Replays it: milepost replay --seed.") {
        Int(clamping: $0.seed)
      }
      failure.value(
        "account", about: "What happened around it, a line each; of an energy, what took it.",
        \.account)
    }
  }
}
