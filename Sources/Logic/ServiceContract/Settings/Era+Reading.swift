// SPDX-License-Identifier: Apache-2.0

import JSONText
package import LocationModel

extension EraRule {
  /// Reads it into an era; returns whether it was present.
  fileprivate func readRule(_ table: inout SettingsTable, into era: inout Era) -> Bool {
    let value: Value? =
      switch shape {
      case .flag: table.bool(key).map { .flag($0) }
      case .seconds: table.number(key, in: 0...86_400, unit: "seconds").map { .seconds($0) }
      case .interval: interval(&table)
      case .word(let words): table.word(key, among: words).map { .word($0) }
      }
    return value.map { set($0, in: &era) } ?? false
  }

  private func interval(_ table: inout SettingsTable) -> Value? {
    guard let seconds = table.number(key, in: 0...86_400, unit: "seconds") else { return nil }
    guard seconds == 0 || seconds >= 60 else {
      table.noteProblem(
        at: key, "\(Decimal.shortest(seconds)) s are too few; say 60 or more, or 0 for never")
      return nil
    }
    return .seconds(seconds > 0 ? seconds : nil)
  }
}

extension SettingsTable {
  /// An era by its name, or as a table: `base` names one, by default the usual one, and each rule
  /// beside it overrides the base's.
  package mutating func era(_ key: String) -> Era? {
    guard let value = value(key) else { return nil }
    let names = Era.all.map(\.name)
    guard value.members != nil else { return word(key, among: names).flatMap(Era.named) }
    var table = SettingsTable(value, file: file, path: path(key))
    var era = table.word("base", among: names).flatMap(Era.named) ?? .usual
    for rule in EraRule.all { _ = rule.readRule(&table, into: &era) }
    table.finish()
    include(problems: table.problems)
    return era
  }
}

extension Era {
  /// The era as YAML writes it: its name, or a table of its base and the differences.
  package var text: String {
    let rules = overridden
    guard !rules.isEmpty else { return name }
    let base = Era.named(name) == nil ? "" : "base: \(name), "
    let own = rules.map { "\($0.key): \($0.value(in: self).text)" }
    return "{\(base)\(own.joined(separator: ", "))}"
  }
}
