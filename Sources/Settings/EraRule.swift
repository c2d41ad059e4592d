// SPDX-License-Identifier: Apache-2.0

import JSONText
package import LocationModel

/// One rule of an era as a setting: read from a file, copied from one era to another.
package struct EraRule: Sendable {
  /// The field of `Era`.
  package let field: String
  /// `relaunches_after_force_quit`; a time ends in `_s`.
  package let key: String
  /// Whether two eras agree in it.
  package let agrees: @Sendable (Era, Era) -> Bool
  /// Copies it from the second to the first.
  package let copy: @Sendable (inout Era, Era) -> Void
  /// Reads it into an era; whether it stood there.
  let read: @Sendable (inout SettingsTable, inout Era) -> Bool
  /// Its value as TOML writes it.
  let text: @Sendable (Era) -> String

  private init<Value: Equatable & SendableMetatype>(
    _ field: String, suffix: String = "", key: String? = nil,
    _ path: any WritableKeyPath<Era, Value> & Sendable,
    text: @escaping @Sendable (Value) -> String,
    _ take: @escaping @Sendable (inout SettingsTable, String) -> Value?
  ) {
    let key = key ?? Self.snake(field) + suffix
    self.field = field
    self.key = key
    agrees = { $0[keyPath: path] == $1[keyPath: path] }
    copy = { $0[keyPath: path] = $1[keyPath: path] }
    read = { table, era in
      guard let value = take(&table, key) else { return false }
      era[keyPath: path] = value
      return true
    }
    self.text = { text($0[keyPath: path]) }
  }

  private static func flag(
    _ field: String, _ path: any WritableKeyPath<Era, Bool> & Sendable, key: String? = nil
  ) -> EraRule {
    EraRule(field, key: key, path, text: { String($0) }) { $0.bool($1) }
  }

  private static func seconds(
    _ field: String, _ path: any WritableKeyPath<Era, Double> & Sendable
  ) -> EraRule {
    EraRule(field, suffix: "_s", path, text: Decimal.shortest) {
      $0.number($1, in: 0...86_400, unit: "seconds")
    }
  }

  private static func word<Word: RawRepresentable<String> & Equatable & SendableMetatype>(
    _ field: String, _ path: any WritableKeyPath<Era, Word> & Sendable, among words: [Word]
  ) -> EraRule {
    let words = words.map(\.rawValue)
    return EraRule(field, path, text: { ConfigurationOption.quoted($0.rawValue) }) {
      $0.word($1, among: words).flatMap(Word.init(rawValue:))
    }
  }

  /// `relaunches_after_force_quit` of `relaunchesAfterForceQuit`.
  private static func snake(_ name: String) -> String {
    name.reduce(into: "") { $0 += $1.isUppercase ? "_" + $1.lowercased() : String($1) }
  }

  /// One for each field of `Era` but its name.
  package static let all: [EraRule] = [
    flag("entersBackgroundOnLaunch", \.entersBackgroundOnLaunch),
    word(
      "standardWhileSuspended", \.standardWhileSuspended,
      among: [Era.WhileSuspended.dropped, .queued]),
    flag("backgroundNeedsRequestFlag", \.backgroundNeedsRequestFlag),
    flag("knowsWhenInUse", \.knowsWhenInUse),
    flag("asksAtStart", \.asksAtStart),
    flag("upgradesToAlways", \.upgradesToAlways),
    flag("grantsAlwaysOnTrial", \.grantsAlwaysOnTrial),
    flag("whenInUseStartsInForeground", \.whenInUseStartsInForeground),
    flag("relaunchNeedsAlways", \.relaunchNeedsAlways),
    flag("relaunchesAfterForceQuit", \.relaunchesAfterForceQuit),
    flag("defersUpdates", \.defersUpdates),
    seconds("taskBudget", \.taskBudget),
    word("taskOverrun", \.taskOverrun, among: Era.Overrun.allCases),
    flag("hasFetch", \.hasFetch),
    flag("wakesOnPush", \.wakesOnPush),
    flag("wakesOnLocationPush", \.wakesOnLocationPush),
    flag("hasVoIP", \.hasVoIP, key: "has_voip"),
    flag("hasRefreshSwitch", \.hasRefreshSwitch),
    flag("hasLowPowerMode", \.hasLowPowerMode),
    flag("asksForNotifications", \.asksForNotifications),
  ]
}

extension SettingsTable {
  /// An era by its name, or as a table: `base` names one, the usual one where it is left out, and each
  /// rule that stands beside it goes before its own. One with rules of its own is named `own`.
  package mutating func era(_ key: String) -> Era? {
    guard let value = value(key) else { return nil }
    let names = Era.all.map(\.name)
    guard value.members != nil else { return word(key, among: names).flatMap(Era.named) }
    var table = SettingsTable(value, file: file, path: path(key))
    var era = table.word("base", among: names).flatMap(Era.named) ?? .usual
    for rule in EraRule.all where rule.read(&table, &era) { era.name = "own" }
    table.finish()
    include(table.problems)
    return era
  }
}

extension Era {
  /// The era as TOML writes it: its name, or the table of the era that it is nearest to and what differs.
  package var text: String {
    if Era.named(name) == self { return ConfigurationOption.quoted(name) }
    let differences = Era.all.map { base in
      (base: base, rules: EraRule.all.filter { !$0.agrees(self, base) })
    }
    guard let nearest = differences.min(by: { $0.rules.count < $1.rules.count }) else { return "" }
    let rules = nearest.rules.map { ", \($0.key) = \($0.text(self))" }.joined()
    return "{ base = \(ConfigurationOption.quoted(nearest.base.name))\(rules) }"
  }
}
