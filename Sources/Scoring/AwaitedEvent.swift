// SPDX-License-Identifier: Apache-2.0

import LocationModel

/// Something that happened, or may turn out to have happened, and that an app is to be told of.
struct AwaitedEvent: Sendable, Equatable {
  let at: EngineInstant
  /// When the app was told of it, where that was before it was certain.
  var told: EngineInstant?
}

extension ScoringRules {
  /// Whether what happened at `at`, and is not told, is missed by `now`.
  func misses(_ at: EngineInstant, by now: EngineInstant) -> Bool {
    EngineInstant.seconds(from: at, to: now) > patience
  }

  /// Whether it is missed where its segment ends at `end`; else it is not judged.
  func misses(_ at: EngineInstant, bySegmentEnd end: EngineInstant) -> Bool {
    EngineInstant.seconds(from: at, to: end) >= margin
  }
}

extension EventTally {
  /// It is certain that it happened: answers it where it is open, that is, not told yet.
  mutating func happened(_ event: AwaitedEvent) -> AwaitedEvent? {
    happened()
    guard let told = event.told else { return event }
    self.told([event.at], at: told)
    return nil
  }
}
