// SPDX-License-Identifier: Apache-2.0

import FixFormats
import LocationModel
import RadioPower
package import Replay
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
  ) { Array(CompareText.trace($0.trace, options: $0.options, style: $0.style).utf8) }
}

/// `milepost compare --details`: the input, the table, the answer in a sentence, and its basis.
package enum CompareText {
  /// The result of one trace.
  package static func trace(
    _ trace: ComparedTrace, options: ReplayOptions, style: TextStyle
  ) -> String {
    head(trace, options, style) + "\n" + table(trace, options, style) + "\n"
      + advice(trace, options, style)
  }

  private static func head(
    _ trace: ComparedTrace, _ options: ReplayOptions, _ style: TextStyle
  ) -> String {
    if trace.isTotal {
      return style.bold(trace.title) + ": "
        + extent(trace) + "; " + options.uploadWords(trace.rows) + "\n"
    }
    var text = style.bold(trace.name) + ": "
    text += [trace.format?.name, Figures.count(trace.fixes, "fix", "fixes")]
      .compactMap(\.self).joined(separator: ", ")
    if let start = trace.start { text += ", from \(start.rfc3339)" }
    text += "\n"
    let line = "judged: \(extent(trace))"
    text += Paragraph.text(line + "; \(options.uploadWords(trace.rows))")
    text += unknowable(trace).map { Paragraph.text($0) } ?? ""
    if !trace.skipped.isEmpty {
      text += Paragraph.text("skipped: \(Figures.counts(trace.skipped))")
    }
    let odd = oddities(trace)
    if !odd.isEmpty { text += Paragraph.text(odd.joined(separator: "; ")) }
    return text + truth(trace)
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
  static func unknowable(_ trace: ComparedTrace) -> String? {
    var parts: [String] = []
    if trace.unknowable.hiddenSeconds >= 1 {
      parts.append(
        "\(Figures.span(trace.unknowable.hiddenSeconds)) without sky "
          + "(\(Figures.way(trace.unknowable.hiddenMetres)))")
    }
    if trace.gaps > 0 {
      parts.append(
        "\(Figures.count(trace.gaps, "gap", "gaps")) of \(Figures.span(trace.gapSeconds))")
    }
    return parts.isEmpty
      ? nil : "Nobody could know \(Figures.list(parts)): no mode is blamed for that."
  }

  private static func truth(_ trace: ComparedTrace) -> String {
    guard trace.truth == "trace" else {
      return "truth: \(trace.truth ?? Figures.unknown); the trace is what the receiver saw of it\n"
    }
    var text = "truth: the trace itself"
    if trace.jumpsRemoved > 0 {
      let points = Figures.count(trace.jumpsRemoved, "point", "points")
      text += ", without \(points) of jumps that nothing confirmed or that were undone"
    }
    return Paragraph.text(text + "; the receiver's error is added to it")
  }

  private static func table(
    _ trace: ComparedTrace, _ options: ReplayOptions, _ style: TextStyle
  ) -> String {
    let rows = trace.figures(options)
    let columns = CompareColumns.all.shown(in: trace.isLong ? .textOfDays : .text, of: rows)
    var table = TextTable()
    table.header([""] + columns.map(\.lines.0))
    table.header(["mode"] + columns.map { $0.namesTime ? Figures.span(trace.judged) : $0.lines.1 })
    for figures in rows {
      table.row([figures.row.name] + columns.map { $0.shown(figures, isShort: true) })
    }
    if let baseline = trace.baselineFigures(options) {
      let energy = CompareColumns.energy.shown(in: trace.isLong ? .textOfDays : .text)
      table.row(["baseline"] + energy.map { $0.shown(baseline) })
    }
    return table.text(style) + "\n" + bars(trace)
  }

  /// The energies again, as bars.
  private static func bars(_ trace: ComparedTrace) -> String {
    let joules = trace.rows.map(\.total.nominal)
    let names = trace.rows.map(\.name)
    let width = names.map(\.count).max() ?? 0
    return zip(zip(names, joules), TextBars.bars(joules, width: 60)).map { row, bar in
      let padding = String(repeating: " ", count: width - row.0.count)
      return "\(row.0)\(padding) \(bar) \(Figures.energy(row.1))\n"
    }.joined()
  }

  private static func advice(
    _ trace: ComparedTrace, _ options: ReplayOptions, _ style: TextStyle
  ) -> String {
    TradeTable(trace, options, most: trace.rows.count).text(style, width: TextTable.width).lines
      .map { $0 + "\n" }.joined() + "\n"
      + (AnswerWords(trace).thinness.map { Paragraph.text($0) } ?? "")
      + Purpose.allCases.map { Paragraph.text(AnswerWords(trace).paragraph($0), indent: 2) }
      .joined()
      + (AnswerWords(trace).dependence.map { Paragraph.text($0) } ?? "")
      + (trace.together.map { "\n" + TogetherReport.text($0, style: style) } ?? "")
  }
}

extension TraceLedger.Finding {
  /// `two fixes of one time (line 12), 3 times`.
  var words: String {
    text + (lines.first.map { " (line \($0))" } ?? "")
      + (count > 1 ? ", \(Figures.count(count)) times" : "")
  }
}
