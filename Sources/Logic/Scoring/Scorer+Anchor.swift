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

    /// That of a fresh delivery at a true place.
    init(_ place: Coordinate, _ delivery: ScoredDelivery, _ rules: ScoringRules) {
      self.init(place, at: delivery.at, accuracy: delivery.accuracy, rules)
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

  /// The kind of a delivery so soon after another fresh one that nothing can happen between them.
  static func kind(
    of next: Anchor, after last: Anchor, _ rules: ScoringRules
  ) -> Telling.Kind? {
    guard next.at < last.due, EngineInstant.seconds(from: last.at, to: next.at) < rules.interval
    else { return nil }
    return isSpurious(next, after: last, rules) ? .spurious : .early
  }
}
