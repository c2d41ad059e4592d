// SPDX-License-Identifier: Apache-2.0

package import JSONText
package import LocationModel
package import Replay

/// `milepost score --partial`: one list against one trace as one line, and the same line read again.
package struct ScorePartial: PartialLine {
  package static let title = "milepost.score-partial/1"
  package static let command = "score"
  package static let empty = Self()

  package private(set) var release = ""
  package private(set) var settings: [(name: String, value: String)] = []
  /// Its truth is `trace` or a name; its score is empty until `complete`.
  package private(set) var report = ScoreReport(
    trace: ("", nil), truth: nil, events: ("", nil), skipped: [:], rules: ScoringRules(),
    result: DeliveryScore())
  private var start: UTCInstant?
  private var end: UTCInstant?

  private init() {}

  /// `start` and `end` are those of the truth.
  package init(_ report: ScoreReport, from start: UTCInstant?, to end: UTCInstant?, release: String)
  {
    self.release = release
    settings = Self.settings(report.rules)
    self.report = report
    self.report.truth = report.truth ?? "trace"
    (self.start, self.end) = (start, end)
  }

  package var order: SummingOrder {
    SummingOrder(name: report.trace.name, list: report.events.name, start: start, end: end)
  }

  /// The content of the member `score`.
  package var sums: Score { report.result.score }

  /// Gives the report its score; `nil` if it is invalid.
  package func complete(with score: Score, _ rules: ScoringRules) -> ScoreReport? {
    guard score.isWhole else { return nil }
    var report = report
    report.rules = rules
    report.result.score = score
    return report
  }

  package static func settings(_ rules: ScoringRules) -> [(name: String, value: String)] {
    [
      ("distance", Decimal.shortest(rules.distance)),
      ("interval", Decimal.shortest(rules.interval)),
    ]
  }

  package static let schema = schema(
    of: "one list against one trace", adding: "score", .map(.anything))

  package static let table = JSONTable<Self> { partial in
    partial.constant("schema", .string(title))
    partial.field("release", \.release)
    partial.field(
      "settings", \.settings, .texts, about: "Options by name; lines of others are not added up.")
    partial.field("trace", \.report.trace.name)
    partial.field("trace_format", \.report.trace.format)
    partial.field("truth", \.report.truth, about: "trace, or the name of the truth file.")
    partial.field("start", \.start, about: "Of the truth.")
    partial.field("end", \.end)
    partial.field("events", \.report.events.name)
    partial.field("events_format", \.report.events.format)
    partial.field("skipped", \.report.skipped, .counts(of: .summable), about: "By reason.")
    partial.field("judged_s", \.report.result.judged, .bitForBit)
    partial.field("distance_m", \.report.result.distance, .bitForBit)
    partial.field("gaps", \.report.result.gaps, .summable)
    partial.field("gap_s", \.report.result.gapSeconds, .bitForBit)
    partial.field("jumps_removed", \.report.result.jumpsRemoved, .summable)
  }
}

/// The sum over lists that arrive one by one, in their `order`.
package struct ScoredSum: Sendable {
  private var sum: ScoreReport?
  private var pairs: [ScoreReport.Pair] = []

  package init() {}

  package mutating func addReport(_ report: ScoreReport) {
    pairs.append(.init(trace: report.trace.name, events: report.events.name))
    guard var sum else {
      self.sum = report
      return
    }
    if sum.trace.format != report.trace.format { sum.trace.format = nil }
    if sum.events.format != report.events.format { sum.events.format = nil }
    if sum.truth != report.truth { sum.truth = nil }
    sum.skipped.merge(report.skipped) { $0 + $1 }
    sum.result += report.result
    self.sum = sum
  }

  /// `nil` if nothing was added.
  package var total: ScoreReport? {
    guard var total = sum else { return nil }
    (total.trace.name, total.events.name) = ("total", "total")
    total.totalOf = pairs
    return total
  }
}
