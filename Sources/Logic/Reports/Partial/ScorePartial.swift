// SPDX-License-Identifier: Apache-2.0

package import JSONText
package import LocationModel
package import Replay

/// `milepost score --partial`: the sums over one list or many, each against its trace, as one line, and the same line
/// read again.
package struct ScorePartial: PartialLine {
  package static let title = "milepost.score-partial/4"
  package static let command = "score"
  package static let empty = Self()

  package private(set) var release = ""
  package private(set) var settings: [(name: String, value: String)] = []
  package private(set) var subjects = PartialSubjects()
  /// The formats of trace and list, and `trace` or the name of the truth file; `nil` if they differ.
  private var traceFormat: String?
  private var eventsFormat: String?
  private var truth: String?
  private var skipped: [String: Int] = [:]
  package var sums = ExactSums()

  private init() {}

  package init(_ report: ScoreReport, release: String) {
    self.release = release
    settings = Self.settings(report.rules)
    subjects = PartialSubjects(name: "\(report.trace.name)\(Self.separator)\(report.events.name)")
    (traceFormat, eventsFormat) = (report.trace.format, report.events.format)
    truth = report.truth ?? "trace"
    skipped = report.skipped
    sums = Self.sums(of: report.result)
  }

  /// No name of a file has it.
  private static let separator: Character = "/"

  package static let shape = sums(of: DeliveryScore())

  private static func sums(of score: DeliveryScore) -> ExactSums {
    var (walk, score) = (SumWalk(), score)
    score.walkSums(&walk)
    return walk.sums
  }

  package mutating func addHead(of other: Self) {
    subjects += other.subjects
    traceFormat = common(traceFormat, other.traceFormat)
    eventsFormat = common(eventsFormat, other.eventsFormat)
    truth = common(truth, other.truth)
    skipped.merge(other.skipped) { $0 + $1 }
  }

  /// The total, by these rules.
  package func total(_ rules: ScoringRules) -> ScoreReport {
    var (walk, score) = (SumWalk(restoring: sums), DeliveryScore())
    score.walkSums(&walk)
    var total = ScoreReport(
      trace: ("total", traceFormat), truth: truth, events: ("total", eventsFormat),
      skipped: skipped, rules: rules, result: score)
    total.lists = subjects.count
    total.totalOf = subjects.names.map { name in
      let parts = name.split(
        separator: Self.separator, maxSplits: 1, omittingEmptySubsequences: false)
      return .init(trace: String(parts[0]), events: String(parts.last ?? ""))
    }
    return total
  }

  package static func settings(_ rules: ScoringRules) -> [(name: String, value: String)] {
    [
      ("distance", Decimal.shortest(rules.distance)),
      ("interval", Decimal.shortest(rules.interval)),
    ]
  }

  package static let schema = schema(of: "one list or many, each against its trace,")

  package static let table = JSONTable<Self> { partial in
    partial.head(\.release, \.settings, \.subjects, of: "lists")
    partial.field("trace_format", \.traceFormat, about: "Null if they differ.")
    partial.field("events_format", \.eventsFormat)
    partial.field(
      "truth", \.truth, about: "trace, or the name of the truth file; null if they differ.")
    partial.field("skipped", \.skipped, .counts(of: .summable), about: "By reason.")
    partial.sums()
  }
}
