// SPDX-License-Identifier: Apache-2.0

import Replay
import Wording

/// How far the device was from the position that the app had last, over time: one strip per mode, on one
/// common axis; the stretches beyond the limit are those in which the app was blind.
enum DistanceStrips {
  static func write(
    _ trace: ReportedTrace, limit: Double, into html: inout HTMLWriter
  ) {
    let lives = trace.lives
    guard let first = lives.first?.curves else { return }
    let axis = TimeAxis(CurvesTime(first))
    let furthest = lives.flatMap { $0.curves.distance.values.compactMap(\.self) }.max() ?? 0
    let scale = LogScale(
      low: 1, high: LogScale(holding: [max(furthest, limit * 2)]).high)
    for (index, life) in lives.enumerated() {
      let plot = TimePlot(
        axis: axis, scale: scale, height: 76, label: { Figures.round(metres: $0) },
        showsTicks: index == lives.count - 1, decadeStep: scale.high - scale.low > 3 ? 2 : 1)
      html.element("div", ["class": index == lives.count - 1 ? "strip last" : "strip"]) { html in
        html.element("p", ["class": "name"]) { html in
          html.element("b", life.row.heading)
          html.element("small", " " + words(life.row, life.curves, trace.figures.judged))
        }
        draw(
          life.row, words(life.row, life.curves, trace.figures.judged), life.curves, plot, limit,
          into: &html)
      }
      html.newline()
    }
  }

  private static func words(_ row: ModeRow, _ curves: CurveRecord, _ judged: Double) -> String {
    guard let longest = curves.longest else { return "never blind" }
    let times = curves.crossingCount == 1 ? "once" : "\(Figures.count(curves.crossingCount)) times"
    return "blind \(times), \(Figures.span(row.blindSeconds)) of \(Figures.span(judged)); "
      + "longest \(Figures.span(longest.lasted))"
  }

  private static func draw(
    _ row: ModeRow, _ words: String, _ curves: CurveRecord, _ plot: TimePlot, _ limit: Double,
    into html: inout HTMLWriter
  ) {
    html.element("div", ["class": "chart bare"]) { html in
      plot.write(
        title: "Distance from the last delivered position: \(row.name)",
        description: words, into: &html
      ) { html in
        plot.gaps(of: curves.distance, into: &html)
        for run in curves.distance.runs(where: { $0.map { $0 >= limit } ?? false }) {
          html.shape(
            "rect",
            [
              "class": "veil", "x": plot.x(curves.distance.seconds(at: run.lowerBound)), "y": "0",
              "width": plot.x(curves.distance.seconds(at: run.count)), "height": plot.y(limit),
            ])
        }
        html.shape(
          "line",
          ["class": "limit", "x1": "0", "x2": "100%", "y1": plot.y(limit), "y2": plot.y(limit)])
        html.stretched {
          $0.shape("path", ["class": "line trail", "d": plot.path(curves.distance)])
        }
      }
    }
  }
}
