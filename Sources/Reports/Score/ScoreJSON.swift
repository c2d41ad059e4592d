// SPDX-License-Identifier: Apache-2.0

import JSONText
import LocationModel
import Replay
import Scoring

/// `milepost score --json`: schema `milepost.score/1`.
package enum ScoreJSON {
  package static let schema = "milepost.score/1"

  /// One document on one line, without a line feed.
  package static func document(_ report: ScoreReport) -> [UInt8] {
    var json = JSONWriter()
    let (result, score) = (report.result, report.result.score)
    json.object { json in
      json.member("schema", schema)
      json.key("trace")
      json.object { json in
        json.member("name", report.trace.name)
        json.member("format", report.trace.format)
        json.member("truth", report.truth ?? "trace")
        json.member("judged_s", result.judged, decimals: 3)
        json.member("distance_m", result.distance, decimals: 1)
        json.member("gaps", result.gaps)
        json.member("gap_s", result.gapSeconds, decimals: 3)
      }
      json.key("events")
      json.object { json in
        json.member("name", report.events.name)
        json.member("format", report.events.format)
        json.member("deliveries", score.deliveries)
        json.member("cached", score.cached)
        json.member("outside", score.outside)
        json.counts("skipped", report.skipped)
      }
      json.member("distance_m", report.rules.distance, decimals: 3)
      json.member("interval_s", report.rules.interval, decimals: 3)
      json.members(score.members)
      json.member("unjudged", score.unjudged)
      json.member("profile", report.optimum?.profile)
      json.optimum("optimum", report.optimum?.optimum)
      json.causal("causal", score.causal, report.optimum?.optimum)
      guard report.listsCrossings else { return }
      json.objects("list", result.crossings, Self.members)
    }
    return json.bytes
  }

  private static func members(of timed: DeliveryScore.Timed) -> Members {
    let crossing = timed.crossing
    var detected: (latency: Double, overshoot: Double)?
    if case .detected(let latency, let overshoot) = crossing.outcome {
      detected = (latency, overshoot)
    }
    return [
      "anchored": .text(timed.anchoredAt.rfc3339), "crossing": .text(timed.time.rfc3339),
      "decided_by": .text(crossing.decision.rawValue),
      "outcome": .text(detected == nil ? "missed" : "detected"),
      "latency_s": .seconds(detected?.latency),
      "overshoot_m": .metres(crossing.decision == .distance ? detected?.overshoot : nil),
      "after_stay": .flag(crossing.isAfterStay), "earliest_s": .seconds(crossing.reach?.latency),
    ]
  }
}
