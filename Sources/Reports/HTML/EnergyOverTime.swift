// SPDX-License-Identifier: Apache-2.0

import JSONText
import Replay
import Wording

// Theory
// ======
//
// Sums from 12 J to 16 kJ on one axis: linear, all but one lie on the floor; indexed, nobody sees what is
// dear. The axis therefore has a rule per power of ten and says so, and the bars above, which are linear,
// show the true proportion. What a log axis shows well is *when*: a step is a wake, a slope is a receiver
// that is on, a level line is sleep.

/// Energy spent so far, one line per mode.
enum EnergyOverTime {
  private static let height = 340

  static func write(_ trace: ReportedTrace, into html: inout HTMLWriter) {
    let lives = trace.lives.filter { $0.row.joules > 0 }
    guard let first = lives.first?.curves else { return }
    let totals = lives.map(\.row.joules)
    let top = LogScale(holding: totals)
    let plot = TimePlot(
      axis: TimeAxis(CurvesTime(first)),
      scale: LogScale(low: top.low - 1, high: top.high), height: height,
      label: { Figures.round(joules: $0) })
    html.element("div", ["class": "chart"]) { html in
      plot.write(
        title: "Energy spent so far, by mode",
        description: lives.map {
          "\($0.row.name): \(Figures.energy($0.row.joules)) at the end"
        }
        .joined(separator: "; "), into: &html
      ) { html in
        plot.gaps(of: first.distance, into: &html)
        html.stretched { html in
          for life in lives {
            let end = (life.curves.end, life.row.joules)
            html.shape(
              "path",
              [
                "class": "line \(life.row.styleClass)",
                "d": plot.path(life.curves.energy, end: end),
              ])
          }
        }
      }
      labels(lives.map(\.row), plot, into: &html)
    }
    html.newline()
  }

  /// Names at the lines' ends, moved apart where they would overlap, with a thread to their line.
  private static func labels(_ rows: [ModeRow], _ plot: TimePlot, into html: inout HTMLWriter) {
    let wanted = rows.map { (1 - plot.scale.share(of: $0.joules)) * Double(height) }
    let places = Self.apart(wanted, by: 33, within: 10...Double(height) - 12)
    html.element("svg", ["class": "ends", "height": String(height), "aria-hidden": "true"]) {
      html in
      for (index, row) in rows.enumerated() {
        let y = Decimal.text(places[index], decimals: 1, trimmed: true)
        html.shape(
          "line",
          [
            "class": "thread \(row.styleClass)", "x1": "2", "x2": "11",
            "y1": Decimal.text(wanted[index], decimals: 1, trimmed: true), "y2": y,
          ])
        html.element("text", ["class": "end \(row.styleClass)", "y": y]) { html in
          html.element("tspan", ["x": "14"], row.heading)
          html.element(
            "tspan", ["x": "14", "dy": "14", "class": "value"], Figures.energy(row.joules))
        }
      }
    }
  }

  /// Positions in the order of `wanted`, at least `distance` apart and within `range` where they fit.
  static func apart(
    _ wanted: [Double], by distance: Double, within range: ClosedRange<Double>
  ) -> [Double] {
    let order = wanted.indices.sorted { (wanted[$0], $0) < (wanted[$1], $1) }
    var places = wanted
    var least = range.lowerBound
    for index in order {
      places[index] = max(wanted[index], least)
      least = places[index] + distance
    }
    var most = range.upperBound - distance / 2
    for index in order.reversed() {
      places[index] = min(places[index], most)
      most = places[index] - distance
    }
    return places
  }
}

extension CurvesTime {
  init(_ record: CurveRecord) {
    self.init(start: record.start, end: record.end, isClockSteady: record.isClockSteady)
  }
}

extension Figures {
  /// A power of ten as a label: `100 J`, `1 kJ`.
  static func round(joules: Double) -> String {
    switch joules {
    case 1e6...: plain(joules / 1e6) + " MJ"
    case 1e3...: plain(joules / 1e3) + " kJ"
    case 0.99...: plain(joules.rounded()) + " J"
    default: plain((joules * 1e6).rounded() / 1e3) + " mJ"
    }
  }

  /// A power of ten as a label: `100 m`, `1 km`.
  static func round(metres: Double) -> String {
    metres >= 1_000 ? count(Int(metres / 1_000)) + " km" : plain(metres) + " m"
  }
}
