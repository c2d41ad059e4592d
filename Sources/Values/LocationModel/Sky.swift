// SPDX-License-Identifier: Apache-2.0

/// A receiver's report of the sky: the satellites in view, and the dilution of precision by their geometry.
///
/// It does not contain the receiver's position. Names and meanings are those of gpsd's `SKY` (gpsd_json(5)).
package struct Sky: Sendable, Equatable, Codable {
  package struct Satellite: Sendable, Equatable, Codable {
    /// The number that NMEA gives it, unique over all systems.
    package var number: Int
    /// Degrees above the horizon, and clockwise from north; `nil` unknown.
    package var elevation: Double?
    package var azimuth: Double?
    /// Strength of its signal, dBHz.
    package var signal: Double?
    package var isUsed: Bool
    /// The system, and the satellite's number there: `gnssid` and `svid`, 0 is GPS.
    package var system: Int?
    package var systemNumber: Int?
    /// 0 unknown, 1 healthy, 2 not.
    package var health: Int?

    package init(number: Int, isUsed: Bool) {
      self.number = number
      self.isUsed = isUsed
    }
  }

  package var time: UTCInstant?
  /// Dilutions of precision: longitude, latitude, altitude, time, horizontal, all four, position.
  package var xdop: Double?
  package var ydop: Double?
  package var vdop: Double?
  package var tdop: Double?
  package var hdop: Double?
  package var gdop: Double?
  package var pdop: Double?
  package var satellites: [Satellite] = []

  package init() {}
}
