// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel

/// Detects that a device has been still for a time: every fix since then lies within a radius of the first.
struct StillDetector: Sendable, Equatable, Codable {
  private var reference: LocalFrame?
  private var since = EngineInstant.zero

  /// The least radius, metres, and the time, seconds: of the rules, no more than is asked for every fix.
  struct Terms {
    let radius: Double
    let pausesAfter: Double

    init(_ rules: EngineRules) { (radius, pausesAfter) = (rules.stillRadius, rules.pausesAfter) }
  }

  /// Takes a position; returns whether the device has been still for long enough to pause updates.
  mutating func isStill(
    after place: Coordinate, accuracy: Double?, at now: EngineInstant, by terms: Terms
  ) -> Bool {
    guard reference != nil, !isLeft(place, accuracy: accuracy, by: terms) else {
      reference = LocalFrame(origin: place)
      since = now
      return false
    }
    return EngineInstant.seconds(from: since, to: now) >= terms.pausesAfter
  }

  /// Whether a position lies outside the place of the rest; never if there is none.
  func isLeft(_ place: Coordinate, accuracy: Double?, by terms: Terms) -> Bool {
    guard let reference else { return false }
    return reference.distance(to: place) > max(terms.radius, 2 * (accuracy ?? 0))
  }
}
