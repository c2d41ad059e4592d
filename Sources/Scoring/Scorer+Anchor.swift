// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel

extension Scorer {
  /// The true position at the last fresh delivery.
  struct Anchor: Sendable, Equatable {
    let place: Coordinate
    let at: EngineInstant
    /// Metres; 0 where nothing was claimed.
    let accuracy: Double
    /// When the interval is over.
    let due: EngineInstant
    /// Around the place; made once it is needed, for what is delivered every second never needs it.
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

    /// Whether a straight leg surely stays within a distance.
    func holds(_ a: TruePoint, _ b: TruePoint, within distance: Double) -> Bool {
      place.distanceBound(to: b.coordinate) < distance
        && place.distanceBound(to: a.coordinate) < distance
    }
  }
}
