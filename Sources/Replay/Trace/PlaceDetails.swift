// SPDX-License-Identifier: Apache-2.0

import LocationModel

/// What a trace says of a place beside where it is; a receiver in replay reports it as the trace does.
///
/// Nothing is added to it: a recorded altitude has its error already.
struct PlaceDetails: Sendable, Equatable {
  /// Metres above mean sea level; `nil` where the trace does not say.
  @NaNCoded var altitude: Double?
  /// Metres above the WGS-84 ellipsoid.
  @NaNCoded var ellipsoidalHeight: Double?
  /// Vertical 68 % half interval, metres.
  @NaNCoded var verticalAccuracy: Double?
  /// Degrees clockwise from true north, 0 ≤ x < 360.
  @NaNCoded var course: Double?
  /// Metres per second.
  @NaNCoded var speedAccuracy: Double?
  /// Degrees.
  @NaNCoded var courseAccuracy: Double?

  init() {}

  init(of fix: Fix) {
    altitude = fix.altitude
    ellipsoidalHeight = fix.ellipsoidalHeight
    verticalAccuracy = fix.verticalAccuracy
    course = fix.course
    speedAccuracy = fix.speedAccuracy
    courseAccuracy = fix.courseAccuracy
  }

  /// Part of the way to the next place, 0 to 1: heights change evenly where both ends know them; what cannot
  /// change evenly is that of the place before, until the next is reached.
  func partWay(_ fraction: Double, to next: PlaceDetails) -> PlaceDetails {
    if fraction >= 1 { return next }
    func between(_ a: Double?, _ b: Double?) -> Double? {
      guard let a, let b else { return a }
      return a + (b - a) * fraction
    }
    var details = self
    details.altitude = between(altitude, next.altitude)
    details.ellipsoidalHeight = between(ellipsoidalHeight, next.ellipsoidalHeight)
    return details
  }
}
