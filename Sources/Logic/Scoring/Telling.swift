// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel

/// A delivery at the end of a step that follows another at its start: all who were told both judge it alike.
///
/// Made once, and shared by all of them.
package struct Telling: Sendable {
  package let delivery: ScoredDelivery
  /// The true place.
  let place: Coordinate
  /// Metres from there to the position told before it, and the age of that half way, seconds; 0 if there was none.
  let off: Double
  let age: Double
  /// The scorer's view of it; `nil` where something may happen besides.
  let kind: Kind?

  enum Kind: Sendable {
    case spurious, early
  }

  /// `delivery` is a fresh one at the end of `step`; `last` is what was told at its start, `nil` if nothing was.
  package init(
    _ delivery: ScoredDelivery, at step: PathStep, after last: Telling?, _ rules: ScoringRules
  ) {
    self.delivery = delivery
    place = step.place.origin
    guard let last else {
      (off, age, kind) = (0, 0, nil)
      return
    }
    off = step.place.distance(to: last.delivery.coordinate)
    age = Whereabouts.age(of: last.delivery.at, at: step.at, after: step.elapsed)
    kind = Scorer.kind(
      of: Scorer.Anchor(place, delivery, rules),
      after: Scorer.Anchor(last.place, last.delivery, rules), rules)
  }
}
