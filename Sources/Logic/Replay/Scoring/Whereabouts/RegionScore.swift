// SPDX-License-Identifier: Apache-2.0

package import LocationModel

// Theory
// ======
//
// The true events at a border, and the time at which the app was told (`AwaitedEvents`). An entry or an exit of the
// truth follows the rule of regions (`MonitoredRegion`): the cushion beyond the border, for 20 s; its instant is that at
// which the border itself was passed, since that is what the app wants to know.
//
//             beyond the border           the cushion, for 20 s: it happened
//   settled ─────────────────────► beyond(since) ──────────────────────────► settled on the other side
//      ▲                                │                                         │
//      └───────── back ─────────────────┘                                   open until told
//
// - *Unfounded*: an event without one of the truth under way or open. It may stem from a position error.
// - A gap hides the device's moves: the side on which it is afterwards counts, and an event about that is neither told
//   nor unfounded.

/// The quality of an app's region events.
package struct RegionScore: Sendable, Equatable {
  package let region: MonitoredRegion
  package var entries: EventTally { entering.tally }
  package var exits: EventTally { leaving.tally }
  /// Events without one in the truth.
  package private(set) var unfounded = 0

  private let rules: ScoringRules
  private var entering = AwaitedEvents()
  private var leaving = AwaitedEvents()
  private var isInside: Bool?
  /// The instant since when it is beyond the cushion.
  private var farSince: EngineInstant?
  /// The side before a gap, until the next point shows the one after it.
  private var before: Bool?
  /// The side after a gap, if different from before.
  private var hidden: Bool?
  private var latest: EngineInstant?

  package init(_ region: MonitoredRegion, rules: ScoringRules = ScoringRules()) {
    self.region = region
    self.rules = rules
  }

  private subscript(isEntry isEntry: Bool) -> AwaitedEvents {
    _read { if isEntry { yield entering } else { yield leaving } }
    _modify { if isEntry { yield &entering } else { yield &leaving } }
  }

  /// Advances the truth to a point; instants do not decrease.
  package mutating func pass(to point: TruePoint) {
    latest = point.at
    entering.losePatience(at: point.at, rules)
    leaving.losePatience(at: point.at, rules)
    let metres = region.beyond(point.coordinate)
    guard let isInside else { return settle(isInside: metres <= 0) }
    let past = isInside ? metres : -metres
    guard past > 0 else {
      if self[isEntry: !isInside].didNotHappen() { unfounded += 1 }
      farSince = nil
      return
    }
    if !self[isEntry: !isInside].mayHappen { self[isEntry: !isInside].mayHappen(at: point.at) }
    let since = past < region.cushion(outwards: isInside) ? nil : farSince ?? point.at
    farSince = since
    guard let since, EngineInstant.seconds(from: since, to: point.at) >= MonitoredRegion.dwell
    else { return }
    entering.miss()
    leaving.miss()
    self[isEntry: !isInside].happened()
    hidden = nil
    settle(isInside: !isInside)
  }

  private mutating func settle(isInside side: Bool) {
    if let before, before != side { hidden = side }
    (before, isInside, farSince) = (nil, side, nil)
  }

  /// Notes that the app was told of an entry, or of an exit.
  package mutating func told(isEntry: Bool, at now: EngineInstant) {
    if self[isEntry: isEntry].told(at: now) || self[isEntry: isEntry].mayHappen { return }
    if hidden == isEntry { hidden = nil } else { unfounded += 1 }
  }

  /// Ends the segment: the position is unknown from the latest point on.
  package mutating func endSegment() {
    guard let latest else { return }
    entering.endSegment(at: latest, rules)
    leaving.endSegment(at: latest, rules)
    (before, isInside, farSince) = (isInside, nil, nil)
  }

  /// Adds the score of the same region over another trace or in another world.
  package static func += (a: inout Self, b: Self) {
    a.entering += b.entering
    a.leaving += b.leaving
    a.unfounded += b.unfounded
  }
}
