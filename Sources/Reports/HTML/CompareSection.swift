// SPDX-License-Identifier: Apache-2.0

import RadioPower
import Replay
import Scoring
import Wording

/// The table of all figures; each cell holds the exact value of the JSON beside the rounded one.
enum CompareSection {
  static func write(
    _ trace: ComparedTrace, _ options: ReplayOptions, into html: inout HTMLWriter
  ) {
    let hasDays = trace.judged >= ComparedTrace.longEnoughForDays
    var head = [
      "mode", "energy", "range", "average power", "battery for \(Figures.span(trace.judged))",
    ]
    if hasDays { head.append("battery per day") }
    head += [
      "battery life", "receiver on", "fixes seen", "deliveries", "missed", "wakes", "launches",
      "blind for",
      "blind over",
    ]
    HTMLTable.write(
      caption:
        "\(Figures.span(trace.judged)), \(Figures.distance(trace.distance))",
      head: head, into: &html
    ) { html in
      for row in trace.rows {
        html.element("tr") { write(row, trace, options, hasDays, into: &$0) }
        html.newline()
      }
      html.element("tr", ["class": "aside"]) { baseline(trace, options, hasDays, into: &$0) }
    }
  }

  private static func write(
    _ row: ModeRow, _ trace: ComparedTrace, _ options: ReplayOptions, _ hasDays: Bool,
    into html: inout HTMLWriter
  ) {
    let energy = row.total
    let power = trace.averageMilliwatts(energy.nominal)
    let share = trace.batteryPercent(row, options)
    let life = trace.batteryLife(row, options)
    html.element("th", ["scope": "row"], row.heading)
    html.cell(Figures.energy(energy.nominal), exact: energy.nominal, decimals: 6)
    html.element("td", Figures.energyRange(energy.low, energy.high, around: energy.nominal))
    html.cell(Figures.power(power), exact: power, decimals: 4)
    html.cell(Figures.percent(share), exact: share, decimals: 6)
    if hasDays {
      let day = trace.perDay(share)
      html.cell(Figures.percent(day), exact: day, decimals: 6)
    }
    html.cell(life.map(Figures.life) ?? Figures.unknown, exact: life, decimals: 2)
    html.cell(Figures.span(row.receiverOn), exact: row.receiverOn, decimals: 3)
    html.cell(Figures.count(row.fixesSeen), exact: row.fixesSeen)
    html.cell(Figures.count(row.deliveries), exact: row.deliveries)
    html.cell(row.missed, exact: row.score.missed)
    html.cell(Figures.count(row.wakes), exact: row.wakes)
    html.cell(Figures.count(row.launches), exact: row.launches)
    html.cell(Figures.span(row.blindSeconds), exact: row.blindSeconds, decimals: 3)
    html.cell(Figures.distance(row.blindMetres), exact: row.blindMetres, decimals: 1)
  }

  private static func baseline(
    _ trace: ComparedTrace, _ options: ReplayOptions, _ hasDays: Bool, into html: inout HTMLWriter
  ) {
    let sum = trace.rows.first?.energy.baselineTotal ?? .zero
    let share = trace.percent(sum.nominal, options)
    html.element("th", ["scope": "row"], "Baseline, not counted")
    var cells = [
      Figures.energy(sum.nominal), Figures.energyRange(sum.low, sum.high, around: sum.nominal),
      Figures.power(trace.averageMilliwatts(sum.nominal)), Figures.percent(share),
    ]
    if hasDays { cells.append(Figures.percent(trace.perDay(share))) }
    for cell in cells { html.element("td", cell) }
    html.element("td", ["colspan": "9"], "")
  }
}
