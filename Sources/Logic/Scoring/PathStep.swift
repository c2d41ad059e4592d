// SPDX-License-Identifier: Apache-2.0

package import Geodesy
package import LocationModel

/// A step along the true path, from one of its points to the next, as all who follow the same truth share it.
package struct PathStep: Sendable {
  /// The frame around the point that it leads to.
  package var place: LocalFrame
  package var at: EngineInstant
  /// Seconds, and metres, on the way; 0 for the first point of a segment.
  package var elapsed: Double
  package var travelled: Double
  /// Whether a receiver that is on can have a fix there.
  package var hasSky: Bool
  /// Whether the device stands there (`Standstill`).
  package var stands: Bool

  package init(
    to place: LocalFrame, at: EngineInstant, elapsed: Double, travelled: Double,
    hasSky: Bool = true, stands: Bool = false
  ) {
    self.place = place
    self.at = at
    self.elapsed = elapsed
    self.travelled = travelled
    self.hasSky = hasSky
    self.stands = stands
  }

  package var point: TruePoint { TruePoint(at: at, coordinate: place.origin) }
}
