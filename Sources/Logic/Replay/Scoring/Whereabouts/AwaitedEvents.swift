// SPDX-License-Identifier: Apache-2.0

import LocationModel

// Theory
// ======
//
//   mayHappen ──happened──► open ──told──► told ───── the segment ends within the margin ──► not judged
//      │   told meanwhile: kept  └── patience, its opposite, the end of the segment ──► missed
//      └── did not happen: told for nothing, if told
//
// - *Told*: the delay is from the event to the telling. What was taken before the event, and told behind it, says nothing
//   of it.
// - *Missed*: not told before its opposite happened, or within the patience of the rules, or by the end of the segment.
// - *Not judged*: its segment ended within the margin of the rules after it. Where apps are compared (`alike`), whether it
//   was told or not: so all who follow one truth are judged by the same events, and nobody by those that only the quick
//   had time to be told of. Where one app is looked at (`told`), a told one counts.

/// The events of one kind that an app should be told: happened ones, and one that may turn out to have happened.
struct AwaitedEvents: Sendable, Equatable {
  private var settled = EventTally()
  /// The first 200 of these, for a picture of one run.
  private(set) var outcomes: [Outcome] = []
  /// Those whose segment may yet end too early, in order; `told` is `nil` for a missed one.
  private var recent: [Outcome] = []
  private var possible: Possible?
  /// The times of events that happened and have not been told yet.
  private var open: [EngineInstant] = []
  private let rules: ScoringRules
  private let judging: Judging

  /// Which of the events near the end of a segment are judged.
  enum Judging: Sendable { case alike, told }

  private struct Possible: Sendable, Equatable {
    let at: EngineInstant
    /// The time at which the app was told, before it was certain.
    var told: EngineInstant?
  }

  /// A judged event, and when the app was told of it; `nil` if it was missed.
  struct Outcome: Sendable, Equatable {
    let at: EngineInstant
    let told: EngineInstant?
  }

  private static let outcomeLimit = 200

  init(
    _ tally: EventTally = EventTally(), rules: ScoringRules = ScoringRules(), _ judging: Judging
  ) {
    settled = tally
    self.judging = judging
    self.rules = rules
  }

  /// The outcomes so far.
  var tally: EventTally { recent.reduce(into: settled) { $0.include($1) } }

  var mayHappen: Bool { possible != nil }

  /// Whether there is an event, or one that may turn out to have happened, of which the app was not told.
  var isAwaited: Bool { !open.isEmpty || possible.map { $0.told == nil } ?? false }

  mutating func mayHappen(at now: EngineInstant) { possible = Possible(at: now) }

  /// Drops the possible event; returns whether the app was told of it.
  mutating func didNotHappen() -> Bool {
    defer { possible = nil }
    return possible?.told != nil
  }

  /// Confirms the possible event; without one the event is only counted.
  mutating func happened() {
    settled.happened()
    guard let event = possible else { return }
    possible = nil
    settle(before: event.at)
    if let told = event.told { note(event.at, told: told) } else { open.append(event.at) }
  }

  /// Notes that the app was told what is of `taken`, by default of now; returns whether there is an event until then of
  /// which it did not know.
  mutating func told(at now: EngineInstant, of taken: EngineInstant? = nil) -> Bool {
    let taken = taken ?? now
    let count = open.prefix { $0 <= taken }.count
    for event in open.prefix(count) { note(event, told: now) }
    open.removeFirst(count)
    guard let event = possible, event.told == nil, event.at <= taken else { return count > 0 }
    possible?.told = now
    return true
  }

  /// Gives up the open events.
  mutating func miss() {
    for event in open { note(event, told: nil) }
    open.removeAll(keepingCapacity: true)
  }

  mutating func losePatience(at now: EngineInstant) {
    while let first = open.first, EngineInstant.seconds(from: first, to: now) > rules.patience {
      note(open.removeFirst(), told: nil)
    }
  }

  mutating func endSegment(at now: EngineInstant) {
    losePatience(at: now)
    miss()
    settle(before: now)
    if judging == .told {
      for outcome in recent where outcome.told != nil { settle(outcome) }
    }
    recent.removeAll(keepingCapacity: true)
    possible = nil
  }

  private mutating func note(_ event: EngineInstant, told: EngineInstant?) {
    recent.append(Outcome(at: event, told: told))
  }

  /// Settles the outcomes that are the margin older than an instant of the same segment.
  private mutating func settle(before now: EngineInstant) {
    guard !recent.isEmpty else { return }
    for outcome in recent where rules.judges(outcome.at, bySegmentEnd: now) { settle(outcome) }
    recent.removeAll { rules.judges($0.at, bySegmentEnd: now) }
  }

  private mutating func settle(_ outcome: Outcome) {
    settled.include(outcome)
    if outcomes.count < Self.outcomeLimit { outcomes.append(outcome) }
  }

  /// Adds the outcomes over another trace or in another world.
  static func += (a: inout Self, b: Self) { a.settled += b.tally }
}

extension EventTally {
  fileprivate mutating func include(_ outcome: AwaitedEvents.Outcome) {
    if let told = outcome.told { self.told(outcome.at, at: told) } else { miss() }
  }
}
