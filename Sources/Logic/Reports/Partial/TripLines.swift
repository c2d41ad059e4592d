// SPDX-License-Identifier: Apache-2.0

import FixFormats
package import JSONText
package import Replay

/// What a line of `--stream` says of every trip.
package struct TripHead: Sendable {
  /// As the frame named it.
  package let name: String
  /// The processor's time that it took, seconds.
  package let seconds: Double
  /// Why it failed; `nil` if it did not.
  package let failure: String?

  package init(name: String, seconds: Double, failure: String? = nil) {
    (self.name, self.seconds, self.failure) = (name, seconds, failure)
  }
}

extension JSONTable where Root: TripLine {
  fileprivate mutating func head() {
    value("name", about: "As the frame named the trip.", \.head.name)
    known("took_s", decimals: 6, about: "Of the processor.", \.head.seconds)
    value("failed", about: "Why the trip failed; null if it did not.", \.head.failure)
  }
}

private protocol TripLine: Sendable {
  var head: TripHead { get }
}

/// `milepost compare --stream`: a trip as one line.
package enum CompareTrip {
  private struct Line: TripLine {
    let head: TripHead
    var compared: (trace: ComparedTrace, options: ReplayOptions)?

    var answers: [Chosen]? {
      compared.map { compared in
        compared.trace.answers.map { Chosen(answer: $0, row: compared.trace.rows[$0.row]) }
      }
    }

    var modes: [CompareJSON.ComparedRun]? {
      compared.map { compared in
        compared.trace.figures(compared.options).map { CompareJSON.ComparedRun(figures: $0) }
      }
    }
  }

  private struct Chosen: Sendable {
    let answer: Answer
    let row: ModeRow
  }

  package static var schema: JSONSchema { document.schema }

  package static func line(_ failed: TripHead) -> [UInt8] { document.line(Line(head: failed)) }

  /// The line of a trace that was assessed.
  package static func line(
    _ trace: ComparedTrace, _ options: ReplayOptions, _ head: TripHead
  ) -> [UInt8] {
    document.line(Line(head: head, compared: (trace, options)))
  }

  private static let document = JSONDocument<Line>(
    "milepost.compare-trip/1",
    "A line of milepost compare --stream: one trip. A trip that failed has nothing but its name and the reason."
  ) { line in
    line.head()
    line.optionalValue("trace", CompareJSON.trace.output) { $0.compared?.trace }
    line.optionalValue("oddities", [String].json, about: "What was odd in it, by kind.") {
      $0.compared?.trace.oddities.map(\.kind)
    }
    line.optionalValue(
      "answers", .array(of: chosen.output), about: "The mode to call, by purpose."
    ) { $0.answers }
    line.optionalValue("modes", .array(of: mode.output), about: "Every mode.") { $0.modes }
  }

  private static let chosen = JSONTable<Chosen> { chosen in
    chosen.value("purpose", .word(among: Purpose.allCases), \.answer.purpose)
    chosen.include(CompareJSON.identity, \.row)
    chosen.number(
      "figure", decimals: 6,
      about: "Metres off (track), seconds late (arrival, fence) or a share of the time (area).",
      \.answer.figure)
    chosen.value("keeps", about: "Whether that is within the tolerance.", \.answer.keeps)
    chosen.value(
      "certainty", .word(among: Answer.Certainty.allCases), \.answer.certainty)
  }

  private static let mode = JSONTable<CompareJSON.ComparedRun> { mode in
    mode.include(CompareJSON.identity, \.figures.row)
    mode.include(JSONTable { $0.columns(CompareColumns.all) }, \.figures)
  }
}

/// `milepost score --stream`: a trip as one line.
package enum ScoreTrip {
  private struct Line: TripLine {
    let head: TripHead
    var report: ScoreReport?
  }

  package static var schema: JSONSchema { document.schema }

  package static func line(_ failed: TripHead) -> [UInt8] { document.line(Line(head: failed)) }

  package static func line(_ report: ScoreReport, _ head: TripHead) -> [UInt8] {
    document.line(Line(head: head, report: report))
  }

  private static let document = JSONDocument<Line>(
    "milepost.score-trip/1",
    "A line of milepost score --stream: one trip. A trip that failed has nothing but its name and the reason."
  ) { line in
    line.head()
    line.optionalValue("scored", ScoreJSON.document.output) { $0.report }
  }
}
