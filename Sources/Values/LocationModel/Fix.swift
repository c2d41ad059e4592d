// SPDX-License-Identifier: Apache-2.0

package import Geodesy

/// One position report of a receiver, a network or a file.
///
/// Unknown is `nil`, decided where bytes become values: no NaN, no −1, no 0 that means "none" travels
/// further than a decoder.
package struct Fix: Sendable, Equatable, Codable {
  /// The source of the position.
  package enum Source: UInt8, Sendable, Codable {
    case gnss
    /// Wi-Fi or cell towers, looked up by the network.
    case network
  }

  /// UTC as the source states it; `nil` if it gave none.
  package var time: UTCInstant?
  package var coordinate: Coordinate
  /// Horizontal 68 % radius, metres, above 0; `nil` is unknown and never means perfect.
  @NaNCoded package var horizontalAccuracy: Double?
  /// The standard deviation along an axis, metres, of a position of this accuracy: the radius of 68 % of a normal error is
  /// √(−2 ln 0.32) = 1.51 of them.
  @inlinable package static func deviation(ofAccuracy accuracy: Double) -> Double {
    accuracy / 1.51
  }
  /// Seconds after which the error of a receiver's fix has one e-th in common with this one's: multipath and atmosphere
  /// change over minutes [estimate].
  package static let errorLasts = 120.0

  /// Metres above mean sea level.
  @NaNCoded package var altitude: Double?
  /// Metres above the WGS-84 ellipsoid; never mixed with `altitude`.
  @NaNCoded package var ellipsoidalHeight: Double?
  /// Vertical 68 % half interval, metres, above 0.
  @NaNCoded package var verticalAccuracy: Double?
  /// Ground speed, metres per second, 0 or more.
  @NaNCoded package var speed: Double?
  /// Direction of movement, degrees clockwise from true north, 0 ≤ x < 360.
  @NaNCoded package var course: Double?
  /// The error of `speed`, metres per second, above 0; gpsd's `eps`, whose confidence gpsd does not state.
  @NaNCoded package var speedAccuracy: Double?
  /// The error of `course`, degrees, 0 < x ≤ 180; gpsd's `epd`, whose confidence gpsd does not state.
  @NaNCoded package var courseAccuracy: Double?
  /// Horizontal dilution of precision, above 0.
  @NaNCoded package var hdop: Double?
  /// Satellites used in the solution.
  package var satellites: Int?
  package var source: Source

  package init(
    time: UTCInstant?, coordinate: Coordinate, horizontalAccuracy: Double? = nil,
    altitude: Double? = nil, ellipsoidalHeight: Double? = nil, verticalAccuracy: Double? = nil,
    speed: Double? = nil, course: Double? = nil, speedAccuracy: Double? = nil,
    courseAccuracy: Double? = nil, hdop: Double? = nil, satellites: Int? = nil,
    source: Source = .gnss
  ) {
    self.time = time
    self.coordinate = coordinate
    self.horizontalAccuracy = horizontalAccuracy
    self.altitude = altitude
    self.ellipsoidalHeight = ellipsoidalHeight
    self.verticalAccuracy = verticalAccuracy
    self.speed = speed
    self.course = course
    self.speedAccuracy = speedAccuracy
    self.courseAccuracy = courseAccuracy
    self.hdop = hdop
    self.satellites = satellites
    self.source = source
  }
}
