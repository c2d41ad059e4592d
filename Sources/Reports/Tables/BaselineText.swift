// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel
import RadioPower
package import Replay
import Wording

/// What changed between a saved comparison and this one, row by row.
package enum BaselineText {
  package static func text(
    _ trace: ComparedTrace, against baseline: Baseline, options: ReplayOptions, style: TextStyle
  ) -> String {
    let profile =
      baseline.profile == options.device.name
      ? "" : ", profile \(baseline.profile) then, \(options.device.name) now"
    var text = style.bold("changed since the baseline") + ": \(trace.name)\(profile)\n"
    text += settings(options, baseline)
    var table = TextTable()
    table.header(["mode", "energy", "", "deliveries", "wakes", "launches", "blind for", ""])
    var found: Set<String> = []
    var isChanged = false
    var added: [String] = []
    for row in trace.rows {
      let key = Self.key(row)
      guard let old = baseline.rows.first(where: { $0.key == key }) else {
        added.append(key)
        continue
      }
      found.insert(key)
      let now = figures(row)
      guard Baseline.figures.contains(where: { differ(old.figures, now, $0) }) else { continue }
      isChanged = true
      table.row(cells(key, old.figures, now))
    }
    text += isChanged ? table.text(style) : "nothing changed\n"
    let gone = baseline.rows.map(\.key).filter { !found.contains($0) }
    for key in added { text += "only now: \(key)\n" }
    for key in gone { text += "only then: \(key)\n" }
    return text
  }

  /// Which options differ, in a paragraph; empty where none does.
  private static func settings(_ options: ReplayOptions, _ baseline: Baseline) -> String {
    let different = ReplaySettings.all(of: options).compactMap { name, now -> String? in
      guard let then = baseline.settings[name], then != now else { return nil }
      return "--\(name) \(then) then, \(now) now"
    }
    guard !different.isEmpty else { return "" }
    return Paragraph.text("with other settings: " + different.joined(separator: "; "))
  }

  private static func key(_ row: ModeRow) -> String {
    Baseline.key(
      row.plan.service.rawValue, row.plan.scenario.rawValue,
      row.plan.service == .significant ? row.plan.policy?.name : nil, row.plan.pausesAutomatically)
  }

  private static func figures(_ row: ModeRow) -> [String: Double] {
    [
      "energy_j": row.energy.printedTotal.nominal, "gnss_on_s": row.receiverOn,
      "deliveries": Double(row.deliveries), "wakes": Double(row.wakes),
      "launches": Double(row.launches), "uploads": Double(row.uploads),
      "blind_s": row.blindSeconds, "blind_m": row.blindMetres,
    ]
  }

  private static func differ(
    _ then: [String: Double], _ now: [String: Double], _ figure: String
  ) -> Bool {
    guard let a = then[figure], let b = now[figure] else { return then[figure] != now[figure] }
    return (a - b).magnitude > Baseline.rounding(figure)
  }

  private static func cells(
    _ key: String, _ then: [String: Double], _ now: [String: Double]
  ) -> [String] {
    func pair(_ name: String, _ words: (Double) -> String) -> String {
      guard let a = then[name], let b = now[name] else { return Figures.unknown }
      return differ(then, now, name) ? "\(words(a)) → \(words(b))" : words(b)
    }
    let count = { (value: Double) in Figures.count(Int(value)) }
    return [
      key, pair("energy_j", Figures.energy), change(then, now, "energy_j"),
      pair("deliveries", count), pair("wakes", count), pair("launches", count),
      pair("blind_s", Figures.span), change(then, now, "blind_s"),
    ]
  }

  /// `+12 %`, `−3 %`; empty where nothing changed or nothing was there before.
  static func change(
    _ then: [String: Double], _ now: [String: Double], _ figure: String
  ) -> String {
    guard let a = then[figure], let b = now[figure], a > 0, differ(then, now, figure) else {
      return ""
    }
    let percent = (b - a) / a * 100
    return (percent < 0 ? "−" : "+") + Figures.percent(percent.magnitude)
  }
}
