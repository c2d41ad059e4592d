// SPDX-License-Identifier: Apache-2.0

package import Geodesy
package import LocationModel

/// What a text said about one point, before anybody judged it.
///
/// Every format but NMEA fills one of these, so that "unknown" is decided in one place: accuracies
/// and dilutions at or below zero and not finite numbers are unknown, so are a negative speed or
/// course (the −1 of Core Location) and a dilution of 99 or more (what receivers print for none).
package struct FixDraft: Sendable, Equatable {
  package var time: UTCInstant?
  package var latitude: Double?
  package var longitude: Double?
  package var accuracy: Double?
  package var altitude: Double?
  package var ellipsoidalHeight: Double?
  /// Height of the geoid above the ellipsoid, metres; joins the two altitudes where one is missing.
  package var geoidHeight: Double?
  package var verticalAccuracy: Double?
  package var speed: Double?
  package var course: Double?
  package var hdop: Double?
  package var vdop: Double?
  package var satellites: Double?
  package var source: Fix.Source = .gnss

  package init() {}

  /// Where the point is, or `nil` where a coordinate is missing or out of range.
  package var coordinate: Coordinate? {
    guard let latitude, let longitude else { return nil }
    return Coordinate(latitude: latitude, longitude: longitude)
  }

  /// The fix at `coordinate`; accuracies that are missing come from the dilutions and `rangeError`.
  package func fix(at coordinate: Coordinate, rangeError: Double) -> Fix {
    let hdop = Self.positive(hdop).flatMap { $0 < 99 ? $0 : nil }
    let vdop = Self.positive(vdop).flatMap { $0 < 99 ? $0 : nil }
    var fix = Fix(time: time, coordinate: coordinate, hdop: hdop, source: source)
    fix.horizontalAccuracy = Self.positive(accuracy) ?? hdop.map { $0 * rangeError }
    fix.verticalAccuracy = Self.positive(verticalAccuracy) ?? vdop.map { $0 * rangeError }
    fix.altitude = Self.finite(altitude)
    fix.ellipsoidalHeight = Self.finite(ellipsoidalHeight)
    if let undulation = Self.finite(geoidHeight) {
      if fix.ellipsoidalHeight == nil {
        fix.ellipsoidalHeight = fix.altitude.map { $0 + undulation }
      }
      if fix.altitude == nil { fix.altitude = fix.ellipsoidalHeight.map { $0 - undulation } }
    }
    if let speed = Self.finite(speed), speed >= 0 { fix.speed = speed }
    if let course = Self.finite(course), course >= 0, course <= 360 {
      fix.course = course == 360 ? 0 : course
    }
    if let satellites = Self.finite(satellites), satellites >= 0, satellites < 1_000 {
      fix.satellites = Int(satellites)
    }
    return fix
  }

  private static func finite(_ value: Double?) -> Double? {
    value.flatMap { $0.isFinite ? $0 : nil }
  }

  private static func positive(_ value: Double?) -> Double? {
    value.flatMap { $0.isFinite && $0 > 0 ? $0 : nil }
  }
}
