// SPDX-License-Identifier: Apache-2.0

import Replay
import ServiceContract

// Theory
// ======
//
// Equal heights are equal energies: the axis is linear, so 28 times the energy is 28 times as high. Lines then on the
// floor have a separate panel below, equally linear, which states its enlargement; and lines on the floor of that have
// another one.
//
//   totals, from the dearest down:  16 kJ  16 kJ  3.3 kJ | 140 J  48 J  12 J
//                                   └── panel ──────────┘ └── panel ──────┘

/// Energy spent so far, one line per mode.
enum EnergyOverTime {
  /// A line below this share of a panel's dearest is on its floor [ours].
  private static let floor = 0.1
  private static let heights = (first: 300, next: 170)

  /// The line height of the names beside the lines; CSS pixels.
  private static let lineHeight = 14.0

  private typealias Line = (
    names: [String], styleClass: String, joules: Double, curves: CurveRecord
  )

  static func drawEnergy(_ trace: ReportedTrace, into html: inout HTMLWriter) {
    let lines = Self.lines(trace)
    guard let first = lines.first else { return }
    let axis = TimeAxis(CurvesTime(first.curves, by: trace.clock))
    let panels = Self.panels(lines.map(\.joules))
    for (number, panel) in panels.enumerated() {
      let members = panel.map { lines[$0] }
      let top = members.map(\.joules).max() ?? 0
      if number > 0 {
        let times = Figures.grouped(first.joules / top)
        html.element(
          "p", ["class": "note"], "The same for those on the floor, \(times) times enlarged:")
      }
      let plot = TimePlot(
        axis: axis, scale: LinearScale(upTo: top),
        height: number == 0 ? heights.first : heights.next, label: Figures.round(joules:),
        showsTicks: number == panels.count - 1)
      draw(members, plot, number, into: &html)
    }
  }

  /// Modes that spent anything, from the dearest on; equal ones are one line.
  private static func lines(_ trace: ReportedTrace) -> [Line] {
    let spending = trace.lives.filter { $0.row.joules > 0 }
    let merged = EqualRows.merging(
      spending.map { ($0.row, [$0.row.joules] + $0.curves.energy.values) })
    return merged.compactMap { equal in
      guard let life = spending.first(where: { $0.row.plan == equal.rows[0].plan }) else {
        return nil
      }
      return (equal.rows.map(\.heading), equal.styleClass, life.row.joules, life.curves)
    }
    .sorted { $0.joules > $1.joules }
  }

  /// The ranges of falling `joules` that share a panel.
  static func panels(_ joules: [Double]) -> [Range<Int>] {
    var panels: [Range<Int>] = []
    var start = 0
    for index in joules.indices where joules[index] < floor * joules[start] {
      panels.append(start..<index)
      start = index
    }
    if start < joules.count { panels.append(start..<joules.count) }
    return panels
  }

  private static func draw(
    _ lines: [Line], _ plot: TimePlot<LinearScale>, _ number: Int, into html: inout HTMLWriter
  ) {
    html.element("div", ["class": plot.showsTicks ? "chart" : "chart close"]) { html in
      plot.drawFrame(
        title: number == 0 ? "Energy spent so far, by mode" : "The same, enlarged",
        description: lines.map {
          "\(Figures.list($0.names)): \(Figures.energy($0.joules)) at the end"
        }
        .joined(separator: "; "), into: &html
      ) { html in
        html.stretched { html in
          for line in lines {
            html.shape(
              "path",
              [
                "class": "line \(line.styleClass)",
                "d": plot.path(line.curves.energy, end: (line.curves.end, line.joules)),
              ])
          }
        }
      }
      labels(lines, plot, into: &html)
    }
    legend(lines, into: &html)
    html.newline()
  }

  /// On a phone the names stand below: beside the lines they would take all the room.
  private static func legend(_ lines: [Line], into html: inout HTMLWriter) {
    html.element("p", ["class": "legend lines"]) { html in
      for line in lines {
        html.element("span") { html in
          html.element(
            "svg", ["class": "key", "width": "26", "height": "10", "aria-hidden": "true"]
          ) {
            $0.shape("path", ["class": "line \(line.styleClass)", "d": "M2 5h22"])
          }
          html.writeText(" \(line.names.joined(separator: " · ")) \(Figures.energy(line.joules)) ")
        }
      }
    }
  }

  /// Names at the lines' ends, moved apart if they would overlap, with a thread to their line.
  private static func labels(
    _ lines: [Line], _ plot: TimePlot<LinearScale>, into html: inout HTMLWriter
  ) {
    let height = Double(plot.height)
    let wanted = lines.map { (1 - plot.scale.share(of: $0.joules)) * height }
    let names = lines.map(\.names)
    let step = Figures.plain(lineHeight)
    let tallest = Double(names.map(\.count).max() ?? 1) * lineHeight
    let places = apart(
      wanted, by: tallest + lineHeight + 5, within: 10...max(10, height - tallest + 2))
    html.element("svg", ["class": "ends", "height": String(plot.height), "aria-hidden": "true"]) {
      html in
      for (index, line) in lines.enumerated() {
        let y = tenths(places[index])
        html.shape(
          "line",
          [
            "class": "thread \(line.styleClass)", "x1": "2", "x2": "11",
            "y1": tenths(wanted[index]), "y2": y,
          ])
        html.element("text", ["class": "end \(line.styleClass)", "y": y]) { html in
          for (row, name) in names[index].enumerated() {
            html.element("tspan", ["x": "14", "dy": row == 0 ? "0" : step], name)
          }
          html.element(
            "tspan", ["x": "14", "dy": step, "class": "value"], Figures.energy(line.joules))
        }
      }
    }
  }

  /// Positions in the order of `wanted`, at least `distance` apart and within `range` if they fit.
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

extension Figures {
  /// Two significant figures, thousands apart: `1,300`.
  static func grouped(_ value: Double) -> String {
    guard value >= 1_000, value < 1e15, let whole = Int(significant(value)) else {
      return significant(value)
    }
    return count(whole)
  }

  /// A round energy as a label: `100 J`, `2.5 kJ`, `0`.
  static func round(joules: Double) -> String {
    switch joules {
    case 0: "0"
    case 1e6...: plain(joules / 1e6) + " MJ"
    case 1e3...: plain(joules / 1e3) + " kJ"
    case 1...: plain(joules) + " J"
    default: plain(joules * 1e3) + " mJ"
    }
  }

  /// A power of ten as a label: `100 m`, `1 km`.
  static func round(metres: Double) -> String {
    metres >= 1_000 ? count(Int(metres / 1_000)) + " km" : plain(metres) + " m"
  }
}
