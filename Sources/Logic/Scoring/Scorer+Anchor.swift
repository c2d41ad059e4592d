// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel

extension Scorer {
  /// The true position at the last fresh delivery.
  struct Anchor: Sendable, Equatable {
    let place: Coordinate
    let at: EngineInstant
    /// Metres; 0 if nothing was claimed.
    let accuracy: Double
    /// The end of the interval.
    let due: EngineInstant
    /// Around the place; made when first needed, since deliveries every second never need it.
    private var madeFrame: LocalFrame?

    init(_ place: Coordinate, at: EngineInstant, accuracy: Double?, _ rules: ScoringRules) {
      self.place = place
      self.at = at
      self.accuracy = accuracy ?? 0
      due = at.advanced(bySeconds: rules.interval)
    }

    mutating func frame() -> LocalFrame {
      if let madeFrame { return madeFrame }
      let frame = LocalFrame(origin: place)
      madeFrame = frame
      return frame
    }

    /// Whether a straight leg certainly stays within a distance.
    @inline(__always)
    func holds(_ a: TruePoint, _ b: TruePoint, within distance: Double) -> Bool {
      place.distanceBound(to: b.coordinate) < distance
        && place.distanceBound(to: a.coordinate) < distance
    }
  }
}
