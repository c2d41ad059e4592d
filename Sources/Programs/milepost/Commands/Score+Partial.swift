// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import JSONText
import LocationModel
import Replay
import Reports
import TraceFiles

/// `milepost score --partial TRACE EVENTS`, `milepost score --merge FILE...` and `milepost score --stream`
extension Score {
  func checkPartial() throws {
    if trace.isEmpty, !lines.stream {
      throw ValidationError("Missing expected argument '<trace>'")
    }
    try lines.check(
      (trace.isEmpty ? [] : [trace]) + events,
      others: [
        ("--list", list), ("--json", (lines.partial || lines.stream) && json),
        ("--truth", (lines.merge || lines.stream) && truth.truth != nil),
      ])
  }

  /// Prints the total of the lines in the files given in place of trace and events.
  func addUp() throws {
    var rules = ScoringRules()
    (rules.distance, rules.interval) = (distance, interval)
    var files = PartialFiles<ScorePartial>(
      settings: ScorePartial.settings(rules), shape: ScorePartial.shape)
    let sum = try files.total(of: [trace] + events)
    if lines.partial { return try Console.standardOutput(sum.line + [0x0A]) }
    let total = sum.total(rules)
    try Console.show(json ? ScoreJSON.document.line(total) : nil, ScoreText.report(total))
  }

  /// Scores the trips on standard input, each with its list.
  func scoreStream() throws {
    try TripStream<ScorePartial>(seconds: lines.tripSeconds, takesEvents: true).run { trip in
      let report = try report(on: trip.path, of: trip.events ?? "", trip.budget)
      return (
        ScorePartial(report, release: Release.version), { ScoreTrip.line(report, $0) }
      )
    } failed: {
      ScoreTrip.line($0)
    }
  }
}
