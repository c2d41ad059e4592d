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

    /// Whether a point is certainly within a distance, and so a straight leg between two such points.
    @inline(__always)
    func holds(_ point: Coordinate, within distance: Double) -> Bool {
      place.distanceBound(to: point) < distance
    }
  }

  /// Whether the device had not moved as far as the accuracies explain, with no open crossing.
  static func isSpurious(
    _ next: Anchor, after last: Anchor, _ rules: ScoringRules
  ) -> Bool {
    let least = rules.distance - min(rules.explained, last.accuracy + next.accuracy)
    return last.place.distanceBound(to: next.place) < least
      || last.place.distance(to: next.place) < least
  }
}
