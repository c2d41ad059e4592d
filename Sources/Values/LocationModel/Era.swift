// SPDX-License-Identifier: Apache-2.0

/// The rules in which generations of the system differ, as values (the page Scenarios and rules has the table).
///
/// The engine asks a field of this, never which era it is; any field can be overridden. `EraRule.all` states, once,
/// each field's meaning, its value in each era and its key in the settings.
package struct Era: Sendable, Equatable {
  /// The name of the era, or of the one from which it is derived.
  package var name: String
  package var supportsMultitasking = true
  package var entersBackgroundOnLaunch = false
  package var standardWhileSuspended = WhileSuspended.dropped
  package var backgroundNeedsRequestFlag = false
  package var knowsWhenInUse = false
  package var asksAtStart = false
  package var upgradesToAlways = false
  package var grantsAlwaysOnTrial = false
  package var whenInUseStartsInForeground = false
  package var relaunchNeedsAlways = false
  package var relaunchesAfterForceQuit = false
  /// Seconds; `nil` is never.
  package var idleWake: Double?
  package var defersUpdates = false
  package var hasVisits = false
  /// Seconds.
  package var taskBudget = 0.0
  package var taskOverrun = Overrun.terminated
  package var hasFetch = false
  package var wakesOnPush = false
  package var wakesOnLocationPush = false
  package var hasVoIP = false
  package var hasNewsstand = false
  package var hasAccessories = false
  package var hasBluetooth = false
  package var hasRefreshSwitch = false
  package var hasLowPowerMode = false
  package var asksForNotifications = false

  package enum Overrun: String, Sendable, CaseIterable, Codable {
    case terminated
    case suspended
  }

  @usableFromInline package enum WhileSuspended: String, Sendable, CaseIterable, Codable {
    case dropped
    /// The newest one from another app's receiver waits, and is delivered when the app runs again.
    case queued
  }

  private init(_ name: String, _ value: (EraRule) -> EraRule.Value) {
    self.name = name
    for rule in EraRule.all { rule.set(value(rule), in: &self) }
  }

  package static let ios4 = Era("ios4") { $0.values.ios4 }
  package static let ios7 = Era("ios7") { $0.values.ios7 }
  package static let ios13 = Era("ios13") { $0.values.ios13 }
  package static let today = Era("today") { $0.values.today }

  package static let all = [ios4, ios7, ios13, today]

  /// The default era: in the engine, the service, the replays, the commands.
  package static let usual = today

  package static func named(_ name: String) -> Era? { all.first { $0.name == name } }

  /// The rules in which it differs from the era it is derived from; all of them if there is no such era.
  package var overridden: [EraRule] {
    guard let base = Era.named(name) else { return EraRule.all }
    return EraRule.all.filter { $0.value(in: self) != $0.value(in: base) }
  }

  /// `ios7`, or with overridden rules `ios7 with task_budget_s = 60`.
  package var title: String {
    let rules = overridden.map { "\($0.key) = \($0.value(in: self).text)" }
    return rules.isEmpty ? name : "\(name) with \(rules.joined(separator: ", "))"
  }
}

extension Era: Codable {
  private static let nameKey = NameKey("name")

  /// Throws for a value that its rule cannot have.
  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: NameKey.self)
    let name = try values.decode(String.self, forKey: Self.nameKey)
    self = Era.named(name) ?? .usual
    self.name = name
    for rule in EraRule.all {
      let key = NameKey(rule.field)
      let value: EraRule.Value =
        switch rule.shape {
        case .flag: .flag(try values.decode(Bool.self, forKey: key))
        case .seconds, .interval: .seconds(try values.decode(Double?.self, forKey: key))
        case .word: .word(try values.decode(String.self, forKey: key))
        }
      guard rule.set(value, in: &self) else {
        throw DecodingError.dataCorruptedError(
          forKey: key, in: values, debugDescription: "\(value) is no value of \(rule.field)")
      }
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: NameKey.self)
    try values.encode(name, forKey: Self.nameKey)
    for rule in EraRule.all {
      let key = NameKey(rule.field)
      switch rule.value(in: self) {
      case .flag(let isSo): try values.encode(isSo, forKey: key)
      case .seconds(let seconds): try values.encode(seconds, forKey: key)
      case .word(let word): try values.encode(word, forKey: key)
      }
    }
  }
}

/// A key of coded values that is known only at run time.
package struct NameKey: CodingKey {
  package let stringValue: String
  package var intValue: Int? { nil }

  package init(_ name: String) { stringValue = name }
  package init?(stringValue: String) { self.stringValue = stringValue }
  package init?(intValue: Int) { nil }
}
