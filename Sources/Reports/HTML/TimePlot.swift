// SPDX-License-Identifier: Apache-2.0

import JSONText
import Replay

/// The frame of a picture over time: rules and labels on the left, ticks below, lines within.
struct TimePlot {
  let axis: TimeAxis
  let scale: LogScale
  /// CSS pixels.
  let height: Int
  /// What a power of ten is called on the left.
  let label: (Double) -> String
  var showsTicks = true
  /// Every how many decades there is a rule.
  var decadeStep = 1

  /// Writes the frame around `body`, which draws in the outer system, by percentages.
  func write(
    title: String, description: String, into html: inout HTMLWriter,
    _ body: (inout HTMLWriter) -> Void
  ) {
    html.decadePlot(
      scale, step: decadeStep, height: height, isTicked: showsTicks, title: title,
      description: description, label: label
    ) { html in
      body(&html)
      if showsTicks { ticks(into: &html) }
    }
  }

  func y(_ value: Double) -> String { percentage(1 - scale.share(of: value)) }

  func x(_ seconds: Double) -> String { percentage(seconds / axis.length) }

  /// A curve as path data; a step without a value breaks it.
  func path(_ curve: Curve, end: (seconds: Double, value: Double)? = nil) -> String {
    var path = PathData()
    var isBroken = true
    for (index, value) in curve.values.enumerated() {
      guard let value else {
        isBroken = true
        continue
      }
      let x = min(1_000, curve.seconds(at: index) / axis.length * 1_000)
      let y = (1 - scale.share(of: value)) * 1_000
      if isBroken { path.move(x, y) } else { path.line(x, y) }
      isBroken = false
    }
    if let end {
      path.line(end.seconds / axis.length * 1_000, (1 - scale.share(of: end.value)) * 1_000)
    }
    return path.finished()
  }

  /// Stretches of which nothing is known, as grey bands.
  func gaps(of curve: Curve, into html: inout HTMLWriter) {
    for run in curve.runs(where: { $0 == nil }) {
      html.shape(
        "rect",
        [
          "class": "gap", "x": x(curve.seconds(at: run.lowerBound)), "y": "0", "height": "100%",
          "width": x(curve.seconds(at: run.count)),
        ])
    }
  }

  private func ticks(into html: inout HTMLWriter) {
    for tick in axis.ticks {
      let place = percentage(tick.share)
      html.shape("line", ["class": "tick", "x1": place, "x2": place, "y1": "100%", "y2": "100%"])
      let anchor = tick.share < 0.04 ? "start" : tick.share > 0.96 ? "end" : "middle"
      html.element(
        "text", ["x": place, "y": "100%", "dy": "17", "text-anchor": anchor], tick.label)
    }
  }
}

extension Curve {
  /// Stretches of steps whose values fulfil a condition; the last step of the trace is not a gap.
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
