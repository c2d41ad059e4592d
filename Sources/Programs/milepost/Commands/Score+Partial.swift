// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import JSONText
import Replay
import Reports
import TraceFiles

/// `milepost score --partial TRACE EVENTS` and `milepost score --merge FILE...`
extension Score {
  func checkPartial() throws {
    try lines.check(
      [trace] + events,
      others: [
        ("--list", list), ("--json", lines.partial && json),
        ("--truth", lines.merge && truth.truth != nil),
      ])
  }

  func printLine(_ partial: ScorePartial) throws {
    let sums = try PartialSums.bytes(partial.sums)
    try Console.standardOutput(partial.line(sums, as: "score") + [0x0A])
  }

  /// Prints the total of the lines in the files given in place of trace and events.
  func addUp() throws {
    var rules = ScoringRules()
    (rules.distance, rules.interval) = (distance, interval)
    let files = try PartialFiles<ScorePartial>(
      [trace] + events, settings: ScorePartial.settings(rules))
    var sum = ScoredSum()
    try files.forEach { partial, line in
      let score = try PartialSums.score(in: line)
      guard let report = partial.complete(with: score, rules) else {
        throw InputError("'score' is not as --partial writes it; make the line again")
      }
      sum.addReport(report)
    }
    guard let total = sum.total else { return }
    try Console.show(json ? ScoreJSON.document.line(total) : nil) {
      ScoreText.text(total, style: $0)
    }
  }
}
