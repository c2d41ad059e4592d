// SPDX-License-Identifier: Apache-2.0

package import LocationModel

// Theory
// ======
//
// The true events at a border, and the time at which the app was told. An entry or an exit of the truth follows the
// rule of regions (`MonitoredRegion`): the cushion beyond the border, for 20 s; its instant is that at which the border
// itself was passed, since that is what the app wants to know.
//
//             beyond the border           the cushion, for 20 s: it happened
//   settled ─────────────────────► beyond(since) ──────────────────────────► settled on the other side
//      ▲                                │                                         │
//      └───────── back ─────────────────┘                                   open until told
//
// - *Told*: the delay is from the border to the event.
// - *Missed*: not told before the device truly crossed back, or within the patience of the rules, or by the end of the
//   segment, if that is at least their margin after it. The rest is open: neither told nor missed.
// - *Unfounded*: an event without one of the truth under way or open. It may stem from a position error.
// - A gap hides the device's moves: the side on which it is afterwards counts, and an event about that is neither told
//   nor unfounded.

/// The quality of an app's region events.
package struct RegionScore: Sendable, Equatable {
  package let region: MonitoredRegion
  package private(set) var entries = EventTally()
  package private(set) var exits = EventTally()
  /// Events without one in the truth.
  package private(set) var unfounded = 0

  private let rules: ScoringRules
  private var isInside: Bool?
  private var beyond: Beyond?
  /// The event that happened and has not been told yet.
  private var open: Open?
  /// The side before a gap, until the next point shows the one after it.
  private var before: Bool?
  /// The side after a gap, if different from before.
  private var hidden: Bool?
  private var latest: EngineInstant?

  private struct Beyond: Sendable, Equatable {
    var event: AwaitedEvent
    /// The instant since when it is beyond the cushion.
    var farSince: EngineInstant?
  }

  private struct Open: Sendable, Equatable {
    let isEntry: Bool
    let event: AwaitedEvent
  }

  package init(_ region: MonitoredRegion, rules: ScoringRules = ScoringRules()) {
    self.region = region
    self.rules = rules
  }

  /// Advances the truth to a point; instants do not decrease.
  package mutating func pass(to point: TruePoint) {
    latest = point.at
    if let open, rules.misses(open.event.at, by: point.at) { miss(open.isEntry) }
    let metres = region.beyond(point.coordinate)
    guard let isInside else { return settle(isInside: metres <= 0) }
    let past = isInside ? metres : -metres
    guard past > 0 else {
      if beyond?.event.told != nil { unfounded += 1 }
      beyond = nil
      return
    }
    var crossing = beyond ?? Beyond(event: AwaitedEvent(at: point.at))
    if past < region.cushion(outwards: isInside) {
      crossing.farSince = nil
    } else if crossing.farSince == nil {
      crossing.farSince = point.at
    }
    beyond = crossing
    guard let since = crossing.farSince,
      EngineInstant.seconds(from: since, to: point.at) >= MonitoredRegion.dwell
    else { return }
    happened(crossing, isEntry: !isInside)
  }

  private mutating func settle(isInside side: Bool) {
    if let before, before != side { hidden = side }
    before = nil
    isInside = side
    beyond = nil
  }

  private mutating func happened(_ crossing: Beyond, isEntry: Bool) {
    if let open { miss(open.isEntry) }
    var left: AwaitedEvent?
    change(isEntry) { left = $0.happened(crossing.event) }
    if let left { open = Open(isEntry: isEntry, event: left) }
    hidden = nil
    settle(isInside: isEntry)
  }

  private mutating func miss(_ isEntry: Bool) {
    change(isEntry) { $0.miss() }
    open = nil
  }

  private mutating func change(_ isEntry: Bool, _ body: (inout EventTally) -> Void) {
    if isEntry { body(&entries) } else { body(&exits) }
  }

  /// Notes that the app was told of an entry, or of an exit.
  package mutating func told(isEntry: Bool, at now: EngineInstant) {
    if let open, open.isEntry == isEntry {
      change(isEntry) { $0.told([open.event.at], at: now) }
      self.open = nil
    } else if let crossing = beyond, isInside == !isEntry {
      beyond?.event.told = crossing.event.told ?? now
    } else if hidden == isEntry {
      hidden = nil
    } else {
      unfounded += 1
    }
  }

  /// Ends the segment: the position is unknown from the latest point on.
  package mutating func endSegment() {
    if let open, let latest, rules.misses(open.event.at, bySegmentEnd: latest) {
      change(open.isEntry) { $0.miss() }
    }
    (open, beyond) = (nil, nil)
    before = isInside
    isInside = nil
  }

  /// Adds the score of the same region over another trace or in another world.
  package static func += (a: inout Self, b: Self) {
    a.entries += b.entries
    a.exits += b.exits
    a.unfounded += b.unfounded
  }
}
