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

  func table(_ rows: [ModeRow]) -> Table {
    Table(
      "Days in \(Figures.list(clocks)): energy, and the share of the time that it was blind",
      head: ["day", "known time"] + rows.map(\.heading),
      cells: days.map { day in
        [.init(DateText.long(day.date)), .init(Figures.span(day.rows.first?.judged ?? 0))]
          + day.rows.map { energy($0.joules, blind: $0.blindSeconds, of: $0.judged) }
      })
  }
}

/// The energy over `blind 4 %` of the time, or `never blind`.
private func energy(_ joules: Double, blind seconds: Double, of judged: Double) -> Table.Cell {
  let share = judged > 0 ? seconds / judged * 100 : 0
  return .pair(
    Figures.energy(joules), share > 0 ? "blind \(Figures.percent(share))" : "never blind")
}

/// One line per trace of a report, with the result of each mode.
enum TraceList {
  /// `ids` are those of their parts.
  static func table(_ traces: [ReportedTrace], _ ids: [String]) -> Table {
    Table(
      "Energy, and the share of the time that the app was blind",
      head: ["trace", "known time"] + (traces.first?.figures.rows.map(\.heading) ?? []),
      cells: zip(traces.map(\.figures), ids).map { trace, id in
        [.init(trace.name, .link(id)), .init(Figures.span(trace.judged))]
          + trace.rows.map { energy($0.joules, blind: $0.blindSeconds, of: trace.judged) }
      })
  }
}
