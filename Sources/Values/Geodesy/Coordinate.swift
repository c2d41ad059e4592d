// SPDX-License-Identifier: Apache-2.0

/// A point on the WGS-84 ellipsoid.
///
/// Latitude is geodetic, −90 to 90 degrees north. Longitude is −180 ≤ x < 180 degrees east, the range that GPX 1.1
/// states; 180 is stored as −180. A coordinate is always valid: invalid bytes make no `Coordinate`.
@usableFromInline package struct Coordinate: Sendable, Hashable, Codable {
  @usableFromInline package let latitude: Double
  @usableFromInline package let longitude: Double

  /// Makes a coordinate of degrees, or `nil` if one of them is not finite or out of range.
  ///
  /// Latitudes outside −90...90 and longitudes outside −180...180 are refused, not wrapped: a receiver that reports 181
  /// is broken, and wrapping would hide it.
  package init?(latitude: Double, longitude: Double) {
    guard latitude >= -90, latitude <= 90, longitude >= -180, longitude <= 180 else { return nil }
    self.latitude = latitude
    self.longitude = longitude == 180 ? -180 : longitude
  }

  /// Reads a stored coordinate; invalid values are an error, never a `Coordinate`.
  @usableFromInline package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let latitude = try values.decode(Double.self, forKey: .latitude)
    let longitude = try values.decode(Double.self, forKey: .longitude)
    guard let valid = Self(latitude: latitude, longitude: longitude) else {
      throw DecodingError.dataCorruptedError(
        forKey: .latitude, in: values, debugDescription: "\(latitude) \(longitude) is no place")
    }
    self = valid
  }

  /// Makes a coordinate of degrees that arithmetic produced: latitude is clamped, longitude wrapped.
  package init(clampingLatitude latitude: Double, wrappingLongitude longitude: Double) {
    self.latitude = min(90, max(-90, latitude))
    self.longitude = Self.wrapped(longitude)
  }

  /// The same angle in −180 ≤ x < 180 degrees.
  @inlinable package static func wrapped(_ degrees: Double) -> Double {
    if degrees >= -180 && degrees < 180 { return degrees }
    let turned = degrees - 360 * ((degrees + 180) / 360).rounded(.down)
    return turned >= 180 ? -180 : turned
  }

  /// An upper bound of the geodesic to `other`, metres, from degrees alone and so very cheap: at most 1.1 % too long at
  /// the equator, and far too long near a pole. For callers that only ask whether something is near.
  ///
  /// A line that is straight in degrees is no shorter than the geodesic, and nowhere is a degree longer than
  /// 111,694 m (of latitude, at a pole; of longitude 111,320 m, at the equator).
  @inlinable package func distanceBound(to other: Coordinate) -> Double {
    let north = other.latitude - latitude
    let east = Self.wrapped(other.longitude - longitude)
    return 111_700 * (north * north + east * east).squareRoot()
  }

  /// The point at `fraction` (0 to 1) of the way to `end`, straight in latitude and longitude and the
  /// short way round across the antimeridian.
  ///
  /// The straight line bulges from the geodesic by at most L² tan φ / 8R: 34 mm on an east–west leg of 1 km
  /// at 60° latitude, 3.4 m on one of 10 km. It is meant for the legs of a trace, not for continents.
  package func interpolated(to end: Coordinate, fraction: Double) -> Coordinate {
    if fraction <= 0 { return self }
    if fraction >= 1 { return end }
    let turn = Self.wrapped(end.longitude - longitude)
    return Coordinate(
      clampingLatitude: latitude + (end.latitude - latitude) * fraction,
      wrappingLongitude: longitude + turn * fraction)
  }
}
