// SPDX-License-Identifier: Apache-2.0

import RadioPower
import Replay
import Wording

/// Bars with their range, one row per mode; name on the left, figure on the right.
struct Bars {
  struct Bar {
    var name: String
    var styleClass: String
    var value: Double
    var low: Double
    var high: Double
    /// What stands beside the bar, and below it in small letters.
    var figure: String
    var range: String
  }

  var bars: [Bar]
  /// For those who do not see the picture.
  var title: String

  func write(into html: inout HTMLWriter) {
    let full = max(bars.map(\.high).max() ?? 0, .leastNormalMagnitude)
    html.element("div", ["class": "bars", "role": "img", "aria-label": description]) { html in
      for bar in bars { write(bar, full, into: &html) }
    }
    html.newline()
  }

  private var description: String {
    title + ": " + bars.map { "\($0.name) \($0.figure) (\($0.range))" }.joined(separator: "; ")
  }

  private func write(_ bar: Bar, _ full: Double, into html: inout HTMLWriter) {
    html.element("div", ["class": "bar \(bar.styleClass)"]) { html in
      html.element("span", ["class": "name"], bar.name)
      html.element("svg", ["height": "27", "aria-hidden": "true"]) { html in
        html.shape("line", ["class": "base", "x1": "0", "x2": "0", "y1": "0", "y2": "27"])
        html.shape(
          "rect", ["x": "0", "y": "2", "height": "14", "width": percentage(bar.value / full)])
        whisker(bar.low / full, bar.high / full, into: &html)
      }
      html.element("span", ["class": "figure"]) { html in
        html.element("b", bar.figure)
        html.text(" ")
        html.element("small", bar.range)
      }
    }
    html.newline()
  }

  private func whisker(_ low: Double, _ high: Double, into html: inout HTMLWriter) {
    let (low, high) = (percentage(low), percentage(high))
    guard low != high else { return }
    html.shape("line", ["class": "range", "x1": low, "x2": high, "y1": "21", "y2": "21"])
    for x in [low, high] {
      html.shape("line", ["class": "range", "x1": x, "x2": x, "y1": "18", "y2": "24"])
    }
  }
}

extension Bars {
  /// Energy above the baseline.
  static func energy(_ trace: ComparedTrace) -> Bars {
    Bars(
      bars: trace.rows.map { row in
        let energy = row.total
        return Bar(
          name: row.heading, styleClass: row.styleClass, value: energy.nominal, low: energy.low,
          high: energy.high, figure: Figures.energy(energy.nominal),
          range: Figures.energyRange(energy.low, energy.high, around: energy.nominal))
      }, title: "Energy above the baseline")
  }

  /// Hours of a full battery at each mode's mean power, baseline included.
  static func batteryLife(_ trace: ComparedTrace, _ battery: Quantity) -> Bars {
    var bars: [Bar] = []
    let floor = trace.rows.first?.energy.baselineTotal ?? .zero
    if let bar = life("Nothing running", "none", .zero, floor, trace, battery) { bars.append(bar) }
    for row in trace.rows {
      if let bar = life(
        row.heading, row.styleClass, row.total, row.energy.baselineTotal, trace,
        battery)
      {
        bars.append(bar)
      }
    }
    return Bars(bars: bars, title: "Battery life at each mode's mean power, baseline included")
  }

  private static func life(
    _ name: String, _ styleClass: String, _ energy: EnergyRange, _ floor: EnergyRange,
    _ trace: ComparedTrace, _ battery: Quantity
  ) -> Bar? {
    guard trace.judged > 0, energy.low + floor.low > 0 else { return nil }
    func hours(_ battery: Double, _ joules: Double) -> Double {
      battery / (joules / trace.judged) / 3_600
    }
    let value = hours(battery.nominal, energy.nominal + floor.nominal)
    let low = hours(battery.low, energy.high + floor.high)
    let high = hours(battery.high, energy.low + floor.low)
    return Bar(
      name: name, styleClass: styleClass, value: value, low: low, high: high,
      figure: Figures.life(value), range: Figures.lifeRange(low, high))
  }
}
