// SPDX-License-Identifier: Apache-2.0

import Geodesy
import JSONText
import LocationModel
import Replay
import ServiceContract

/// The times and reasons of wakes and relaunches by the system: the first of each mode, and their number.
enum WakesSection {
  static func writeWakes(
    _ trace: ReportedTrace, most: Int, into html: inout HTMLWriter
  ) {
    let (lives, clock) = (trace.lives, trace.clock)
    let never = lives.filter { $0.curves.wakeupCount == 0 }.map(\.row.phrase)
    for (row, curves) in lives where curves.wakeupCount > 0 {
      let shown = min(most, curves.wakeups.count)
      let all =
        "\(row.heading): \(Figures.count(row.wakes, "wake", "wakes")), "
        + Figures.count(row.launches, "launch", "launches")
        + "; moved and after are since the last delivery"
      HTMLTable.writeTable(
        caption: shown < curves.wakeupCount ? all + "; the first \(shown)" : all,
        head: [
          "time, \(clock.words)", "what", "reason", "moved", "after",
          "accuracy", "true place",
        ], words: [1, 2], into: &html
      ) { html in
        for wakeup in curves.wakeups.prefix(shown) {
          html.element("tr") { writeWake(wakeup, of: row, by: clock, into: &$0) }
          html.newline()
        }
      }
      if shown < curves.wakeupCount {
        html.element(
          "p", ["class": "note"],
          "And \(Figures.count(curves.wakeupCount - shown)) more: milepost replay lists them all.")
      }
    }
    guard !never.isEmpty else { return }
    html.element("p", ["class": "note"], "Never woken or started anew: \(Figures.list(never)).")
  }

  private static func writeWake(
    _ wakeup: CurveRecord.Wakeup, of row: ModeRow, by clock: LocalClock, into html: inout HTMLWriter
  ) {
    let shown = clock.shown(at: wakeup.time)
    html.element("th", ["scope": "row"]) { html in
      html.element("time", ["datetime": wakeup.time.rfc3339]) {
        $0.writeText(
          "\(DateText.short(shown.date)), \(DateText.clock(shown, seconds: true))")
      }
    }
    html.element("td", ["class": "word"], wakeup.isLaunch ? "started anew" : "woken")
    let isUpdate = row.plan.isAndroid && wakeup.reason == .location
    html.element("td", ["class": "word"], isUpdate ? "a position" : wakeup.reason.words)
    html.element("td", wakeup.moved.map(Figures.distance) ?? Figures.unknown)
    html.element("td", wakeup.since.map(Figures.span) ?? Figures.unknown)
    html.element("td", wakeup.accuracy.map { "±" + Figures.distance($0) } ?? Figures.unknown)
    html.element("td", place(wakeup.place))
  }

  private static func place(_ place: Coordinate) -> String {
    let north = Decimal.text(place.latitude.magnitude, decimals: 4)
    let east = Decimal.text(place.longitude.magnitude, decimals: 4)
    return
      "\(north)° \(place.latitude < 0 ? "S" : "N"), \(east)° \(place.longitude < 0 ? "W" : "E")"
  }
}
