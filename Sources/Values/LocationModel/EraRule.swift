// SPDX-License-Identifier: Apache-2.0

/// One rule in which eras differ: its field, its name, and its value in each era.
///
/// Recordings and snapshots have it by its field, settings by its key, and the documentation in its words; all of them
/// go through this table, so that a rule is a field of `Era` and a line here.
package struct EraRule: Sendable {
  /// The field of `Era`.
  package let field: String
  /// `relaunches_after_force_quit`; a time ends in `_s`.
  package let key: String
  /// The source of the values: `doc` is Apple's documentation, `field` measurements by others, `texts` the rules that
  /// Milepost began with, `ours` a decision where these are silent or disagree.
  package let source: String
  /// In Markdown, for the head of its row.
  package let words: String
  package let shape: Shape
  package let values: (ios4: Value, ios7: Value, ios13: Value, today: Value)
  private let get: @Sendable (Era) -> Value
  private let put: @Sendable (inout Era, Value) -> Bool
  private let say: @Sendable (Value) -> String

  /// The value of a rule.
  package enum Value: Sendable, Hashable {
    case flag(Bool)
    /// `nil` is never.
    case seconds(Double?)
    case word(String)

    /// The value as settings write it, without quotes; never is 0.
    package var text: String {
      switch self {
      case .flag(let isSo): String(isSo)
      case .seconds(let seconds):
        // Whole ones, as nearly all are, without a point.
        Int(exactly: seconds ?? 0).map { String($0) } ?? String(seconds ?? 0)
      case .word(let word): word
      }
    }
  }

  /// The values that a rule can have.
  package enum Shape: Sendable, Equatable {
    case flag
    case seconds
    /// Seconds, or never.
    case interval
    case word([String])
  }

  package func value(in era: Era) -> Value { get(era) }

  /// Sets a rule; returns whether it can have the value; else nothing has changed.
  @discardableResult
  package func set(_ value: Value, in era: inout Era) -> Bool { put(&era, value) }

  /// The value in an era, in Markdown.
  package func text(in era: Era) -> String { say(get(era)) }
}

// MARK: - The table

extension EraRule {
  /// One for each field of `Era` except its name, in the order of the documentation.
  package static let all: [EraRule] = life + location + background

  private static let life: [EraRule] = [
    flag(
      "supportsMultitasking", \.supportsMultitasking, true, true, true, true, from: "texts",
      "the device runs apps in the background (the first ones did not)"),
    flag(
      "entersBackgroundOnLaunch", \.entersBackgroundOnLaunch, false, false, true, true,
      from: "texts",
      "`didEnterBackground` at a launch into the background"),
    seconds(
      "taskBudget", \.taskBudget, 600, 180, 30, 30, from: "texts, field",
      "background tasks have, in all"),
    word(
      "taskOverrun", \.taskOverrun, .terminated, .terminated, .terminated, .terminated,
      from: "ours", "an app whose tasks take longer is"),
  ]

  private static let location: [EraRule] = [
    word(
      "standardWhileSuspended", \.standardWhileSuspended, .dropped, .dropped, .queued, .queued,
      from: "texts, doc",
      "standard updates of a suspended app (the receiver is off for it: this is of what other "
        + "apps' receivers bring)", says: ["queued": "the newest waits until it runs"]),
    flag(
      "backgroundNeedsRequestFlag", \.backgroundNeedsRequestFlag, false, false, true, true,
      from: "doc, iOS 9", "continuous updates need, beside authorization",
      says: ("the declared mode and `allowsBackgroundLocationUpdates`", "the declared mode")),
    flag(
      "knowsWhenInUse", \.knowsWhenInUse, false, false, true, true, from: "doc, iOS 8",
      "levels of authorization", says: ("*when in use* and *always*", "one: *always*")),
    flag(
      "asksAtStart", \.asksAtStart, true, true, false, false, from: "doc, iOS 8",
      "the first start of a service asks the user"),
    flag(
      "upgradesToAlways", \.upgradesToAlways, false, false, true, true, from: "doc, iOS 11",
      "an app with *when in use* can ask for *always*"),
    flag(
      "grantsAlwaysOnTrial", \.grantsAlwaysOnTrial, false, false, true, true, from: "doc, iOS 13",
      "*always* asked for and *when in use* answered is *always* on trial"),
    flag(
      "whenInUseStartsInForeground", \.whenInUseStartsInForeground, false, false, true, true,
      from: "doc, iOS 8", "an app with *when in use* can start updates from the background",
      says: ("no", "yes")),
    flag(
      "relaunchNeedsAlways", \.relaunchNeedsAlways, false, false, true, true, from: "doc, iOS 8",
      "a relaunch needs", says: ("*always*", "any authorization")),
    flag(
      "relaunchesAfterForceQuit", \.relaunchesAfterForceQuit, true, false, true, true,
      from: "texts, field", "a significant change relaunches an app that its user swiped away"),
    interval(
      "idleWake", \.idleWake, nil, nil, nil, nil, from: "doc, field",
      "an app that monitors significant changes is woken without a move"),
    flag(
      "defersUpdates", \.defersUpdates, false, true, false, false, from: "doc, iOS 6 to 12",
      "continuous updates can be kept back while the app is suspended"),
    flag(
      "hasVisits", \.hasVisits, false, false, true, true, from: "doc, iOS 8",
      "arrivals and departures can be monitored"),
  ]

