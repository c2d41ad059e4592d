// SPDX-License-Identifier: Apache-2.0

import JSONText
import LocationEngine
import LocationModel
import RadioPower
package import Replay
import Scoring
import ServiceCore

/// `milepost compare --json`: schema `milepost.compare/1`.
package enum CompareJSON {
  package static let schema = "milepost.compare/1"

  /// One document on one line, without a line feed.
  ///
  /// With `curves`, one per row, each run carries all that the HTML report draws.
  package static func document(
    _ trace: ComparedTrace, options: ReplayOptions, curves: [CurveRecord] = []
  ) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.member("schema", schema)
      write(trace, into: &json)
      json.member("profile", options.device.name)
      json.member("network", options.network?.name)
      json.member("era", options.rules.era.name)
      json.member("seed", Int(clamping: options.seed))
      if options.receiverHold > 0 {
        json.member("receiver_hold_s", options.receiverHold, decimals: 3)
      }
      json.key("settings")
      json.object { json in
        for (name, value) in ReplaySettings.all(of: options) { json.member(name, value) }
      }
      json.energyRows("baseline", trace.baseline)
      json.key("runs")
      json.array { json in
        for (index, row) in trace.rows.enumerated() {
          write(
            row, of: trace, options, curves: index < curves.count ? curves[index] : nil,
            into: &json)
        }
      }
      if let ratio = trace.ratio {
        json.key("continuous_to_significant")
        json.object { json in
          json.member("policy", ratio.policy)
          json.member("p5", ratio.spread.p5, decimals: 3)
          json.member("p50", ratio.spread.p50, decimals: 3)
          json.member("p95", ratio.spread.p95, decimals: 3)
          json.drivers(ratio.drivers)
        }
      }
      if let together = trace.together { TogetherReport.write(together, into: &json) }
      guard !trace.totalOf.isEmpty else { return }
      json.key("total_of")
      json.array { json in
        for name in trace.totalOf { json.string(name) }
      }
    }
    return json.bytes
  }

  private static func write(_ trace: ComparedTrace, into json: inout JSONWriter) {
    json.key("trace")
    json.object { json in
      json.member("name", trace.name)
      json.member("format", trace.format?.identifier)
      json.member("fixes", trace.fixes)
      json.member("start", trace.start?.rfc3339)
      json.member("end", trace.end?.rfc3339)
      json.member("duration_s", trace.duration, decimals: 3)
      json.member("judged_s", trace.judged, decimals: 3)
      json.member("distance_m", trace.distance, decimals: 1)
      json.member("gaps", trace.gaps)
      json.member("gap_s", trace.gapSeconds, decimals: 3)
      json.counts("skipped", trace.skipped)
      json.member("truth", trace.truth)
    }
  }

  private static func write(
    _ row: ModeRow, of trace: ComparedTrace, _ options: ReplayOptions, curves: CurveRecord?,
    into json: inout JSONWriter
  ) {
    let energy = row.total
    let share = trace.batteryPercent(row, options)
    json.object { json in
      json.member("mode", row.plan.service.rawValue)
      json.member("scenario", row.plan.scenario.rawValue)
      json.member("policy", row.plan.service == .significant ? row.plan.policy?.name : nil)
      if let interval = row.plan.policy?.interval {
        json.member("interval_s", interval, decimals: 3)
      }
      json.member("auto_pause", row.plan.pausesAutomatically)
      json.energyMembers(energy)
      json.member("average_mw", trace.averageMilliwatts(energy.nominal), decimals: 4)
      json.member("battery_percent", share, decimals: 6)
      json.member("battery_percent_per_day", trace.perDay(share), decimals: 6)
      json.member("battery_life_h", trace.batteryLife(row, options), decimals: 2)
      json.member("gnss_on_s", row.receiverOn, decimals: 3)
      json.member("fixes_seen", row.fixesSeen)
      json.member("deliveries", row.deliveries)
      json.member("wakes", row.wakes)
      json.member("launches", row.launches)
      json.member("uploads", row.uploads)
      json.member("sessions", row.sessions)
      json.member("events_moving", row.movingDeliveries)
      json.member("sessions_per_event", row.sessionsPerEvent, decimals: 4)
      json.member(
        "receiver_on_share", trace.judged > 0 ? row.receiverOn / trace.judged : nil, decimals: 6)
      json.member("blind_s", row.blindSeconds, decimals: 3)
      json.member("blind_m", row.blindMetres, decimals: 1)
      json.scoreMembers(row.score)
      if let optimum = row.optimum {
        json.optimum("optimum", optimum)
        json.causal("causal", row.score.causal, optimum)
      }
      json.energyRows("components", row.energy.components)
      json.key("waste")
      json.object { json in
        json.member("fixless_searches_j", row.waste.fixlessSearches.energy.nominal, decimals: 6)
        json.member("unheard_sessions_j", row.waste.unheardSessions.energy.nominal, decimals: 6)
        json.member("tails_j", row.waste.tails.energy.nominal, decimals: 6)
      }
      json.drivers(row.sureness?.drivers ?? [])
      if let curves { json.curves(curves) }
    }
  }
}

extension JSONWriter {
  /// `depends_on`: the numbers of the profile that a result depends on most, the strongest first.
  fileprivate mutating func drivers(_ drivers: [Driver]) {
    key("depends_on")
    array { json in
      for driver in drivers {
        json.object { json in
          json.member("number", driver.number.key.description)
          json.member("share", driver.share, decimals: 4)
          json.member("rises", driver.rises)
        }
      }
    }
  }

  /// An object of counts, by key in the order of the alphabet.
  mutating func counts(_ name: String, _ counts: [String: Int]) {
    key(name)
    object { json in
      for (reason, count) in counts.sorted(by: { $0.key < $1.key }) { json.member(reason, count) }
    }
  }
}
