// SPDX-License-Identifier: Apache-2.0

import FixFormats
import LocationModel
import RadioPower
import Replay
import ServiceContract

extension CompareForm {
  package static let text = Self(name: "text", help: "", isForPeople: true, separator: "\n") {
    Array(
      AnswerText.trace(
        $0.trace, $0.options, for: $0.purpose, style: $0.style, width: $0.width
      ).utf8)
  }

  package static let details = Self(
    name: "details",
    help:
      "Every figure, what it rests on, and the answer; the modes' apps at once on one device. With --json also curves, "
      + "track, wakes and days, as the HTML report shows them.", isForPeople: true,
    hasFootnotes: true, separator: "\n"
  ) { Array(CompareText.report($0.trace, $0.options).text($0.style).utf8) }
}

/// `milepost compare --details`: the input, the table, the answer in a sentence, and its basis.
package enum CompareText {
  /// The result of one trace.
  static func report(_ trace: ComparedTrace, _ options: ReplayOptions) -> Report {
    let trade = TradeTable(trace, options, most: trace.rows.count)
    let battery = options.device.battery.nominal
    return Report {
      if trace.isTotal {
        Node.title(trace.title, ": \(extent(trace)); \(options.uploadWords(trace.rows))")
      } else {
        head(trace, options)
      }
      Node.part { Node.table(figures(trace, options)) }
      Node.part { Node.bars(Bars.energy(trace.rows, judged: trace.judged, battery: battery)) }
      Node.part { trade.tables(width: TextStyle.width).tables.map { Node.table($0) } }
      Node.part { answers(AnswerWords(trace)) }
      if let together = trace.together { Node.part { TogetherReport.nodes(together) } }
    }
  }

  @ReportBuilder
  private static func head(_ trace: ComparedTrace, _ options: ReplayOptions) -> [Node] {
    let format = trace.format.map { $0.name + ", " } ?? ""
    let start = trace.start.map { ", from \($0.rfc3339)" } ?? ""
    Node.title(trace.name, ": \(format)\(Figures.count(trace.fixes, "fix", "fixes"))\(start)")
    Node.sentence("judged: \(extent(trace)); \(options.uploadWords(trace.rows))")
    if let unknowable = unknowable(trace) { Node.sentence(unknowable) }
    if !trace.skipped.isEmpty { Node.sentence("skipped: \(Figures.counts(trace.skipped))") }
    if !trace.oddities.isEmpty { Node.sentence(oddities(trace).joined(separator: "; ")) }
    Node.sentence(truth(trace))
  }

  @ReportBuilder private static func answers(_ words: AnswerWords) -> [Node] {
    if let thinness = words.thinness { Node.sentence(thinness) }
    for purpose in Purpose.allCases { Node.sentence(words.paragraph(purpose), hanging: 2) }
    if let dependence = words.dependence { Node.sentence(dependence) }
  }

  private static func extent(_ trace: ComparedTrace) -> String {
    "\(Figures.span(trace.judged)), \(Figures.way(trace.distance))"
  }

  /// The decoder's findings, and remedies.
  static func oddities(_ trace: ComparedTrace) -> [String] {
    trace.oddities.enumerated().map { index, finding in
      let isUnmended = finding.kind == "week_rollover" && trace.hasTwoDates
      let remedy = isUnmended ? "(--fix-week-rollover) " : ""
      return (index == 0 ? "odd: " : "") + remedy + finding.words
    }
  }

  /// What nobody could know, so that no mode is blamed for it; `nil` if there is nothing of that.
  static func unknowable(_ trace: ComparedTrace, isBrief: Bool = false) -> String? {
    var parts: [String] = []
    if trace.unknowable.hiddenSeconds >= 1 {
      let way = isBrief ? "" : " (\(Figures.way(trace.unknowable.hiddenMetres)))"
      parts.append("\(Figures.span(trace.unknowable.hiddenSeconds)) without sky" + way)
    }
    if trace.gaps > 0 {
      parts.append(
        "\(Figures.span(trace.gapSeconds)) in \(Figures.count(trace.gaps, "gap", "gaps"))")
    }
    return parts.isEmpty ? nil : "Not judged: \(Figures.list(parts))."
  }

  private static func truth(_ trace: ComparedTrace) -> String {
    guard trace.truth == "trace" else {
      return "truth: \(trace.truth ?? Figures.unknown); the trace is what the receiver saw of it"
    }
    var text = "truth: the trace itself"
    if trace.leftOut > 0 {
      let points = Figures.count(trace.leftOut, "point", "points")
      text +=
        ", without \(points) that nothing confirmed, that jumped and came back, or off by more than 100 m"
    }
    return text + "; the receiver's error is added to it"
  }

  /// Every figure of every mode, and of the baseline; a page has the exact values beside the rounded ones.
  static func figures(
    _ trace: ComparedTrace, _ options: ReplayOptions, onPage: Bool = false
  ) -> Table {
    let rows = trace.figures(options)
    let form: ColumnForms =
      trace.isLong ? onPage ? .htmlOfDays : .textOfDays : onPage ? .html : .text
    let columns = CompareColumns.all.shown(in: form, of: rows)
    var table = Table("\(Figures.span(trace.judged)), \(Figures.distance(trace.distance))")
    if onPage {
      table.header(["mode"] + columns.map { $0.heading(over: trace.judged) })
    } else {
      table.header([""] + columns.map(\.lines.0))
      table.header(
        ["mode"] + columns.map { $0.namesTime ? Figures.span(trace.judged) : $0.lines.1 })
    }
    for figures in rows {
      table.row(
        [.init(onPage ? figures.row.heading : figures.row.name)]
          + columns.map { $0.tableCell(figures, isShort: !onPage) })
    }
    if let baseline = trace.baselineFigures(options) {
      let energy = CompareColumns.energy.shown(in: form)
      table.row(
        [onPage ? "Baseline, not counted" : "baseline"] + energy.map { .init($0.shown(baseline)) },
        styleClass: "aside")
    }
    return table
  }
}

extension TraceLedger.Finding {
  /// `two fixes of one time (line 12), 3 times`.
  var words: String {
    text + (lines.first.map { " (line \($0))" } ?? "")
      + (count > 1 ? ", \(Figures.count(count)) times" : "")
  }
}
