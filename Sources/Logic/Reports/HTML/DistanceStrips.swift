// SPDX-License-Identifier: Apache-2.0

import Replay
import ServiceContract

/// The distance of the device from the app's last position, over time: one strip per mode, on one common axis; beyond
/// the limit the app was blind. Modes whose strips are equal share one.
enum DistanceStrips {
  private struct Strip: Equatable {
    let words: String
    let distance: Curve
  }

  static func writeStrips(_ trace: ReportedTrace, limit: Double, into html: inout HTMLWriter) {
    let lives = trace.lives
    guard let first = lives.first?.curves else { return }
    let axis = TimeAxis(CurvesTime(first, by: trace.clock))
    let furthest = lives.flatMap { $0.curves.distance.values.compactMap(\.self) }.max() ?? 0
    var scale = LogScale(low: 1, high: LogScale(holding: [max(furthest, limit * 2)]).high)
    scale.step = scale.high - scale.low > 3 ? 2 : 1
    let strips = EqualRows.merging(
      lives.map {
        (
          $0.row,
          Strip(
            words: legend($0.row, $0.curves, trace.figures.judged), distance: $0.curves.distance)
        )
      })
    for (index, strip) in strips.enumerated() {
      let isLast = index == strips.count - 1
      let plot = TimePlot(
        axis: axis, scale: scale, height: 76, label: { Figures.round(metres: $0) },
        showsTicks: isLast)
      html.element("div", ["class": isLast ? "strip last" : "strip"]) { html in
        html.element("p", ["class": "name"]) { html in
          html.element("b", strip.heading)
          html.element("small", " " + strip.picture.words)
        }
        draw(strip, plot, limit, into: &html)
      }
      html.newline()
    }
  }

  private static func legend(_ row: ModeRow, _ curves: CurveRecord, _ judged: Double) -> String {
    guard let longest = curves.longest else { return "never blind" }
    let times = curves.crossingCount == 1 ? "once" : "\(Figures.count(curves.crossingCount)) times"
    return "blind \(times), \(Figures.span(row.blindSeconds)) of \(Figures.span(judged)); "
      + "longest \(Figures.span(longest.lasted))"
  }

  private static func draw(
    _ strip: EqualRows<Strip>, _ plot: TimePlot<LogScale>, _ limit: Double,
    into html: inout HTMLWriter
  ) {
    let curve = strip.picture.distance
    html.element("div", ["class": "chart bare"]) { html in
      plot.drawFrame(
        title: "Distance from the last delivered position: \(strip.heading)",
        description: strip.picture.words, into: &html
      ) { html in
        for run in curve.runs(where: { $0.map { $0 >= limit } ?? false }) {
          plot.band(
            "veil", from: curve.seconds(at: run.lowerBound), to: curve.seconds(at: run.upperBound),
            above: limit, into: &html)
        }
        html.shape(
          "line",
          ["class": "limit", "x1": "0", "x2": "100%", "y1": plot.y(limit), "y2": plot.y(limit)])
        html.stretched { $0.shape("path", ["class": "line trail", "d": plot.path(curve)]) }
      }
    }
  }
}
