// SPDX-License-Identifier: Apache-2.0

package import Geodesy

/// A stay at a place [doc: `CLVisit`].
package struct Visit: Sendable, Equatable, Codable {
  /// The place of the stay.
  package var coordinate: Coordinate
  /// Horizontal 68 % radius of the coordinate, metres, above 0; `nil` is unknown.
  package var horizontalAccuracy: Double?
  /// UTC of the first position at the place; `nil` if the device was there when it was first seen at all (Core
  /// Location's `distantPast`), or the receiver gave no time.
  package var arrival: UTCInstant?
  /// UTC of the first position beyond the place; `nil` while the device is there (`distantFuture`).
  package var departure: UTCInstant?

  package init(
    coordinate: Coordinate, horizontalAccuracy: Double?, arrival: UTCInstant?,
    departure: UTCInstant?
  ) {
    self.coordinate = coordinate
    self.horizontalAccuracy = horizontalAccuracy
    self.arrival = arrival
    self.departure = departure
  }

  /// Tells no place more exact than this one.
  package mutating func reduce(to square: Fix) {
    (coordinate, horizontalAccuracy) = (square.coordinate, square.horizontalAccuracy)
  }
}
