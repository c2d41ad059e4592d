// SPDX-License-Identifier: Apache-2.0

package import Geodesy
package import LocationModel

/// One delivery as the scorer needs it.
package struct ScoredDelivery: Sendable, Equatable {
  /// The time of the delivery.
  package var at: EngineInstant
  /// The delivered position.
  package var coordinate: Coordinate
  /// Claimed horizontal accuracy, metres; `nil` is none.
  package var accuracy: Double?
  package var isCached: Bool

  package init(at: EngineInstant, coordinate: Coordinate, accuracy: Double?, isCached: Bool = false)
  {
    self.at = at
    self.coordinate = coordinate
    self.accuracy = accuracy
    self.isCached = isCached
  }
}
