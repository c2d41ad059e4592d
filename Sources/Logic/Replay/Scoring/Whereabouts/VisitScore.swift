// SPDX-License-Identifier: Apache-2.0

package import LocationModel

// Theory
// ======
//
// The true arrivals and departures (`TruthEvents`, whose rule is that of visits), and the time at which the app was
// told (`AwaitedEvents`). The instant of an event is that at which the device came within the radius, or left it; so an
// arrival is told 300 s late at best, for only then it is one.
//
// - An arrival without a time does not count: the arrival at the device's first place was not observed.
// - A gap ends the events under way: the app is told of the rest of a stay by a departure that the truth does not see;
//   one such is neither told nor unfounded.

/// The quality of an app's visit events.
package struct VisitScore: Sendable, Equatable {
  package var arrivals: EventTally { arriving.tally }
  package var departures: EventTally { departing.tally }
  /// Events without one in the truth.
  package private(set) var unfounded = 0

  private var arriving: AwaitedEvents
  private var departing: AwaitedEvents
  /// Whether a gap may hide a departure.
  private var hidesDeparture = false

  package init(rules: ScoringRules = ScoringRules()) {
    arriving = AwaitedEvents(rules: rules, .told)
    departing = AwaitedEvents(rules: rules, .told)
  }

  /// Takes an event of the truth.
  package mutating func note(_ event: TruthEvent, at now: EngineInstant) {
    losePatience(at: now)
    switch event {
    case .border: break
    case .mayArrive:
      if arriving.didNotHappen() { unfounded += 1 }
      arriving.mayHappen(at: now)
    case .arrived: arriving.happened()
    case .mayDepart: departing.mayHappen(at: now)
    case .cameBack:
      if arriving.didNotHappen() { unfounded += 1 }
      if departing.didNotHappen() { unfounded += 1 }
    case .departed:
      arriving.miss()
      departing.happened()
      hidesDeparture = false
    }
  }

  /// Notes that the app was told of an arrival, or of a departure.
  package mutating func told(_ visit: Visit, at now: EngineInstant) {
    losePatience(at: now)
    if visit.departure == nil {
      if visit.arrival != nil, !arriving.told(at: now) { unfounded += 1 }
    } else if !departing.told(at: now) {
      if !hidesDeparture { unfounded += 1 }
      hidesDeparture = false
    }
  }

  private mutating func losePatience(at now: EngineInstant) {
    arriving.losePatience(at: now)
    departing.losePatience(at: now)
  }

  /// Ends the segment: the position is unknown from now on.
  package mutating func endSegment(at now: EngineInstant) {
    losePatience(at: now)
    arriving.endSegment(at: now)
    departing.endSegment(at: now)
    hidesDeparture = true
  }

  /// Adds the score over another trace or in another world.
  package static func += (a: inout Self, b: Self) {
    a.arriving += b.arriving
    a.departing += b.departing
    a.unfounded += b.unfounded
  }
}
