// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import RadioPower
package import Replay
import ServiceContract

/// The changes between a saved comparison and this one, row by row.
package enum BaselineText {
  package static func report(
    _ trace: ComparedTrace, against baseline: Baseline, options: ReplayOptions
  ) -> Report {
    let (then, now) = (baseline.profile, options.device.name)
    let profile = then == now ? "" : ", profile \(then) then, \(now) now"
    let rows = trace.figures(options)
    let old = rows.map { now in baseline.rows.first { $0.key == now.row.key } }
    let table = table(Array(zip(rows, old)))
    let gone = baseline.rows.map(\.key).filter { key in !rows.contains { $0.row.key == key } }
    return Report {
      Node.title("changed since the baseline", ": \(trace.name)\(profile)")
      settings(trace, options, baseline)
      table.rows.isEmpty ? Node.sentence("nothing changed") : Node.table(table)
      for (now, old) in zip(rows, old) where old == nil {
        Node.sentence("only now: \(now.row.key)")
      }
      for key in gone { Node.sentence("only then: \(key)") }
    }
  }

  /// The rows that changed.
  private static func table(_ rows: [(now: ModeFigures, then: Baseline.Row?)]) -> Table {
    let columns = CompareColumns.all.shown(in: .changes)
    var table = Table()
    table.header(["mode"] + columns.flatMap { $0.isChangeTold ? [$0.heading, ""] : [$0.heading] })
    for (now, then) in rows {
      guard let then else { continue }
      let changes = CompareColumns.all.shown(in: .compared).map { column in
        Change(column, then: then.figures[column.key], now: column.value(now))
      }
      guard changes.contains(where: \.isOne) else { continue }
      let shown = changes.filter { $0.column.forms.contains(.changes) }
      table.row([now.row.key] + shown.flatMap(\.cells))
    }
    return table
  }

  /// The options that differ, in a sentence; nothing if none does.
  private static func settings(
    _ trace: ComparedTrace, _ options: ReplayOptions, _ baseline: Baseline
  ) -> [Node] {
    let worlds = SavedSetting(
      name: "worlds", value: Figures.count(trace.worldCount), title: "--worlds")
    let different = (SavedSetting.all(of: options) + [worlds]).compactMap { now -> String? in
      guard let then = baseline.settings[now.name], then != now.value else { return nil }
      return "\(now.title) \(then) then, \(now.value) now"
    }
    guard !different.isEmpty else { return [] }
    return [.sentence("with other settings: " + different.joined(separator: "; "))]
  }
}

extension ModeRow {
  fileprivate var key: String {
    Baseline.key(
      plan.mode.rawValue, plan.scenario.rawValue,
      policyName, plan.pausesAutomatically, armedBy: plan.armedBy?.rawValue, every: interval,
      metres: plan.distanceFilter)
  }
}

extension Column {
  /// Whether the change has a separate cell: for counts both figures say enough.
  fileprivate var isChangeTold: Bool { measure != .count }
}

/// A figure then and now.
private struct Change {
  let column: Column<ModeFigures>
  let then: Double?
  let now: Double?

  init(_ column: Column<ModeFigures>, then: Double?, now: Double?) {
    self.column = column
    self.then = then
    self.now = now
  }

  /// Whether they differ by more than a document's rounding.
  var isOne: Bool {
    guard let then, let now else { return then != now }
    return (then - now).magnitude > column.measure.rounding
  }

  var cells: [String] { column.isChangeTold ? [pair, percent] : [pair] }

  private var pair: String {
    guard let then, let now else { return Figures.unknown }
    let words = column.measure.shown(now)
    return isOne ? "\(column.measure.shown(then)) → \(words)" : words
  }

  /// `+12 %`, `−3 %`; empty if nothing changed or nothing was there before.
  private var percent: String {
    guard let then, let now, then > 0, isOne else { return "" }
    let percent = (now - then) / then * 100
    return (percent < 0 ? "−" : "+") + Figures.percent(percent.magnitude)
  }
}
