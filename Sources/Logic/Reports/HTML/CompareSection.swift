// SPDX-License-Identifier: Apache-2.0

import Replay
import ServiceContract

/// The table of all figures; each cell holds the exact value of the JSON beside the rounded one.
enum CompareSection {
  static func writeFigures(
    _ trace: ComparedTrace, _ options: ReplayOptions, into html: inout HTMLWriter
  ) {
    let form: ColumnForms = trace.isLong ? .htmlOfDays : .html
    let columns = CompareColumns.all.shown(in: form)
    HTMLTable.writeTable(
      caption: "\(Figures.span(trace.judged)), \(Figures.distance(trace.distance))",
      head: ["mode"] + columns.map { $0.heading(over: trace.judged) }, into: &html
    ) { html in
      for figures in trace.figures(options) {
        html.row(figures.row.heading) { $0.cells(columns, figures) }
      }
      guard let baseline = trace.baselineFigures(options) else { return }
      let energy = CompareColumns.energy.shown(in: form)
      html.element("tr", ["class": "aside"]) { html in
        html.element("th", ["scope": "row"], "Baseline, not counted")
        for column in energy { html.element("td", column.shown(baseline)) }
        html.element("td", ["colspan": String(columns.count - energy.count)], "")
      }
    }
  }
}
