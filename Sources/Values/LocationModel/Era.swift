// SPDX-License-Identifier: Apache-2.0

/// The rules in which generations of the system differ, as values (background-execution, section 4).
///
/// The engine asks a field of this, never which era it is; any field can be overridden. `EraRule.all` states, once,
/// each field's value in each era, its key in the settings and its wording.
package struct Era: Sendable, Equatable {
  /// The name of the era, or of the one from which it is derived.
  package var name: String
  /// Whether its devices run apps in the background at all; else each app behaves as one that opted out.
  package var supportsMultitasking = true
  /// Whether `didEnterBackground` is called on a launch into the background.
  package var entersBackgroundOnLaunch = false
  /// The fate of standard updates that arrive for a suspended app.
  ///
  /// The receiver is never on for a suspended app, so only fixes from other apps' receivers arrive; for the only app
  /// there are none.
  package var standardWhileSuspended = WhileSuspended.dropped
  /// Whether background updates need `allowsBackgroundLocationUpdates` besides the declared mode.
  package var backgroundNeedsRequestFlag = false
  /// Whether there are two levels, *when in use* and *always*; else an app is authorized or it is not, and
  /// authorized means *always*.
  package var knowsWhenInUse = false
  /// Whether the first start of a service asks the user if nothing has been decided; else the app asks by itself,
  /// or gets nothing.
  package var asksAtStart = false
  /// Whether an app that holds *when in use* can ask for *always*.
  package var upgradesToAlways = false
  /// Whether an app that asked for *always* and was allowed *when in use* holds *always* on trial, until the
  /// user is asked again when it first matters.
  package var grantsAlwaysOnTrial = false
  /// Whether updates of an app with *when in use* must have been started in the foreground; they then continue in the
  /// background, where none can be started.
  package var whenInUseStartsInForeground = false
  /// Whether a relaunch needs the level *always*; else any authorization will do.
  package var relaunchNeedsAlways = false
  /// Whether a significant change relaunches an app that the user has force-quit.
  package var relaunchesAfterForceQuit = false
  /// Seconds after which an app that monitors significant changes is woken although the device has not moved; `nil` is
  /// never.
  package var idleWake: Double?
  /// Whether continuous updates can be deferred while the app is suspended.
  package var defersUpdates = false
  /// Whether arrivals and departures can be monitored.
  package var hasVisits = false
  /// Seconds that background tasks have in all.
  package var taskBudget = 0.0
  /// The fate of an app whose tasks take longer; sources disagree.
  package var taskOverrun = Overrun.terminated
  /// Whether there is background fetch.
  package var hasFetch = false
  /// Whether a push can wake an app that declares `remote-notification`.
  package var wakesOnPush = false
  /// Whether a push can ask an app that declares `location-push` for the location.
  package var wakesOnLocationPush = false
  /// Whether `voip` has its keep-alive handler, its watched socket and its relaunches; apps built for iOS 10
  /// and later have pushes in their place.
  package var hasVoIP = false
  /// Whether an announced issue wakes an app that declares `newsstand-content`.
  package var hasNewsstand = false
  /// Whether an accessory's data wake an app that declares `external-accessory`.
  package var hasAccessories = false
  /// Whether a peripheral wakes an app that declares one of Bluetooth's modes.
  package var hasBluetooth = false
  /// Whether there is a switch for background refresh.
  package var hasRefreshSwitch = false
  /// Whether there is a Low Power Mode.
  package var hasLowPowerMode = false
  /// Whether notifications need the user's permission.
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
  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }

    static let name = Key(stringValue: "name")
  }

  /// A member that an older release did not write has the value of the era of that name.
  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    let name = try values.decode(String.self, forKey: .name)
    self = Era.named(name) ?? .usual
    self.name = name
    for rule in EraRule.all {
      let key = Key(stringValue: rule.field)
      guard values.contains(key) else { continue }
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
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(name, forKey: .name)
    for rule in EraRule.all {
      let key = Key(stringValue: rule.field)
      switch rule.value(in: self) {
      case .flag(let isSo): try values.encode(isSo, forKey: key)
      case .seconds(let seconds): try values.encode(seconds, forKey: key)
      case .word(let word): try values.encode(word, forKey: key)
      }
    }
  }
}
