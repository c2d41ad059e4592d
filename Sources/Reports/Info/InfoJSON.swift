// SPDX-License-Identifier: Apache-2.0

import FixFormats
import JSONText
import LocationModel
import Replay

/// `milepost info --json`: schema `milepost.info/1`.
package enum InfoJSON {
  package static let schema = "milepost.info/1"

  /// One document on one line, without a line feed.
  package static func document(_ report: InfoReport) -> [UInt8] {
    var json = JSONWriter()
    let (summary, ledger) = (report.summary, report.ledger)
    json.object { json in
      json.member("schema", schema)
      json.member("name", report.name)
      json.member("format", report.format.identifier)
      json.member("unit", ledger.unit.rawValue)
      json.member("read", ledger.read)
      json.member("used", ledger.used)
      json.counts("skipped", ledger.skipped)
      json.member("fixes", summary.fixes)
      json.member("no_fix_epochs", summary.noFixEpochs)
      json.member("fixes_without_time", summary.timelessFixes)
      json.member("repeated_times", summary.duplicateTimes)
      json.member("backward_times", summary.backwardTimes)
      json.member("dated", ledger.isDated)
      json.member("start", ledger.isDated ? summary.start?.rfc3339 : nil)
      json.member("end", ledger.isDated ? summary.end?.rfc3339 : nil)
      json.member("duration_s", report.duration, decimals: 3)
      json.member("distance_m", report.distance, decimals: 1)
      json.member("median_interval_s", summary.medianInterval, decimals: 1)
      json.member("gap_threshold_s", summary.gapThreshold, decimals: 1)
      json.member("gap_s", report.gapSeconds, decimals: 3)
      json.objects("gaps", summary.gaps) {
        [
          "start": .text($0.start.rfc3339), "end": .text($0.end.rfc3339),
          "gap_s": .seconds($0.seconds), "line": .count($0.line), "cause": .text($0.cause),
        ]
      }
      json.extent("accuracy_m", summary.accuracy)
      json.extent("speed_mps", summary.speed)
      json.extent("satellites", ledger.satellites)
      json.extent("satellites_in_view", ledger.satellitesInView)
      json.extent("signal_dbhz", ledger.signal)
      json.counts("types", ledger.types)
      json.array("findings", report.oddities) { finding, json in
        json.object { json in
          json.members([
            "kind": .text(finding.kind), "text": .text(finding.text),
            "count": .count(finding.count),
          ])
          json.array("lines", finding.lines) { $1.integer($0) }
        }
      }
    }
    return json.bytes
  }
}

extension TraceSummary.Gap {
  var seconds: Double { UTCInstant.seconds(from: start, to: end) }

  /// Why nobody knows where the device was.
  var cause: String { isSegmentEnd ? "segment_end" : "no_data" }
}

extension JSONWriter {
  /// `null` where nothing was counted.
  fileprivate mutating func extent(_ name: String, _ extent: TraceLedger.Extent) {
    key(name)
    guard let mean = extent.mean else { return null() }
    object([
      "count": .count(extent.count), "least": .number(extent.least, decimals: 3),
      "mean": .number(mean, decimals: 3),
      "greatest": .number(extent.greatest, decimals: 3),
    ])
  }
}
