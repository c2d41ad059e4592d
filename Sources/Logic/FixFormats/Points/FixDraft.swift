// SPDX-License-Identifier: Apache-2.0

package import Geodesy
package import LocationModel

/// A text's statements about one point, not yet judged.
///
/// Every format except NMEA fills one of these; `FieldMeaning` decides which numbers are unknown.
package struct FixDraft: Sendable, Equatable {
  package var time: UTCInstant?
  /// Minutes east of UTC stated with the time.
  package var utcOffset: Int?
  package var latitude: Double?
  package var longitude: Double?
  package var accuracy: Double?
  package var altitude: Double?
  package var ellipsoidalHeight: Double?
  /// Height of the geoid above the ellipsoid, metres; joins the two altitudes if one is missing.
  package var geoidHeight: Double?
  package var verticalAccuracy: Double?
  package var speed: Double?
  package var course: Double?
  package var speedAccuracy: Double?
  package var courseAccuracy: Double?
  package var hdop: Double?
  package var vdop: Double?
  package var satellites: Double?
  package var source: Fix.Source = .gnss

  package init() {}

  /// Takes a stated time, with its offset; returns whether it stated no zone.
  package mutating func setTime(_ stamp: (instant: UTCInstant, zone: RFC3339.Zone)) -> Bool {
    time = stamp.instant
    if case .offset(let minutes) = stamp.zone { utcOffset = minutes }
    return stamp.zone == .absent
  }

  /// The position of the point, or `nil` if a coordinate is missing or out of range.
  package var coordinate: Coordinate? {
    guard let latitude, let longitude else { return nil }
    return Coordinate(latitude: latitude, longitude: longitude)
  }

  /// The numbers that no fix has: larger than any, negative where nothing is, beyond a full circle. `fix` is without
  /// them. −1 is Core Location's word for an unknown one.
  var implausible: [UnreadValue] {
    func isLarge(_ value: Double?) -> Bool {
      value.map { $0.magnitude >= FieldMeaning.limit } ?? false
    }
    func isOutside(_ value: Double?, most: Double = .infinity) -> Bool {
      value.map { $0.magnitude >= FieldMeaning.limit || $0 < 0 && $0 != -1 || $0 > most } ?? false
    }
    guard
      isOutside(accuracy) || isLarge(altitude) || isLarge(ellipsoidalHeight)
        || isLarge(geoidHeight) || isOutside(verticalAccuracy) || isOutside(speed)
        || isOutside(course, most: 360) || isLarge(satellites) || isOutside(speedAccuracy)
        || isOutside(courseAccuracy)
    else { return [] }
    let values = [
      ("accuracy", accuracy, isOutside(accuracy)), ("altitude", altitude, isLarge(altitude)),
      ("ellipsoidal height", ellipsoidalHeight, isLarge(ellipsoidalHeight)),
      ("geoid height", geoidHeight, isLarge(geoidHeight)),
      ("vertical accuracy", verticalAccuracy, isOutside(verticalAccuracy)),
      ("speed", speed, isOutside(speed)), ("course", course, isOutside(course, most: 360)),
      ("satellites", satellites, isLarge(satellites)),
      ("speed accuracy", speedAccuracy, isOutside(speedAccuracy)),
      ("course accuracy", courseAccuracy, isOutside(courseAccuracy)),
    ]
    return values.compactMap { name, value, isNone in
      guard let value, value.isFinite, isNone else { return nil }
      return UnreadValue(name, NumberText.text(value))
    }
  }

  /// The fix at `coordinate`; missing accuracies come from the dilutions and `rangeError`.
  package func fix(at coordinate: Coordinate, rangeError: Double) -> Fix {
    let hdop = FieldMeaning.dilution(hdop)
    let vdop = FieldMeaning.dilution(vdop)
    var fix = Fix(time: time, coordinate: coordinate, hdop: hdop, source: source)
    fix.horizontalAccuracy = FieldMeaning.accuracy(accuracy) ?? hdop.map { $0 * rangeError }
    fix.verticalAccuracy = FieldMeaning.accuracy(verticalAccuracy) ?? vdop.map { $0 * rangeError }
    fix.altitude = FieldMeaning.finite(altitude)
    fix.ellipsoidalHeight = FieldMeaning.finite(ellipsoidalHeight)
    if let undulation = FieldMeaning.finite(geoidHeight) {
      if fix.ellipsoidalHeight == nil {
        fix.ellipsoidalHeight = fix.altitude.map { $0 + undulation }
      }
      if fix.altitude == nil { fix.altitude = fix.ellipsoidalHeight.map { $0 - undulation } }
    }
    fix.speed = FieldMeaning.speed(speed)
    fix.course = FieldMeaning.course(course)
    fix.speedAccuracy = FieldMeaning.accuracy(speedAccuracy)
    fix.courseAccuracy = FieldMeaning.courseAccuracy(courseAccuracy)
    if let satellites = FieldMeaning.finite(satellites), satellites >= 0, satellites < 1_000 {
      fix.satellites = Int(satellites)
    }
    return fix
  }
}
