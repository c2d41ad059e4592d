// SPDX-License-Identifier: Apache-2.0

import Replay
import ServiceContract

/// The frame of a picture over time: rules and labels on the left, ticks below, lines within.
struct TimePlot<Scale: AxisScale> {
  let axis: TimeAxis
  let scale: Scale
  /// CSS pixels.
  let height: Int
  /// The label of a rule's value on the left.
  let label: (Double) -> String
  var showsTicks = true

  /// Writes the frame around `body`, which draws in the outer system, by percentages.
  func drawFrame(
    title: String, description: String, into html: inout HTMLWriter,
    _ body: (inout HTMLWriter) -> Void
  ) {
    html.plot(
      scale, height: height, isTicked: showsTicks, corner: showsTicks ? axis.unit : "",
      title: title, description: description, label: label
    ) { html in
      body(&html)
      gaps(into: &html)
      if showsTicks { ticks(into: &html) }
    }
  }

  func y(_ value: Double) -> String { percentage(1 - scale.share(of: value)) }

  /// A rectangle of full height, or of the part above a value, between two instants.
  func band(
    _ styleClass: String, from start: Double, to end: Double, above value: Double? = nil,
    into html: inout HTMLWriter
  ) {
    let (a, b) = (axis.share(of: start), axis.share(of: end))
    html.shape(
      "rect",
      [
        "class": styleClass, "x": percentage(a), "y": "0", "width": percentage(b - a),
        "height": value.map(y) ?? "100%",
      ])
  }

  /// A curve as path data; a step without a value breaks it, and so does a gap.
  func path(_ curve: Curve, end: (seconds: Double, value: Double)? = nil) -> String {
    var path = PathData()
    var last: Double?
    for (index, value) in curve.values.enumerated() {
      guard let value else {
        last = nil
        continue
      }
      let seconds = curve.seconds(at: index)
      let x = min(1_000, axis.share(of: seconds) * 1_000)
      let y = (1 - scale.share(of: value)) * 1_000
      if let before = last, !axis.hasGap(from: before, to: seconds) {
        path.drawLine(to: x, y)
      } else {
        path.move(x, y)
      }
      last = seconds
    }
    if let end {
      path.drawLine(
        to: axis.share(of: end.seconds) * 1_000, (1 - scale.share(of: end.value)) * 1_000)
    }
    return path.finished()
  }

  /// Unknown stretches: grey, with slanted edges and their length if they are drawn shorter than they were.
  private func gaps(into html: inout HTMLWriter) {
    let cut = axis.gaps.count(where: \.isCut)
    for gap in axis.gaps {
      gap.drawArea(as: gap.isCut ? "gap cut" : "gap", into: &html)
      guard gap.isCut else { continue }
      let (start, end) = (gap.shares.lowerBound, gap.shares.upperBound)
      for edge in [start, end] {
        html.element("svg", ["x": percentage(edge), "y": "100%", "width": "1", "height": "1"]) {
          $0.shape("path", ["class": "cut", "d": "M-3 4L3 -4"])
        }
      }
      guard showsTicks, cut <= 8 else { continue }
      html.element(
        "text",
        [
          "class": "cut", "x": percentage((start + end) / 2), "y": "-3", "text-anchor": "middle",
        ], Figures.span(gap.seconds))
    }
  }

  private func ticks(into html: inout HTMLWriter) {
    for tick in axis.ticks {
      let place = percentage(tick.share)
      html.shape("line", ["class": "tick", "x1": place, "x2": place, "y1": "100%", "y2": "100%"])
      let anchor = tick.share < 0.04 ? "start" : tick.share > 0.96 ? "end" : "middle"
      html.element(
        "text", ["x": place, "y": "100%", "dy": "17", "text-anchor": anchor], tick.label)
      guard let date = tick.date else { continue }
      html.element("text", ["x": place, "y": "100%", "dy": "32", "text-anchor": anchor], date)
    }
  }
}

extension Curve {
  /// Stretches of steps whose values meet a condition.
  func runs(where matches: (Double?) -> Bool) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    var start: Int?
    for (index, value) in values.enumerated() {
      if matches(value) {
        start = start ?? index
      } else if let begin = start {
        runs.append(begin..<index)
        start = nil
      }
    }
    if let start { runs.append(start..<values.count) }
    return runs
  }
}
