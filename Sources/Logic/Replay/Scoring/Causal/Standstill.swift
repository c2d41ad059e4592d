// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel

// Theory
// ======
//
// The truth moves or stands. It *stands* once it has stayed within `radius` of one point for `patience`;
// it moves again with the first point further off, which then becomes the centre of the next circle.
//
//   moving ──180 s within 50 m of one point──► standing ──further off──► moving (new circle)
//
// 50 m in 180 s are 0.28 m/s: every walk moves, a traffic light is no stay, and the seconds in which a
// device leaves its circle still count as standing.

/// Decides whether the true position stands.
package struct Standstill: Sendable, Equatable {
  /// Metres and seconds [ours].
  package static let radius = 50.0
  package static let patience = 180.0

  private var centre: (frame: LocalFrame, since: EngineInstant)?
  package private(set) var stands = false

  package init() {}

  /// Advances the truth to `point`.
  package mutating func pass(to point: TruePoint) {
    guard let centre, centre.frame.distance(to: point.coordinate) <= Self.radius else {
      self.centre = (LocalFrame(origin: point.coordinate), point.at)
      stands = false
      return
    }
    stands = EngineInstant.seconds(from: centre.since, to: point.at) >= Self.patience
  }

  package static func == (a: Self, b: Self) -> Bool {
    a.stands == b.stands && a.centre?.frame == b.centre?.frame
      && a.centre?.since == b.centre?.since
  }
}
