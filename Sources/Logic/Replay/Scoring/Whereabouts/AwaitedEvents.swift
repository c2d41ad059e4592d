// SPDX-License-Identifier: Apache-2.0

import LocationModel

// Theory
// ======
//
//   mayHappen ──happened──► open ──told──► told
//      │   told meanwhile: kept  └── patience, its opposite, the end of the segment ─► missed
//      └── did not happen: told for nothing, if told
//
// - *Told*: the delay is from the event to the telling.
// - *Missed*: not told before its opposite happened, or within the patience of the rules, or by the end of the segment,
//   if that is at least their margin after it. The rest is open: neither told nor missed.

/// The events of one kind that an app should be told: happened ones, and one that may turn out to have happened.
struct AwaitedEvents: Sendable, Equatable {
  private(set) var tally = EventTally()
  private var possible: Possible?
  /// The time of an event that happened and has not been told yet.
  private var open: EngineInstant?

  private struct Possible: Sendable, Equatable {
    let at: EngineInstant
    /// The time at which the app was told, before it was certain.
    var told: EngineInstant?
  }

  var mayHappen: Bool { possible != nil }

  /// Whether there is an event of which the app was not told, or one that may turn out to have happened.
  var isAwaited: Bool { open != nil || possible != nil }

  mutating func mayHappen(at now: EngineInstant) { possible = Possible(at: now) }

  /// Drops the possible event; returns whether the app was told of it.
  mutating func didNotHappen() -> Bool {
    defer { possible = nil }
    return possible?.told != nil
  }

  /// Confirms the possible event; without one the event is only counted.
  mutating func happened() {
    tally.happened()
    guard let event = possible else { return }
    possible = nil
    if let told = event.told { tally.told([event.at], at: told) } else { open = event.at }
  }

  /// Notes that the app was told; returns whether there is an event of which it did not know.
  mutating func told(at now: EngineInstant) -> Bool {
    if let event = open {
      tally.told([event], at: now)
      open = nil
      return true
    }
    guard let event = possible, event.told == nil else { return false }
    possible?.told = now
    return true
  }

  /// Gives up the open event, if there is one.
  mutating func miss() {
    if open != nil { tally.miss() }
    open = nil
  }

  mutating func losePatience(at now: EngineInstant, _ rules: ScoringRules) {
    if let open, rules.misses(open, by: now) { miss() }
  }

  mutating func endSegment(at now: EngineInstant, _ rules: ScoringRules) {
    if let open, rules.misses(open, bySegmentEnd: now) { miss() }
    (open, possible) = (nil, nil)
  }

  static func += (a: inout Self, b: Self) { a.tally += b.tally }
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
