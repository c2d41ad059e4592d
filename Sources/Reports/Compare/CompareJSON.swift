// SPDX-License-Identifier: Apache-2.0

import JSONText
import LocationEngine
import LocationModel
import RadioPower
package import Replay
import Scoring
import ServiceCore

extension CompareForm {
  package static let json = Self(
    name: "json", help: "One JSON document per trace and line (schema milepost.compare/1)."
  ) { CompareJSON.document($0.trace, options: $0.options, curves: $0.curves) + [0x0A] }
}

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
      json.object(
        "settings", Members(ReplaySettings.all(of: options).map { ($0.name, .text($0.value)) }))
      json.energyRows("baseline", trace.baseline)
      json.array("runs", zip(trace.rows.indices, trace.figures(options))) { run, json in
        write(run.1, curves: curves.indices.contains(run.0) ? curves[run.0] : nil, into: &json)
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
      if !trace.totalOf.isEmpty { json.strings("total_of", trace.totalOf) }
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
    _ figures: ModeFigures, curves: CurveRecord?, into json: inout JSONWriter
  ) {
    let row = figures.row
    json.object { json in
      json.members(row.identity)
      json.members(CompareColumns.all.members(figures))
      json.members(row.score.members)
      if let optimum = row.optimum {
        json.optimum("optimum", optimum)
        json.causal("causal", row.score.causal, optimum)
      }
      json.energyRows("components", row.energy.components)
      json.object(
        "waste",
        [
          "fixless_searches_j": .joules(row.waste.fixlessSearches.energy.nominal),
          "unheard_sessions_j": .joules(row.waste.unheardSessions.energy.nominal),
          "tails_j": .joules(row.waste.tails.energy.nominal),
        ])
      json.drivers(row.sureness?.drivers ?? [])
      if let curves { json.curves(curves) }
    }
  }
}

extension ModeRow {
  /// What makes it this row, also in another comparison of the same trace.
  var identity: Members {
    let policy = plan.service == .significant ? plan.policy?.name : nil
    let interval: Members = plan.policy?.interval.map { ["interval_s": .seconds($0)] } ?? [:]
    let way: Members = [
      "mode": .text(plan.service.rawValue), "scenario": .text(plan.scenario.rawValue),
      "policy": .text(policy),
    ]
    return way + interval + ["auto_pause": .flag(plan.pausesAutomatically)]
  }
}

extension JSONWriter {
  /// `depends_on`: the numbers of the profile that a result depends on most, the strongest first.
  fileprivate mutating func drivers(_ drivers: [Driver]) {
    objects("depends_on", drivers) {
      [
        "number": .text($0.number.key.description),
        "share": .number($0.share, decimals: 4),
        "rises": .flag($0.rises),
      ]
    }
  }
}
