// SPDX-License-Identifier: Apache-2.0

package import LocationModel

// Theory
// ======
//
// The true arrivals and departures (`TruthEvents`, whose rule is that of visits), and the time at which the app was
// told. The instant of an event is that at which the device came within the radius, or left it; so an arrival is told
// 300 s late at best, for only then it is one.
//
//   mayArrive(at) ──arrived──► open ──told──► told
//        │  told meanwhile: kept          └── departed, patience, end of the segment ─► missed
//        └── another mayArrive: the event told for this one is unfounded
//
//   mayDepart(at) ──departed──► open ──told──► told
//        └── cameBack: the event told for it is unfounded
//
// - *Missed* and *open* are as those of regions (`RegionScore`).
// - An arrival without a time does not count: the arrival at the device's first place was not observed.
// - A gap ends the events under way: the app is told of the rest of a stay by a departure that the truth does not see;
//   one such is neither told nor unfounded.

/// The quality of an app's visit events.
package struct VisitScore: Sendable, Equatable {
  package private(set) var arrivals = EventTally()
  package private(set) var departures = EventTally()
  /// Events without one in the truth.
  package private(set) var unfounded = 0

  private let rules: ScoringRules
  /// A possible event, and an event not told yet.
  private var coming: AwaitedEvent?
  private var leaving: AwaitedEvent?
  private var openArrival: AwaitedEvent?
  private var openDeparture: AwaitedEvent?
  /// Whether a gap may hide a departure.
  private var hidesDeparture = false

  package init(rules: ScoringRules = ScoringRules()) { self.rules = rules }

  /// Takes an event of the truth.
  package mutating func note(_ event: TruthEvent, at now: EngineInstant) {
    losePatience(at: now)
    switch event {
    case .crossed: break
    case .mayArrive:
      if coming?.told != nil { unfounded += 1 }
      coming = AwaitedEvent(at: now)
    case .arrived:
      guard let candidate = coming else { return arrivals.happened() }
      coming = nil
      openArrival = arrivals.happened(candidate) ?? openArrival
    case .mayDepart: leaving = AwaitedEvent(at: now)
    case .cameBack:
      if leaving?.told != nil { unfounded += 1 }
      leaving = nil
    case .departed:
      if openArrival != nil { arrivals.miss() }
      openArrival = nil
      hidesDeparture = false
      guard let left = leaving else { return departures.happened() }
      leaving = nil
      openDeparture = departures.happened(left) ?? openDeparture
    }
  }

  /// Notes that the app was told of an arrival, or of a departure.
  package mutating func told(_ visit: Visit, at now: EngineInstant) {
    losePatience(at: now)
    if visit.departure != nil { toldDeparture(at: now) } else { toldArrival(visit, at: now) }
  }

  private mutating func toldArrival(_ visit: Visit, at now: EngineInstant) {
    guard visit.arrival != nil else { return }
    if let open = openArrival {
      arrivals.told([open.at], at: now)
      openArrival = nil
    } else if let candidate = coming, candidate.told == nil {
      coming?.told = now
    } else {
      unfounded += 1
    }
  }

  private mutating func toldDeparture(at now: EngineInstant) {
    if let open = openDeparture {
      departures.told([open.at], at: now)
      openDeparture = nil
    } else if let left = leaving, left.told == nil {
      leaving?.told = now
    } else if hidesDeparture {
      hidesDeparture = false
    } else {
      unfounded += 1
    }
  }

  private mutating func losePatience(at now: EngineInstant) {
    if let open = openArrival, rules.misses(open.at, by: now) {
      arrivals.miss()
      openArrival = nil
    }
    if let open = openDeparture, rules.misses(open.at, by: now) {
      departures.miss()
      openDeparture = nil
    }
  }

  /// Ends the segment: the position is unknown from now on.
  package mutating func endSegment(at now: EngineInstant) {
    losePatience(at: now)
    func misses(_ open: AwaitedEvent?) -> Bool {
      open.map { rules.misses($0.at, bySegmentEnd: now) } ?? false
    }
    if misses(openArrival) { arrivals.miss() }
    if misses(openDeparture) { departures.miss() }
    (openArrival, openDeparture, coming, leaving) = (nil, nil, nil, nil)
    hidesDeparture = true
  }

  /// Adds the score over another trace or in another world.
  package static func += (a: inout Self, b: Self) {
    a.arrivals += b.arrivals
    a.departures += b.departures
    a.unfounded += b.unfounded
  }
}
