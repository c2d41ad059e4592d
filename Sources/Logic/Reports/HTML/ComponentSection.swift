// SPDX-License-Identifier: Apache-2.0

import RadioPower
import Replay
import ServiceContract

/// The breakdown of the energy: a bar of shares per mode, and the joules by component and state.
enum ComponentSection {
  private static let order = ["gnss", "soc", "cell", "wifi", "sensor", "flash"]

  static func name(_ component: String) -> String {
    switch component {
    case "gnss": "satellite receiver"
    case "soc": "processor"
    case "cell": "cellular"
    case "wifi": "Wi-Fi"
    case "sensor": "motion sensor"
    case "flash": "flash memory"
    case "floor": "suspended device"
    default: component
    }
  }

  static func name(state: String) -> String {
    switch state {
    case "acquire_cold": "cold start"
    case "acquire_warm": "warm start"
    case "acquire_hot": "hot start"
    case "acquire_assisted": "assisted start"
    case "track_good": "tracking"
    case "track_poor": "tracking, poor sky"
    case "track_still": "tracking, at rest"
    case "awake_idle": "awake"
    case "moving": "awake in motion, with the system"
    case "cell_wake": "new cell"
    default: Names.words(state)
    }
  }

  @ReportBuilder static func nodes(_ trace: ComparedTrace) -> [Node] {
    let rows = trace.rows.filter { $0.joules > 0 }
    if !rows.isEmpty {
      Node.picture { writeStacks(rows, into: &$0) }
      Node.table(table(trace.rows))
    }
  }

  private static func writeStacks(_ rows: [ModeRow], into html: inout HTMLWriter) {
    let used = order.filter { component in
      rows.contains { $0.energy.components.contains { $0.component == component } }
    }
    html.element("p", ["class": "legend"]) { html in
      for component in used {
        html.element("span") { html in
          html.element("i", ["class": "chip \(component)"], "")
          html.writeText(name(component) + " ")
        }
      }
    }
    html.element("div", ["class": "bars stacks"]) { html in
      for stack in EqualRows.merging(rows.map { ($0, Stack($0)) }) {
        writeStack(stack, into: &html)
      }
    }
  }

  /// One mode's energy by component and state, in the order of the legend.
  private struct Stack: Equatable {
    let parts: [EnergyReport.Row]
    let figure: String

    init(_ row: ModeRow) {
      parts = row.energy.components.filter { $0.energy.nominal > 0 }
        .sorted {
          (order.firstIndex(of: $0.component) ?? 9) < (order.firstIndex(of: $1.component) ?? 9)
        }
      figure = Figures.energy(row.joules)
    }

    private var total: Double { parts.reduce(0) { $0 + $1.energy.nominal } }

    /// `processor, awake, 12 %`, part by part.
    var words: [String] {
      parts.map {
        "\(name($0.component)), \(name(state: $0.state)), "
          + Figures.percent($0.energy.nominal / total * 100)
      }
    }

    func share(of part: EnergyReport.Row) -> Double { part.energy.nominal / total }

    /// Stacks that look the same.
    static func == (a: Self, b: Self) -> Bool { a.figure == b.figure && a.words == b.words }
  }

  private static func writeStack(_ stack: EqualRows<Stack>, into html: inout HTMLWriter) {
    let label =
      "\(stack.heading), \(stack.picture.figure): "
      + stack.picture.words.joined(separator: "; ")
    html.element("div", ["class": "bar"]) { html in
      html.element("span", ["class": "name"], stack.heading)
      html.element("svg", ["height": "30", "role": "img", "aria-label": label]) { html in
        var start = 0.0
        for part in stack.picture.parts {
          let share = stack.picture.share(of: part)
          writePart(part, from: start, share, into: &html)
          start += share
        }
      }
      html.element("span", ["class": "figure"]) { $0.element("b", stack.picture.figure) }
    }
    html.newline()
  }

  private static func writePart(
    _ part: EnergyReport.Row, from start: Double, _ share: Double, into html: inout HTMLWriter
  ) {
    let words = "\(name(part.component)), \(name(state: part.state))"
    html.element("g") { html in
      html.element("title", "\(words): \(Figures.energy(part.energy.nominal))")
      html.shape(
        "rect",
        [
          "class": "fill \(part.component)", "x": percentage(start), "y": "3", "height": "24",
          "width": percentage(share),
        ])
      guard share >= 0.15 else { return }
      html.element(
        "text",
        ["class": "inside \(part.component)", "x": percentage(start), "dx": "7", "y": "19"]
      ) { html in
        html.writeText(Figures.percent(share * 100))
        if share >= 0.3 {
          html.element("tspan", ["class": "wide"], " " + name(state: part.state))
        }
      }
    }
  }

  private static func table(_ rows: [ModeRow]) -> Table {
    var keys: [(component: String, state: String)] = []
    for row in rows {
      for part in row.energy.components
      where !keys.contains(where: { $0.component == part.component && $0.state == part.state }) {
        keys.append((part.component, part.state))
      }
    }
    keys.sort {
      (order.firstIndex(of: $0.component) ?? 9) < (order.firstIndex(of: $1.component) ?? 9)
    }
    var table = Table("Joules by component and state, with the time in that state")
    table.header(["component, state"] + rows.map(\.heading))
    for (component, state) in keys {
      let words = "\(name(component)), \(name(state: state))"
      table.row(
        [.init(words, .remark("\(component) \(state)"))]
          + rows.map { row in
            let part = row.energy.components.first {
              $0.component == component && $0.state == state
            }
            guard let part else { return .init(Figures.unknown) }
            return .pair(
              Figures.energy(part.energy.nominal),
              part.seconds > 0 ? Figures.span(part.seconds) : nil)
          })
    }
    return table
  }
}
