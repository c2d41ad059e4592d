// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel

// Theory
// ======
//
// The clairvoyant looks once per event, because it knows when the crossing comes. How often must a policy look that
// knows only the past, and is never later than δ? Give it more than any device has: a perfect odometer, which costs
// nothing, and looks that are exact. It cannot know the direction of the way. From a look at distance d from the
// anchor, a way of 500 m − d *may* have been made straight outwards, so
//
//     possible(look) = the first instant at which the way since the look is 500 m − d, and the 300 s are over
//     next look      ≤ possible + δ
//
// and a later look bets on a bend. By the triangle inequality a later look never has an earlier deadline (d grows by no
// more than the way), so looking as late as allowed needs the fewest looks: this counts a minimum, leg by leg between
// the actual deliveries.
//
//   delivery ──► watching ──possible──► pending ──δ──► look ──d < 500 m──► watching: a look too many
//                   ▲                      │            └────d ≥ 500 m──► found: the delivery is overdue
//                   └────── delivery ◄─────┴──────────────────────────────┘
//
// Without sky a look finds nothing. A policy that must not be later than δ once there is sky again must look again
// after δ, as long as it lasts; `CarefulLooks` counts those.
//
// The way is measured by chords of `chord` metres, which are never longer than the way: the drift of a recorded
// position that stands is no way. A look that finds the crossing is not counted, nor one that a delivery precedes; so
// looks and deliveries together are the sessions needed.
//
// It is smaller for its omissions: errors of position and speed, TTFF, hints that mean nothing, lost sky. It demands
// more than a 95th percentile does if there are more than twenty crossings: each one within δ.

/// Counts the looks that a never-late policy needs between deliveries.
struct CarefulSchedule: Sendable, Equatable {
  /// Metres of the chords by which the way is measured [ours: beyond the drift of a receiver at rest].
  static let chord = 25.0

  private let distance: Double
  private let interval: Double
  private let delay: Double
  private var leg: Leg?

  private struct Leg: Sendable, Equatable {
    var anchor: LocalFrame
    var due: EngineInstant
    /// Metres from the anchor at the last look.
    var away = 0.0
    /// Metres of full chords since then, and the end of the last one.
    var way = 0.0
    var vertex: LocalFrame
    var possible: EngineInstant?

    /// Metres of way since the last look, the open chord included.
    mutating func advance(to place: Coordinate) -> Double {
      let open = vertex.distance(to: place)
      guard open >= CarefulSchedule.chord else { return way + open }
      (way, vertex) = (way + open, LocalFrame(origin: place))
      return way
    }

    mutating func look(at place: Coordinate) {
      away = anchor.distance(to: place)
      (way, vertex, possible) = (0, LocalFrame(origin: place), nil)
    }
  }

  init(rules: ScoringRules, delay: Double) {
    distance = rules.distance
    interval = rules.interval
    self.delay = delay
  }

  /// Advances the truth to `point`; returns whether a look was needed that finds no crossing.
  mutating func pass(to point: TruePoint, hasSky: Bool = true) -> Bool {
    guard var leg else { return false }
    let mayBeAway = leg.away + leg.advance(to: point.coordinate) >= distance
    if leg.possible == nil, mayBeAway, point.at >= leg.due { leg.possible = point.at }
    let isDue = leg.possible.map { EngineInstant.seconds(from: $0, to: point.at) >= delay } ?? false
    if isDue, !hasSky {
      leg.possible = point.at
      self.leg = leg
      return true
    }
    if isDue { leg.look(at: point.coordinate) }
    let isFound = isDue && leg.away >= distance
    self.leg = isFound ? nil : leg
    return isDue && !isFound
  }

  /// Takes a look that was not asked for; returns whether it was between deliveries.
  mutating func look(at point: TruePoint) -> Bool {
    guard var leg else { return false }
    leg.look(at: point.coordinate)
    // Too early there is no crossing yet.
    let isFound = leg.away >= distance && point.at >= leg.due
    self.leg = isFound ? nil : leg
    return !isFound
  }

  /// The time of the next look; `nil` if not known yet.
  var due: EngineInstant? { leg?.possible?.advanced(bySeconds: delay) }

  /// A fresh delivery at a point: the anchor of the next leg.
  mutating func deliver(at point: TruePoint) {
    let frame = LocalFrame(origin: point.coordinate)
    leg = Leg(anchor: frame, due: point.at.advanced(bySeconds: interval), vertex: frame)
  }

  /// Ends the segment: the position is unknown until the next delivery.
  mutating func endSegment() { leg = nil }
}
