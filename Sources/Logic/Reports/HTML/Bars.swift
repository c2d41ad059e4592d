// SPDX-License-Identifier: Apache-2.0

import RadioPower
import ServiceContract

/// Bars with their range, one row per mode; name on the left, figure on the right. Modes whose bars and
/// figures are equal share one.
struct Bars {
  struct Bar: Equatable {
    var value: Double
    var low: Double
    var high: Double
    /// The text beside the bar, and after it in small letters.
    var figure: String
    var remarks: [String]

    /// Its drawing and texts: the same for two bars that look the same.
    private var look: [String] { [figure] + remarks }

    static func == (a: Self, b: Self) -> Bool { a.look == b.look }
  }

  /// One for each mode, and joined where they look the same.
  let rows: [(row: ModeRow, bar: Bar)]
  let bars: [EqualRows<Bar>]
  /// For those who do not see the picture.
  let title: String
  /// Whether they are those of the answer, which makes them thicker.
  private(set) var isLarge = false

  private init(_ rows: [(row: ModeRow, bar: Bar)], title: String) {
    (self.rows, self.title) = (rows, title)
    bars = EqualRows.merging(rows.map { ($0.row, $0.bar) })
  }

  /// The end of the axis.
  var full: Double { max(bars.map(\.picture.high).max() ?? 0, .leastNormalMagnitude) }

  func writeBars(into html: inout HTMLWriter) {
    html.element("div", ["class": "bars", "role": "img", "aria-label": description]) { html in
      for bar in bars { writeBar(bar, into: &html) }
    }
    html.newline()
  }

  private var description: String {
    title + ": "
      + bars.map { bar in
        "\(bar.heading) \(bar.picture.figure) (\(bar.picture.remarks.joined(separator: ", ")))"
      }
      .joined(separator: "; ")
  }

  private func writeBar(_ bar: EqualRows<Bar>, into html: inout HTMLWriter) {
    let picture = bar.picture
    let thickness = isLarge ? 26 : 14
    html.element("div", ["class": "bar \(bar.styleClass)"]) { html in
      html.element("span", ["class": "name"], bar.heading)
      let height = String(thickness + 13)
      html.element("svg", ["height": height, "aria-hidden": "true"]) { html in
        html.shape("line", ["class": "base", "x1": "0", "x2": "0", "y1": "0", "y2": height])
        html.shape(
          "rect",
          [
            "x": "0", "y": "2", "height": String(thickness),
            "width": percentage(picture.value / full),
          ])
        whisker(picture.low / full, picture.high / full, below: thickness, into: &html)
      }
      html.element("span", ["class": "figure"]) { html in
        html.element("b", picture.figure)
        html.writeText(" ")
        html.element("small", picture.remarks.joined(separator: " · "))
      }
    }
    html.newline()
  }

  private func whisker(
    _ low: Double, _ high: Double, below thickness: Int, into html: inout HTMLWriter
  ) {
    let (low, high) = (percentage(low), percentage(high))
    guard low != high else { return }
    let y = (String(thickness + 4), String(thickness + 7), String(thickness + 10))
    html.shape("line", ["class": "range", "x1": low, "x2": high, "y1": y.1, "y2": y.1])
    for x in [low, high] {
      html.shape("line", ["class": "range", "x1": x, "x2": x, "y1": y.0, "y2": y.2])
    }
  }
}

extension Bars {
  /// Energy above the baseline, with its share of a full battery per hour. A battery of 0 J is none.
  static func energy(_ rows: [ModeRow], judged: Double, battery: Double) -> Bars {
    Bars(rows.map { ($0, bar($0.total, judged, battery)) }, title: "Energy above the baseline")
  }

  /// The same for the modes that an answer compares, larger, and with the figures of the first screen where
  /// there is a battery.
  static func energy(_ answer: PageAnswer, of trace: ComparedTrace, battery: Double) -> Bars {
    let rows = answer.pair.map { index in
      let row = trace.rows[index]
      var bar = bar(row.total, trace.judged, battery)
      if battery > 0 {
        bar.remarks = [
          "of the battery in \(Figures.span(trace.judged))", "\(bar.figure), \(bar.remarks[0])",
        ]
        bar.figure = trace.price(row.joules)
      }
      return (row, bar)
    }
    var bars = Bars(rows, title: "Energy above the baseline")
    bars.isLarge = true
    return bars
  }

  private static func bar(_ energy: EnergyRange, _ judged: Double, _ battery: Double) -> Bar {
    var remarks = [Figures.energyRange(energy.low, energy.high, around: energy.nominal)]
    if judged > 0, battery > 0 {
      let share = energy.nominal / battery * 100 / (judged / 3_600)
      remarks.append(Figures.significant(share) + "\u{A0}%/h")
    }
    return Bar(
      value: energy.nominal, low: energy.low, high: energy.high,
      figure: Figures.energy(energy.nominal), remarks: remarks)
  }
}
