// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import RadioPower
package import Replay
import ServiceContract

/// The changes between a saved comparison and this one, row by row.
package enum BaselineText {
  package static func text(
    _ trace: ComparedTrace, against baseline: Baseline, options: ReplayOptions, style: TextStyle
  ) -> String {
    let profile =
      baseline.profile == options.device.name
      ? "" : ", profile \(baseline.profile) then, \(options.device.name) now"
    var text = style.bold("changed since the baseline") + ": \(trace.name)\(profile)\n"
    text += settings(trace, options, baseline)
    let columns = CompareColumns.all.shown(in: .changes)
    var table = TextTable()
    table.header(["mode"] + columns.flatMap { $0.isChangeTold ? [$0.heading, ""] : [$0.heading] })
    var found: Set<String> = []
    var isChanged = false
    var added: [String] = []
    for figures in trace.figures(options) {
      let key = figures.row.key
      guard let old = baseline.rows.first(where: { $0.key == key }) else {
        added.append(key)
        continue
      }
      found.insert(key)
      let changes = CompareColumns.all.shown(in: .compared).map { column in
        Change(column, then: old.figures[column.key], now: column.value(figures))
      }
      guard changes.contains(where: \.isOne) else { continue }
      isChanged = true
      table.row([key] + changes.filter { $0.column.forms.contains(.changes) }.flatMap(\.cells))
    }
    text += isChanged ? table.text(style) : "nothing changed\n"
    let gone = baseline.rows.map(\.key).filter { !found.contains($0) }
    for key in added { text += "only now: \(key)\n" }
    for key in gone { text += "only then: \(key)\n" }
    return text
  }

  /// The options that differ, in a paragraph; empty if none does.
  private static func settings(
    _ trace: ComparedTrace, _ options: ReplayOptions, _ baseline: Baseline
  ) -> String {
    let worlds = SavedSetting(
      name: "worlds", value: Figures.count(trace.worldCount), title: "--worlds")
    let different = (SavedSetting.all(of: options) + [worlds]).compactMap { now -> String? in
      let then = baseline.settings[now.name] ?? now.formerName.flatMap { baseline.settings[$0] }
      guard let then, then != now.value else { return nil }
      return "\(now.title) \(then) then, \(now.value) now"
    }
    guard !different.isEmpty else { return "" }
    return Paragraph.text("with other settings: " + different.joined(separator: "; "))
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
