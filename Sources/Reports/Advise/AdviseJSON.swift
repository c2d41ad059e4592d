// SPDX-License-Identifier: Apache-2.0

import JSONText
import LocationEngine
import LocationModel
import RadioPower
import Replay
import Scoring

/// `milepost advise --json`: schema `milepost.advise/1`.
package enum AdviseJSON {
  package static let schema = "milepost.advise/1"

  /// One document on one line, without a line feed.
  package static func document(_ report: AdviseReport) -> [UInt8] {
    var json = JSONWriter()
    let options = report.options
    json.object { json in
      json.member("schema", schema)
      json.key("traces")
      json.array { json in
        for trace in report.traces {
          json.object { json in
            json.member("name", trace.name)
            json.member("truth_is_trace", trace.isOwnTruth)
          }
        }
      }
      json.member("judged_s", report.sweep.judged, decimals: 3)
      json.member("distance_m", report.sweep.distance, decimals: 1)
      json.member("gaps", report.sweep.gaps)
      json.member("profile", options.device.name)
      json.member("network", options.network?.name)
      json.member("era", options.rules.era.name)
      json.member("seed", Int(clamping: options.seed))
      json.member("budget_mwh_per_day", report.wish.budget, decimals: 6)
      json.member("latest_s", report.wish.latest, decimals: 3)
      json.member("rule", report.wish.rule)
      json.member("recommended", report.recommended?.name)
      json.key("corner")
      if let corner = report.front.corner {
        json.object { json in
          json.member("energy_mwh_per_day", corner, decimals: 4)
          json.member("delay_s", Sweep.cornerDelay, decimals: 3)
        }
      } else {
        json.null()
      }
      json.key("configurations")
      json.array { json in
        for place in report.front.front + report.front.others { write(place, report, into: &json) }
      }
      json.key("silent")
      json.array { json in
        for name in report.front.silent { json.string(name) }
      }
    }
    return json.bytes
  }

  private static func write(
    _ place: Front.Place, _ report: AdviseReport, into json: inout JSONWriter
  ) {
    let point = place.point
    let plan = point.configuration.plan
    let judged = report.sweep.judged
    json.object { json in
      json.member("name", place.name)
      json.member("mode", plan.service.rawValue)
      json.member("policy", plan.policy?.name)
      json.member("auto_pause", plan.pausesAutomatically)
      json.member("interval_s", point.configuration.interval, decimals: 3)
      json.member("is_choice", point.configuration.isChoice)
      json.member("energy_mwh_per_day", place.energy, decimals: 4)
      json.member("energy_low_mwh_per_day", place.low, decimals: 4)
      json.member("energy_high_mwh_per_day", place.high, decimals: 4)
      json.member("delay_p50_s", place.median, decimals: 3)
      json.member("delay_p95_s", place.delay, decimals: 3)
      json.member("crossings", point.score.crossings)
      json.member("missed", point.score.missed)
      json.member("spurious", point.score.spurious)
      json.member("deliveries", point.deliveries)
      json.member("sessions", point.sessions)
      json.member(
        "receiver_on_share", judged > 0 ? point.receiverOn / judged : nil, decimals: 6)
      json.member("on_front", place.letter != nil)
      json.member("beaten_by", place.beatenBy)
      json.member("buys_s_per_mwh_per_day", place.buys, decimals: 4)
    }
  }
}
