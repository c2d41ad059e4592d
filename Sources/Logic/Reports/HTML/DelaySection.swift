// SPDX-License-Identifier: Apache-2.0

import Replay
import ServiceContract

/// From the crossing of the limit to the delivery that ended it: the time taken, and the error of the
/// app's position by then.
enum DelaySection {
  @ReportBuilder
  static func nodes(_ lives: [(row: ModeRow, curves: CurveRecord)], limit: Double) -> [Node] {
    let rows = lives.filter { $0.curves.crossingCount > 0 }
    if !rows.isEmpty { Node.table(table(rows, limit: limit)) }
    if rows.contains(where: { $0.curves.crossingCount > CurveRecord.crossingLimit }) {
      Node.sentence(
        "Medians are of the first \(Figures.count(CurveRecord.crossingLimit)) times; counts and "
          + "extremes are of all.")
    }
  }

  private static func table(
    _ rows: [(row: ModeRow, curves: CurveRecord)], limit: Double
  ) -> Table {
    Table(
      "From \(Figures.plain(limit)) m off to the next delivery",
      head: [
        "mode", "times blind", "ended by a delivery", "median delay", "longest",
        "median distance at delivery", "furthest off",
      ],
      cells: rows.map { row, curves in
        let answered = curves.crossings.filter { $0.ending == .delivered }
        let furthest = curves.distance.values.compactMap(\.self).max()
        return [
          .init(row.heading), .count(curves.crossingCount), .count(curves.answeredCount),
          .init(median(answered.map(\.lasted)).map(Figures.span) ?? Figures.unknown),
          .init(curves.longest.map { Figures.span($0.lasted) } ?? Figures.unknown),
          .init(median(answered.map(\.distance)).map(Figures.distance) ?? Figures.unknown),
          .init(furthest.map(Figures.distance) ?? Figures.unknown),
        ]
      })
  }

  static func median(_ values: [Double]) -> Double? {
    guard !values.isEmpty else { return nil }
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }
}
