// SPDX-License-Identifier: Apache-2.0

import Replay
import ServiceContract

/// From the crossing of the limit to the delivery that ended it: the time taken, and the error of the
/// app's position by then.
enum DelaySection {
  static func writeDelays(
    _ lives: [(row: ModeRow, curves: CurveRecord)], limit: Double, into html: inout HTMLWriter
  ) {
    let rows = lives.filter { $0.curves.crossingCount > 0 }
    guard !rows.isEmpty else { return }
    HTMLTable.writeTable(
      caption: "From \(Figures.plain(limit)) m off to the next delivery",
      head: [
        "mode", "times blind", "ended by a delivery", "median delay", "longest",
        "median distance at delivery", "furthest off",
      ], into: &html
    ) { html in
      for (row, curves) in rows {
        let answered = curves.crossings.filter { $0.ending == .delivered }
        html.row(row.heading) { html in
          html.cell(
            Figures.count(curves.crossingCount), exact: Double(curves.crossingCount), decimals: 0)
          html.cell(
            Figures.count(curves.answeredCount), exact: Double(curves.answeredCount), decimals: 0)
          html.element("td", median(answered.map(\.lasted)).map(Figures.span) ?? Figures.unknown)
          html.element("td", curves.longest.map { Figures.span($0.lasted) } ?? Figures.unknown)
          html.element(
            "td", median(answered.map(\.distance)).map(Figures.distance) ?? Figures.unknown)
          html.element(
            "td",
            curves.distance.values.compactMap(\.self).max().map(Figures.distance) ?? Figures.unknown
          )
        }
      }
    }
    if rows.contains(where: { $0.curves.crossingCount > CurveRecord.crossingLimit }) {
      html.element(
        "p", ["class": "note"],
        "Medians are of the first \(Figures.count(CurveRecord.crossingLimit)) times; counts and "
          + "extremes are of all.")
    }
  }

  static func median(_ values: [Double]) -> Double? {
    guard !values.isEmpty else { return nil }
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }
}
