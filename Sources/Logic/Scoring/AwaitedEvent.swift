// SPDX-License-Identifier: Apache-2.0

import LocationModel

/// An event that happened, or may turn out to have happened, and that an app should be told.
struct AwaitedEvent: Sendable, Equatable {
  let at: EngineInstant
  /// The time at which the app was told, if that was before it was certain.
  var told: EngineInstant?
}

extension ScoringRules {
  /// Whether an untold event at `at` is missed by `now`.
  func misses(_ at: EngineInstant, by now: EngineInstant) -> Bool {
    EngineInstant.seconds(from: at, to: now) > patience
  }

  /// Whether it is missed if its segment ends at `end`; else it is not judged.
  func misses(_ at: EngineInstant, bySegmentEnd end: EngineInstant) -> Bool {
    EngineInstant.seconds(from: at, to: end) >= margin
  }
}

extension EventTally {
  /// Confirms the event; returns it if it is open, that is, not told yet.
  mutating func happened(_ event: AwaitedEvent) -> AwaitedEvent? {
    happened()
    guard let told = event.told else { return event }
    self.told([event.at], at: told)
    return nil
  }
}
