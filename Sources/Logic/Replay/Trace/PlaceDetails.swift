// SPDX-License-Identifier: Apache-2.0

import LocationModel

/// A trace's data on a place besides its position; a receiver in replay reports them unchanged.
///
/// Nothing is added: a recorded altitude has its error already.
struct PlaceDetails: Sendable, Equatable {
  /// Metres above mean sea level; `nil` if the trace does not say.
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

  /// The details at a part of the way to the next place, 0 to 1: heights change evenly if both ends know them; values
  /// that cannot change evenly are those of the place before, until the next is reached.
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
