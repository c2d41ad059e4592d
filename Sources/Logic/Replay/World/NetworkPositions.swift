// SPDX-License-Identifier: Apache-2.0

package import Geodesy
package import LocationModel
import RadioPower

/// The network's answers to position requests.
package struct NetworkPositions: Sendable, Equatable {
  /// Standard deviation per axis, metres.
  package let errorPerAxis: Double
  /// Seconds from the request to the answer.
  package static let delay = DeviceProfile.networkAnswer

  private let draw: Draw
  private var islands: WiFiIslands?

  /// Default error: 0.4 of the cells' spacing. If `islands` know the access points it is that of Wi-Fi.
  package init(seed: UInt64, errorPerAxis: Double, islands: WiFiIslands? = nil) {
    self.errorPerAxis = errorPerAxis
    self.islands = islands
    draw = Draw(seed: seed, purpose: .networkPosition)
  }

  /// The answer for a device at `truth` with this movement; its error depends only on the seed and the second, so two
  /// modes that ask at the same time get the same answer.
  package mutating func position(
    of truth: Coordinate, moving: WiFiIslands.Movement, time: UTCInstant, at now: EngineInstant
  ) -> Fix {
    let second = UInt64(bitPattern: now.microseconds.flooredQuotient(1_000_000))
    let drawn = draw.normalPair(second)
    let isCovered = islands?.covers(truth, moving: moving) == true
    let errorPerAxis = isCovered ? min(errorPerAxis, WiFiIslands.errorPerAxis) : errorPerAxis
    let place = LocalFrame(origin: truth).point(
      east: drawn.0 * errorPerAxis, north: drawn.1 * errorPerAxis)
    return Fix(
      time: time, coordinate: place, horizontalAccuracy: max(1, 1.5096 * errorPerAxis),
      source: .network)
  }
}
