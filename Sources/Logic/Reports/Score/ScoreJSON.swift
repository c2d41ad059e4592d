// SPDX-License-Identifier: Apache-2.0

package import JSONText
import Replay

/// `milepost score --json`.
package enum ScoreJSON {
  package static let document = JSONDocument<ScoreReport>(
    "milepost.score/1",
    "milepost score --json: a list of deliveries against a trace as the truth."
  ) { report in
    report.object("trace", { $0 }) { trace in
      trace.value("name", \.trace.name)
      trace.value("format", about: "Null in a total over several.", \.trace.format)
      trace.value(
        "truth",
        about: "trace, or the name of the truth file; null in a total where they differ.",
        \.truthName)
      trace.known("judged_s", decimals: 3, \.result.judged)
      trace.known("distance_m", decimals: 1, \.result.distance)
      trace.value("gaps", \.result.gaps)
      trace.known("gap_s", decimals: 3, \.result.gapSeconds)
    }
    report.object("events", { $0 }) { events in
      events.value("name", \.events.name)
      events.value(
        "format",
        about:
          "milepost-replay, owntracks, overland, json, or a trace format; null in a total over several.",
        \.events.format)
      events.value(
        "deliveries", about: "Fresh deliveries of which the true position is known.",
        \.result.score.deliveries)
      events.value("cached", about: "Deliveries of an old position.", \.result.score.cached)
      events.value(
        "outside", about: "Fresh deliveries in gaps or outside the trace's time.",
        \.result.score.outside)
      events.counts("skipped", about: "By reason.", \.skipped)
    }
    report.known(
      "distance_m", decimals: 3, about: "Metres that make a crossing.", \.rules.distance)
    report.known(
      "interval_s", decimals: 3, about: "Seconds between a delivery and the next crossing.",
      \.rules.interval)
    report.include(ScoreTables.score, \.result.score)
    report.value(
      "unjudged", about: "Crossings less than 300 s before a gap or the end.",
      \.result.score.unjudged)
    report.value("profile", about: "Device profile of the optimum.", \.optimum?.profile)
    report.bounds(\.optimum?.optimum, \.result.score.causal, isRequired: true)
    report.optionalValue(
      "list", .array(of: crossing.output), about: "Every judged crossing; with --list."
    ) { $0.listsCrossings ? $0.result.crossings : nil }
    report.optionalValue(
      "total_of", .array(of: pair.output),
      about: "Only in the total of several lists: the first \(PartialSubjects.mostNames) of them."
    ) { $0.totalOf.isEmpty ? nil : $0.totalOf }
    report.optionalValue("lists", .count, about: "Only there: their number.") {
      $0.lists > 0 ? $0.lists : nil
    }
  }

  private static let pair = JSONTable<ScoreReport.Pair> { pair in
    pair.value("trace", \.trace)
    pair.value("events", \.events)
  }

  private static let crossing = JSONTable<DeliveryScore.Timed> { timed in
    timed.value("anchored", about: "The last delivery before it.", \.anchoredAt)
    timed.value("crossing", \.time)
    timed.include(ScoreTables.crossing, \.crossing)
  }
}

extension ScoreReport {
  /// The truth as documents name it.
  fileprivate var truthName: String? { totalOf.isEmpty ? truth ?? "trace" : truth }
}