  private static let background: [EraRule] = [
    flag("hasFetch", \.hasFetch, false, true, true, true, from: "doc, iOS 7", "background fetch"),
    flag(
      "wakesOnPush", \.wakesOnPush, false, true, true, true, from: "doc, iOS 7",
      "a push wakes an app that declares `remote-notification`"),
    flag(
      "wakesOnLocationPush", \.wakesOnLocationPush, false, false, false, true, from: "doc, iOS 15",
      "a push asks an app that declares `location-push` where it is"),
    flag(
      "hasVoIP", key: "has_voip", \.hasVoIP, true, true, false, false, from: "texts, doc",
      "`voip` has a keep-alive handler, a watched socket, and relaunches after boot and crash"),
    flag(
      "hasNewsstand", \.hasNewsstand, false, true, true, true, from: "doc, iOS 5",
      "an issue that is announced wakes an app that declares `newsstand-content`"),
    flag(
      "hasAccessories", \.hasAccessories, false, true, true, true, from: "doc, iOS 5",
      "an accessory wakes an app that declares `external-accessory`"),
    flag(
      "hasBluetooth", \.hasBluetooth, false, true, true, true, from: "doc, iOS 5",
      "a peripheral wakes an app that declares `bluetooth-central` or `bluetooth-peripheral`"),
    flag(
      "hasRefreshSwitch", \.hasRefreshSwitch, false, true, true, true, from: "doc, iOS 7",
      "background refresh can be switched off"),
    flag(
      "hasLowPowerMode", \.hasLowPowerMode, false, false, true, true, from: "doc, iOS 9",
      "Low Power Mode stops fetches"),
    flag(
      "asksForNotifications", \.asksForNotifications, false, false, true, true, from: "doc, iOS 8",
      "notifications need their user's permission"),
  ]
}

// MARK: - Lines of the table

extension EraRule {
  private typealias Path<Value> = any WritableKeyPath<Era, Value> & Sendable

  private static func flag(
    _ field: String, key: String? = nil, _ path: Path<Bool>, _ ios4: Bool, _ ios7: Bool,
    _ ios13: Bool, _ today: Bool, from source: String, _ words: String,
    says: (yes: String, no: String) = ("yes", "no")
  ) -> EraRule {
    rule(
      field, key: key ?? snake(field), path, (ios4, ios7, ios13, today), source, words, .flag,
      wrap: { .flag($0) }, unwrap: { if case .flag(let isSo) = $0 { isSo } else { nil } },
      say: { $0 == .flag(true) ? says.yes : says.no })
  }

  private static func seconds(
    _ field: String, _ path: Path<Double>, _ ios4: Double, _ ios7: Double, _ ios13: Double,
    _ today: Double, from source: String, _ words: String
  ) -> EraRule {
    rule(
      field, key: snake(field) + "_s", path, (ios4, ios7, ios13, today), source, words, .seconds,
      wrap: { .seconds($0) },
      unwrap: { if case .seconds(let seconds) = $0 { seconds } else { nil } },
      say: { "\($0.text) s" })
  }

  private static func interval(
    _ field: String, _ path: Path<Double?>, _ ios4: Double?, _ ios7: Double?, _ ios13: Double?,
    _ today: Double?, from source: String, _ words: String
  ) -> EraRule {
    rule(
      field, key: snake(field) + "_s", path, (ios4, ios7, ios13, today), source, words, .interval,
      wrap: { .seconds($0) },
      unwrap: { if case .seconds(let seconds) = $0 { .some(seconds) } else { nil } },
      say: { $0 == .seconds(nil) ? "never" : "every \($0.text) s" })
  }

  private static func word<Word: RawRepresentable<String> & CaseIterable & Sendable>(
    _ field: String, _ path: Path<Word>, _ ios4: Word, _ ios7: Word, _ ios13: Word, _ today: Word,
    from source: String, _ words: String, says: [String: String] = [:]
  ) -> EraRule {
    rule(
      field, key: snake(field), path, (ios4, ios7, ios13, today), source, words,
      .word(Word.allCases.map(\.rawValue)), wrap: { .word($0.rawValue) },
      unwrap: { if case .word(let text) = $0 { Word(rawValue: text) } else { nil } },
      say: { says[$0.text] ?? $0.text })
  }

  /// A rule whose field is wrapped as `Value`; `unwrap` returns `nil` for a value that the field cannot have.
  private static func rule<Field: Sendable>(
    _ field: String, key: String, _ path: Path<Field>, _ eras: (Field, Field, Field, Field),
    _ source: String, _ words: String, _ shape: Shape, wrap: @escaping @Sendable (Field) -> Value,
    unwrap: @escaping @Sendable (Value) -> Field?, say: @escaping @Sendable (Value) -> String
  ) -> EraRule {
    EraRule(
      field: field, key: key, source: source, words: words, shape: shape,
      values: (wrap(eras.0), wrap(eras.1), wrap(eras.2), wrap(eras.3)),
      get: { wrap($0[keyPath: path]) },
      put: { era, value in
        guard let found = unwrap(value) else { return false }
        era[keyPath: path] = found
        return true
      }, say: say)
  }

  /// `relaunches_after_force_quit` of `relaunchesAfterForceQuit`.
  private static func snake(_ name: String) -> String {
    name.reduce(into: "") { $0 += $1.isUppercase ? "_" + $1.lowercased() : String($1) }
  }
}
