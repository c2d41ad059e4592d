// SPDX-License-Identifier: Apache-2.0

/// A flat east–north frame in metres around one point, for many cheap distances from it.
///
/// East and north are scaled by the ellipsoid's radii of curvature at the origin. Up to 20 km and below
/// 70° latitude distances are within 0.5 % of the geodesic, within 0.02 % up to 1 km. Beyond
/// `reach` (or near a pole) `distance(to:)` falls back to the geodesic, so it is right everywhere and
/// only slower far away.
@usableFromInline package struct LocalFrame: Sendable, Equatable, Codable {
  /// The point that has east 0 and north 0.
  @usableFromInline package let origin: Coordinate
  @usableFromInline let metresPerDegreeEast: Double
  @usableFromInline let metresPerDegreeNorth: Double

  /// The distance up to which the flat frame answers, metres.
  @inlinable package static var reach: Double { 20_000 }

  package init(origin: Coordinate) {
    self.origin = origin
    let sinLatitude = sine(origin.latitude.radians)
    let w = 1 - WGS84.eccentricitySquared * sinLatitude * sinLatitude
    let primeVertical = WGS84.equatorialRadius / w.squareRoot()
    let meridional = primeVertical * (1 - WGS84.eccentricitySquared) / w
    // The cosine of a latitude is never below 0.
    let cosLatitude = (1 - sinLatitude * sinLatitude).squareRoot()
    metresPerDegreeEast = primeVertical * cosLatitude * .pi / 180
    metresPerDegreeNorth = meridional * .pi / 180
  }

  /// East of the origin, metres.
  @inlinable package func east(of point: Coordinate) -> Double {
    Coordinate.wrapped(point.longitude - origin.longitude) * metresPerDegreeEast
  }

  /// North of the origin, metres.
  @inlinable package func north(of point: Coordinate) -> Double {
    (point.latitude - origin.latitude) * metresPerDegreeNorth
  }

  /// Distance from the origin in metres; flat up to `reach`, the geodesic beyond it.
  @inlinable package func distance(to point: Coordinate) -> Double {
    let x = east(of: point)
    let y = north(of: point)
    let flat = (x * x + y * y).squareRoot()
    if flat <= Self.reach && origin.latitude.magnitude < 85 { return flat }
    return origin.distance(to: point)
  }

  /// The point `east` and `north` metres from the origin; meant for offsets within `reach`.
  package func point(east: Double, north: Double) -> Coordinate {
    let degreesEast = metresPerDegreeEast < 1 ? 0 : east / metresPerDegreeEast
    return Coordinate(
      clampingLatitude: origin.latitude + north / metresPerDegreeNorth,
      wrappingLongitude: origin.longitude + degreesEast)
  }
}
