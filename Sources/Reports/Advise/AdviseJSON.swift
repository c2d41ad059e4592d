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
      json.objects("traces", report.traces) {
        ["name": .text($0.name), "truth_is_trace": .flag($0.isOwnTruth)]
      }
      json.member("judged_s", report.sweep.judged, decimals: 3)
      json.member("distance_m", report.sweep.distance, decimals: 1)
      json.member("gaps", report.sweep.gaps)
      json.member("profile", options.device.name)
      json.member("network", options.network?.name)
      json.member("era", options.rules.era.name)
      json.member("seed", Int(clamping: options.seed))
      json.member("budget_mwh_per_day", report.limits.budget, decimals: 6)
      json.member("latest_s", report.limits.latest, decimals: 3)
      json.member("rule", report.limits.rule)
      json.member("recommended", report.recommended?.name)
      json.key("corner")
      if let corner = report.front.corner {
        json.object([
          "energy_mwh_per_day": .number(corner, decimals: 4),
          "delay_s": .seconds(Sweep.cornerDelay),
        ])
      } else {
        json.null()
      }
      json.objects("configurations", report.places) {
        $0.identity + AdviseColumns.all.members($0) + [
          "on_front": .flag($0.place.letter != nil), "beaten_by": .text($0.place.beatenBy),
        ]
      }
      json.strings("silent", report.front.silent)
    }
    return json.bytes
  }
}
