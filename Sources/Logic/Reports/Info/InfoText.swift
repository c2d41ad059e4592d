// SPDX-License-Identifier: Apache-2.0

import FixFormats
import JSONText
import LocationModel
import Replay
import ServiceContract

/// `milepost info` for people.
package enum InfoText {
  /// The number of gaps and places listed one by one.
  static let listed = 10

  package static func report(_ report: InfoReport) -> Report {
    let (summary, ledger) = (report.summary, report.ledger)
    return Report {
      Node.title(report.name)
      fact("format", report.format.name)
      fact("read", account(ledger))
      fact("fixes", fixes(summary))
      if summary.fixes > 0 {
        fact("span", span(summary, ledger))
        fact("distance", report.distance.map { distance($0, report.acrossGaps) } ?? backwards)
        fact("sampling", sampling(summary))
        fact("gaps", gaps(summary))
        for gap in summary.gaps.prefix(listed) { fact("", words(of: gap, in: report.name)) }
        if summary.stayCount > 0 { fact("silent", stays(summary)) }
        fact("accuracy", extent(summary.accuracy, " m", 1, "not stated"))
        fact("speed", extent(summary.speed, " m/s", 1, "not stated"))
      }
      fact("satellites", satellites(ledger))
      if !ledger.types.isEmpty { fact("types", types(ledger)) }
      if report.oddities.isEmpty { fact("odd", "nothing found") }
      for (index, finding) in report.oddities.enumerated() {
        fact(index == 0 ? "odd" : "", words(of: finding))
      }
    }
  }

  /// Names of messages, columns and elements are the trace's own words.
  private static func fact(_ name: String, _ text: String) -> Node {
    .fact(name, text, column: 14)
  }

  private static func distance(_ metres: Double, _ acrossGaps: Double) -> String {
    Figures.way(metres)
      + (acrossGaps >= 1 ? ", of these \(Figures.way(acrossGaps)) straight across gaps" : "")
  }

  private static func words(of gap: TraceSummary.Gap, in name: String) -> String {
    "\(gap.start.rfc3339) to \(gap.end.rfc3339), \(Figures.span(gap.seconds)), "
      + "\(Names.words(gap.cause)) (\(name):\(gap.line))"
  }

  private static func types(_ ledger: TraceLedger) -> String {
    ledger.types.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { "\($0.key) \(Figures.count($0.value))" }.joined(separator: ", ")
  }

  private static func account(_ ledger: TraceLedger) -> String {
    let units = ledger.unit.rawValue
    let read = Figures.count(ledger.read, String(units.dropLast()), units)
    var text = "\(read) = \(Figures.count(ledger.used)) used"
    let skipped = ledger.skipped.sorted { $0.key < $1.key }
    for (reason, count) in skipped { text += " + \(Figures.count(count)) skipped (\(reason))" }
    if skipped.isEmpty { text += ", none skipped" }
    return text
  }

  private static func fixes(_ summary: TraceSummary) -> String {
    var parts = [Figures.count(summary.fixes)]
    if summary.noFixEpochs > 0 {
      parts.append(
        "and \(Figures.count(summary.noFixEpochs, "epoch", "epochs")) without a position")
    }
    if summary.timelessFixes > 0 {
      parts.append("(\(Figures.count(summary.timelessFixes)) without a time: --point-interval)")
    }
    return parts.joined(separator: " ")
  }

  private static func span(_ summary: TraceSummary, _ ledger: TraceLedger) -> String {
    guard let start = summary.start, let end = summary.end else { return "no times" }
    guard ledger.isDated else {
      return
        "\(clock(start)) to \(clock(end)), \(Figures.span(summary.duration)); without a date (--date gives one)"
    }
    let duration =
      summary.runsBackwards
      ? "backwards (\(Figures.count(summary.backwardTimes, "step", "steps")) back in time): put the fixes "
        + "in the order of time" : Figures.span(summary.duration)
    let recordings =
      summary.recordings > 1 ? " in \(summary.recordings) recordings, one after the other" : ""
    return "\(start.rfc3339) to \(end.rfc3339), \(duration)\(recordings)"
  }

  /// The text for values left unknown by times that run backwards.
  private static let backwards = "not known, as times run backwards"

  /// The time of day alone, if the date is unknown.
  private static func clock(_ instant: UTCInstant) -> String {
    String(instant.rfc3339.dropFirst(11))
  }

  private static func sampling(_ summary: TraceSummary) -> String {
    guard let median = summary.medianInterval else {
      if summary.runsBackwards { return backwards }
      return summary.start == nil ? "no times" : "one point in time"
    }
    var text = "every \(Figures.plain(median)) s (median)"
    if summary.duplicateTimes > 0 {
      text += ", \(Figures.count(summary.duplicateTimes, "time", "times")) repeated"
    }
    if summary.backwardTimes > 0 {
      text += ", \(Figures.count(summary.backwardTimes, "step", "steps")) back in time"
    }
    return text
  }

  private static func gaps(_ summary: TraceSummary) -> String {
    let limit = "\(Figures.plain(summary.gapThreshold)) s or a segment's end"
    guard summary.gapCount > 0 else { return "none (more than \(limit))" }
    let more = summary.gapCount > listed ? "; the first \(listed):" : ":"
    return "\(Figures.count(summary.gapCount)) (more than \(limit)), "
      + Figures.span(summary.gapSeconds) + more
  }

  private static func stays(_ summary: TraceSummary) -> String {
    let certainty = Int((100 * summary.leastCertainty).rounded())
    return
      "\(Figures.count(summary.stayCount, "stay", "stays")) without data, \(Figures.span(summary.staySeconds)): both "
      + "ends in one place; the longest \(Figures.span(summary.longestStay)), \(certainty) % certain"
  }

  private static func extent(
    _ extent: TraceLedger.Extent, _ unit: String, _ decimals: Int, _ none: String
  ) -> String {
    guard let mean = extent.mean else { return none }
    let number = { (value: Double) in Decimal.text(value, decimals: decimals) }
    return
      "\(number(extent.least)) to \(number(extent.greatest))\(unit), mean \(number(mean))\(unit)"
  }

  private static func satellites(_ ledger: TraceLedger) -> String {
    guard ledger.satellites.count + ledger.satellitesInView.count > 0 else { return "not stated" }
    var parts: [String] = []
    if ledger.satellites.count > 0 {
      parts.append("used \(extent(ledger.satellites, "", 0, ""))")
    }
    if ledger.satellitesInView.count > 0 {
      parts.append("in view \(extent(ledger.satellitesInView, "", 0, ""))")
    }
    if ledger.signal.count > 0 { parts.append("C/N0 \(extent(ledger.signal, " dB-Hz", 0, ""))") }
    return parts.joined(separator: "; ")
  }

  private static func words(of finding: TraceLedger.Finding) -> String {
    let times = finding.count > 1 ? " (\(Figures.count(finding.count)) times)" : ""
    guard !finding.lines.isEmpty else { return finding.text + times }
    let places = ranges(finding.lines).joined(separator: ", ")
    let more = finding.count > finding.lines.count ? ", …" : ""
    let word = finding.lines.count == 1 && more.isEmpty ? "line" : "lines"
    return "\(finding.text)\(times): \(word) \(places)\(more)"
  }

  /// Runs of consecutive lines as one: `22 to 24`, `30`.
  private static func ranges(_ lines: [Int]) -> [String] {
    var runs: [(first: Int, last: Int)] = []
    for line in lines {
      if let run = runs.last, line == run.last + 1 {
        runs[runs.count - 1].last = line
      } else {
        runs.append((line, line))
      }
    }
    return runs.map { $0.first == $0.last ? "\($0.first)" : "\($0.first) to \($0.last)" }
  }
}
