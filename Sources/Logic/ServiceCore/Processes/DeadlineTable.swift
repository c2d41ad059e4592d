// SPDX-License-Identifier: Apache-2.0

import LocationModel

/// The apps with a pending change by time alone: a pause after a crash, a retry. One instant each.
struct DeadlineTable: Sendable, Equatable {
  private var instants: [AppID: EngineInstant] = [:]

  var count: Int { instants.count }
  var earliest: EngineInstant? { instants.isEmpty ? nil : instants.values.min() }

  /// `nil` removes the app.
  mutating func set(_ instant: EngineInstant?, for id: AppID) {
    guard instant != nil || !instants.isEmpty else { return }
    instants[id] = instant
  }

  /// The app with the first instant of two tables, and of equal ones the lowest number; `nil` if none is due.
  static func firstDue(_ one: Self, _ other: Self, at now: EngineInstant) -> AppID? {
    guard !one.instants.isEmpty || !other.instants.isEmpty else { return nil }
    return [one, other].flatMap(\.instants).filter { $0.value <= now }
      .min { ($0.value, $0.key.number) < ($1.value, $1.key.number) }?.key
  }
}
