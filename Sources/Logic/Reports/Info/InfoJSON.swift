// SPDX-License-Identifier: Apache-2.0

import FixFormats
package import JSONText
import LocationModel
import Replay

/// `milepost info --json`.
package enum InfoJSON {
  package static let document = JSONDocument<InfoReport>(
    "milepost.info/1",
    "One line of milepost info --json: what is in a trace. read = used + the sum of skipped."
  ) { info in
    info.value("name", \.name)
    info.value("format", about: "The name of a trace format.", \.format.identifier)
    info.value("unit", .word(among: [.lines, .points]), \.ledger.unit)
    info.value("read", \.ledger.read)
    info.value("used", \.ledger.used)
    info.counts("skipped", about: "By reason.", \.ledger.skipped)
    info.value("fixes", \.summary.fixes)
    info.value("no_fix_epochs", \.summary.noFixEpochs)
    info.value("fixes_without_time", \.summary.timelessFixes)
    info.value("repeated_times", \.summary.duplicateTimes)
    info.value("backward_times", \.summary.backwardTimes)
    info.value("dated", about: "Whether any date was seen or given.", \.ledger.isDated)
    info.value("start") { $0.ledger.isDated ? $0.summary.start : nil }
    info.value("end") { $0.ledger.isDated ? $0.summary.end : nil }
    info.number(
      "duration_s", decimals: 3, about: "Of several recordings one after another, their sum.",
      \.duration)
    info.value(
      "recordings", about: "A step back of more than a minute begins another one.",
      \.summary.recordings)
    info.number(
      "distance_m", decimals: 1,
      about: "Along the path, straight across gaps, without jumps; null where times run backwards.",
      \.distance)
    info.known(
      "across_gaps_m", decimals: 1, about: "The part of it that compare leaves out.", \.acrossGaps)
    info.number("median_interval_s", decimals: 1, \.summary.medianInterval)
    info.known("gap_threshold_s", decimals: 1, \.summary.gapThreshold)
    info.value("gap_count", \.summary.gapCount)
    info.known("gap_s", decimals: 3, \.summary.gapSeconds)
    info.objects("gaps", about: "In order; of very many the longest.", \.summary.gaps) { gap in
      gap.value("start", \.start)
      gap.value("end", \.end)
      gap.known("gap_s", decimals: 3, \.seconds)
      gap.value("line", about: "The first fix after it.", \.line)
      gap.value("cause", .words(["segment_end", "no_data"]), \.cause)
    }
    info.value(
      "silent_stay_count",
      about: "Holes whose two ends are one place: no gaps, the device is taken to have stayed.",
      \.summary.stayCount)
    info.known("silent_stay_s", decimals: 3, \.summary.staySeconds)
    info.known(
      "silent_stay_longest_s", decimals: 3, about: "0 without any.", \.summary.longestStay)
    info.known(
      "silent_stay_certainty", decimals: 3,
      about: "The chance that the device was in one place for all of the longest one, 0 to 1.",
      \.summary.leastCertainty)
    info.extent("accuracy_m", \.summary.accuracy)
    info.extent("speed_mps", \.summary.speed)
    info.extent("satellites", \.ledger.satellites)
    info.extent("satellites_in_view", \.ledger.satellitesInView)
    info.extent("signal_dbhz", \.ledger.signal)
    info.counts("types", about: "Sentences or messages by type.", \.ledger.types)
    info.objects("findings", \.oddities) { finding in
      finding.value("kind", about: "Stable word.", \.kind)
      finding.value("text", \.text)
      finding.value("count", \.count)
      finding.value("lines", about: "The first places; of jumps all.", \.lines)
    }
  }
}

extension TraceSummary.Gap {
  /// The reason why the position is unknown.
  var cause: String { isSegmentEnd ? "segment_end" : "no_data" }
}

extension JSONTable {
  /// `null` if nothing was counted.
  fileprivate mutating func extent(
    _ name: String, _ extent: @escaping @Sendable (Root) -> TraceLedger.Extent
  ) {
    optionalObject(name, about: "Null where no fix states it.") { root in
      extent(root).mean.map { (extent: extent(root), mean: $0) }
    } _: { part in
      part.value("count", \.extent.count)
      part.number("least", in: -1e15...1e15, decimals: 3, \.extent.least)
      part.known("mean", in: -1e15...1e15, decimals: 3, \.mean)
      part.number("greatest", in: -1e15...1e15, decimals: 3, \.extent.greatest)
    }
  }
}
