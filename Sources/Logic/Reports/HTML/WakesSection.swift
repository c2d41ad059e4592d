// SPDX-License-Identifier: Apache-2.0

import Geodesy
import JSONText
import LocationModel
import Replay
import ServiceContract

/// The times and reasons of wakes and relaunches by the system: the first of each mode, and their number.
enum WakesSection {
  @ReportBuilder static func nodes(_ trace: ReportedTrace, most: Int) -> [Node] {
    let never = trace.lives.filter { $0.curves.wakeupCount == 0 }.map(\.row.name)
    for (row, curves) in trace.lives where curves.wakeupCount > 0 {
      let shown = min(most, curves.wakeups.count)
      Node.table(table(row, curves, first: shown, by: trace.clock))
      if shown < curves.wakeupCount {
        Node.sentence(
          "And \(Figures.count(curves.wakeupCount - shown)) more: milepost replay lists them all.")
      }
    }
    if !never.isEmpty { Node.sentence("Never woken or started anew: \(Figures.list(never)).") }
  }

  private static func table(
    _ row: ModeRow, _ curves: CurveRecord, first shown: Int, by clock: LocalClock
  ) -> Table {
    let cut = shown < curves.wakeupCount ? "; the first \(shown)" : ""
    return Table(
      "\(row.heading): \(Figures.count(row.wakes, "wake", "wakes")), "
        + Figures.count(row.launches, "launch", "launches")
        + "; moved and after are since the last delivery\(cut)", words: [1, 2],
      head: ["time, \(clock.words)", "what", "reason", "moved", "after", "accuracy", "true place"],
      cells: curves.wakeups.prefix(shown).map { wakeup in
        let local = clock.shown(at: wakeup.time)
        let time = "\(DateText.short(local.date)), \(DateText.clock(local, seconds: true))"
        return [
          .init(time, .time(wakeup.time)), .init(wakeup.isLaunch ? "started anew" : "woken"),
          .init(row.plan.words(of: wakeup.reason)),
          .init(wakeup.moved.map(Figures.distance) ?? Figures.unknown),
          .init(wakeup.since.map(Figures.span) ?? Figures.unknown),
          .init(wakeup.accuracy.map { "±" + Figures.distance($0) } ?? Figures.unknown),
          .init(place(wakeup.place)),
        ]
      })
  }

  private static func place(_ place: Coordinate) -> String {
    let north = Decimal.text(place.latitude.magnitude, decimals: 4)
    let east = Decimal.text(place.longitude.magnitude, decimals: 4)
    return
      "\(north)° \(place.latitude < 0 ? "S" : "N"), \(east)° \(place.longitude < 0 ? "W" : "E")"
  }
}
