// SPDX-License-Identifier: Apache-2.0

import LocationModel
import Replay
import ServiceContract

/// Totals per day, over all traces of a report; each trace's days are local to it.
struct DayTotals {
  /// Dates in their order; for each the total of every row.
  private(set) var days: [(date: CivilDate, rows: [CurveRecord.DayTotal])] = []
  /// The clocks that define the days, `UTC-8` and `UTC-7`.
  private var clocks: [String] = []

  init(_ traces: [ReportedTrace]) {
    let width = traces.map(\.curves.count).max() ?? 0
    for trace in traces {
      let clock = trace.curves.first?.clock.words ?? LocalClock.utc.words
      if !clocks.contains(clock) { clocks.append(clock) }
      for (row, curves) in trace.curves.enumerated() {
        for day in curves.days { addDay(day, row: row, of: width) }
      }
    }
    days.sort { $0.date.daysSince1970 < $1.date.daysSince1970 }
  }

  private mutating func addDay(_ day: CurveRecord.DayTotal, row: Int, of width: Int) {
    if let index = days.firstIndex(where: { $0.date == day.date }) {
      days[index].rows[row] += day
    } else {
      var rows = [CurveRecord.DayTotal](repeating: .init(date: day.date), count: width)
      rows[row] += day
      days.append((day.date, rows))
    }
  }

  func writeDays(_ rows: [ModeRow], into html: inout HTMLWriter) {
    HTMLTable.writeTable(
      caption:
        "Days in \(Figures.list(clocks)): energy, and the share of the time that it was blind",
      head: ["day", "known time"] + rows.map(\.heading), into: &html
    ) { html in
      for day in days {
        html.row(DateText.long(day.date)) { html in
          html.element("td", Figures.span(day.rows.first?.judged ?? 0))
          for total in day.rows {
            html.cell(
              Figures.energy(total.joules), blind(for: total.blindSeconds, of: total.judged))
          }
        }
      }
    }
  }
}

/// `blind 4 %` of the time, or never.
private func blind(for seconds: Double, of judged: Double) -> String {
  let share = judged > 0 ? seconds / judged * 100 : 0
  return share > 0 ? "blind \(Figures.percent(share))" : "never blind"
}

/// One line per trace of a report, with the result of each mode.
enum TraceList {
  static func writeTraces(_ traces: [ReportedTrace], _ ids: [String], into html: inout HTMLWriter) {
    guard let rows = traces.first?.figures.rows else { return }
    HTMLTable.writeTable(
      caption: "Energy, and the share of the time that the app was blind",
      head: ["trace", "known time"] + rows.map(\.heading), into: &html
    ) { html in
      for (trace, id) in zip(traces, ids) {
        html.row(
          [:],
          { html in
            html.element("a", ["href": "#" + id]) { $0.element("bdi", trace.figures.name) }
          }
        ) { html in
          html.element("td", Figures.span(trace.figures.judged))
          for row in trace.figures.rows {
            html.cell(
              Figures.energy(row.joules), blind(for: row.blindSeconds, of: trace.figures.judged))
          }
        }
      }
    }
  }
}
