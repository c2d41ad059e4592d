// SPDX-License-Identifier: Apache-2.0

package import LocationModel

// Theory
// ======
//
// The true events at a border (`TrueBorder`), and the time at which the app was told in words (`AwaitedEvents`).
//
// - *Unfounded*: an event without one of the truth under way or open. It may stem from a position error.
// - A gap hides the device's moves: the side on which it is afterwards counts, and an event about that is neither told
//   nor unfounded.

/// The quality of an app's region events.
package struct RegionScore: Sendable, Equatable {
  package var region: MonitoredRegion { border.region }
  package var entries: EventTally { entering.tally }
  package var exits: EventTally { leaving.tally }
  /// Events without one in the truth.
  package private(set) var unfounded = 0

  private var entering: AwaitedEvents
  private var leaving: AwaitedEvents
  private var border: TrueBorder
  /// The side before a gap, until the next point shows the one after it.
  private var before: Bool?
  /// The side after a gap, if different from before.
  private var hidden: Bool?
  private var latest: EngineInstant?

  package init(_ region: MonitoredRegion, rules: ScoringRules = ScoringRules()) {
    border = TrueBorder(region)
    entering = AwaitedEvents(rules: rules, .told)
    leaving = AwaitedEvents(rules: rules, .told)
  }

  private subscript(isEntry isEntry: Bool) -> AwaitedEvents {
    _read { if isEntry { yield entering } else { yield leaving } }
    _modify { if isEntry { yield &entering } else { yield &leaving } }
  }

  /// Advances the truth to a point; instants do not decrease.
  package mutating func pass(to point: TruePoint) {
    latest = point.at
    entering.losePatience(at: point.at)
    leaving.losePatience(at: point.at)
    let wasUnknown = border.isInside == nil
    switch border.pass(to: point) {
    case .mayCross(let isEntry): self[isEntry: isEntry].mayHappen(at: point.at)
    case .cameBack(let isEntry): if self[isEntry: isEntry].didNotHappen() { unfounded += 1 }
    case .crossed(let isEntry):
      entering.miss()
      leaving.miss()
      self[isEntry: isEntry].happened()
      hidden = nil
    case nil: if wasUnknown { settle() }
    }
  }

  /// The side after a gap is known.
  private mutating func settle() {
    guard let side = border.isInside else { return }
    if let before, before != side { hidden = side }
    before = nil
  }

  /// Notes that the app was told of an entry, or of an exit.
  package mutating func told(isEntry: Bool, at now: EngineInstant) {
    if self[isEntry: isEntry].told(at: now) || self[isEntry: isEntry].mayHappen { return }
    if hidden == isEntry { hidden = nil } else { unfounded += 1 }
  }

  /// Ends the segment: the position is unknown from the latest point on.
  package mutating func endSegment() {
    guard let latest else { return }
    entering.endSegment(at: latest)
    leaving.endSegment(at: latest)
    before = border.isInside
    border.endSegment()
  }

  /// Adds the score of the same region over another trace or in another world.
  package static func += (a: inout Self, b: Self) {
    a.entering += b.entering
    a.leaving += b.leaving
    a.unfounded += b.unfounded
  }
}
