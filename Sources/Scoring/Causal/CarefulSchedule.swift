// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel

// Theory
// ======
//
// The clairvoyant looks once per event, because it knows when the crossing comes. How often must a policy
// look that knows the past only, and is never later than δ? Give it more than any device has: a perfect
// odometer, which costs nothing, and looks that are exact. What it cannot know is where the way leads. From
// a look at distance d from the anchor, a way of 500 m − d *may* have been made straight outwards, so
//
//     possible(look) = the first instant at which the way since the look is 500 m − d, and the 300 s are over
//     next look      ≤ possible + δ
//
// and whoever looks later bets on a bend. By the triangle inequality a later look never has an earlier
// deadline (d grows by no more than the way), so looking as late as allowed needs the fewest looks: what
// is counted here is a minimum, leg by leg between the deliveries that were made.
//
//   delivery ──► watching ──possible──► pending ──δ──► look ──d < 500 m──► watching: a look too many
//                   ▲                      │            └────d ≥ 500 m──► found: the delivery is overdue
//                   └────── delivery ◄─────┴──────────────────────────────┘
//
// Where there is no sky a look finds nothing. Who is not to be later than δ once there is sky again must
// look again after δ, as long as it lasts; `CarefulLooks` counts those.
//
// The way is measured by chords of `chord` metres, which are never longer than the way: the drift of a
// recorded position that stands is no way. A look that finds the crossing, and one that a delivery
// comes before, is not counted; so looks and deliveries together are the sessions that were needed.
//
// What it leaves out makes it smaller: errors of position and speed, times to first fix, hints that mean
// nothing, sky that is lost. What it asks for is more than a 95th percentile does where there are more than
// twenty crossings: each one within δ.

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
    /// Metres of full chords since then, and where the last one ended.
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

  /// The truth is there now; answers whether a look was needed that finds no crossing.
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

  /// Somebody looks, though it is not asked for; answers whether that was a look between deliveries.
  mutating func look(at point: TruePoint) -> Bool {
    guard var leg else { return false }
    leg.look(at: point.coordinate)
    // Too soon it is no crossing yet.
    let isFound = leg.away >= distance && point.at >= leg.due
    self.leg = isFound ? nil : leg
    return !isFound
  }

  /// When the next look is due; `nil` where that is not known yet.
  var due: EngineInstant? { leg?.possible?.advanced(bySeconds: delay) }

  /// A fresh delivery at a point: the anchor of the next leg.
  mutating func deliver(at point: TruePoint) {
    let frame = LocalFrame(origin: point.coordinate)
    leg = Leg(anchor: frame, due: point.at.advanced(bySeconds: interval), vertex: frame)
  }

  /// Nobody knows where the device is until the next delivery.
  mutating func endSegment() { leg = nil }
}
