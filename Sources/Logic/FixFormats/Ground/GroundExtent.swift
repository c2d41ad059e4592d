// SPDX-License-Identifier: Apache-2.0

package import Geodesy

/// A point of the ground, in degrees. Its longitude may lie beyond ±180, on the turn of the earth that an extent
/// is on.
package struct GroundPoint: Sendable, Equatable {
  package var longitude: Double
  package var latitude: Double

  package init(longitude: Double, latitude: Double) {
    self.longitude = longitude
    self.latitude = latitude
  }
}

/// The part of the ground that a map shows, and its scale.
package struct GroundExtent: Sendable, Equatable {
  /// Degrees; the middle lies within ±180.
  package let longitudes: ClosedRange<Double>
  package let latitudes: ClosedRange<Double>
  /// Metres a unit; a unit is about a pixel. Things smaller than half of one are not kept. Above 0.
  package let scale: Double
  /// The coarsest map drawn of it, in metres a unit: `scale`, except for ground that is zoomed.
  package private(set) var coarsest: Double

  private static let metresPerDegree = 111_195.0

  /// An extent around a point; `east` and `north` are half its sides in degrees, at most 180 and 90.
  package init(middle: Coordinate, east: Double, north: Double, scale: Double) {
    let (east, north) = (min(180, max(0, east)), min(180, max(0, north)))
    longitudes = middle.longitude - east...middle.longitude + east
    latitudes = max(-90, middle.latitude - north)...min(90, middle.latitude + north)
    self.scale = max(0.01, scale)
    coarsest = self.scale
  }

  /// All of the earth, for maps of `scale` metres a unit and any that are coarser.
  package static func earth(scale: Double) -> GroundExtent {
    var extent = GroundExtent(
      middle: Coordinate(clampingLatitude: 0, wrappingLongitude: 0), east: 180, north: 90,
      scale: scale)
    extent.coarsest = .infinity
    return extent
  }

  package var middle: GroundPoint {
    GroundPoint(
      longitude: (longitudes.lowerBound + longitudes.upperBound) / 2,
      latitude: (latitudes.lowerBound + latitudes.upperBound) / 2)
  }

  /// Both, and the area between them, at the finer scale.
  package func union(_ other: GroundExtent) -> GroundExtent {
    let turn =
      other.middle.longitude - middle.longitude
      - Coordinate.wrapped(other.middle.longitude - middle.longitude)
    let (west, east) = (
      min(longitudes.lowerBound, other.longitudes.lowerBound - turn),
      max(longitudes.upperBound, other.longitudes.upperBound - turn)
    )
    let (south, north) = (
      min(latitudes.lowerBound, other.latitudes.lowerBound),
      max(latitudes.upperBound, other.latitudes.upperBound)
    )
    return GroundExtent(
      middle: Coordinate(
        clampingLatitude: (south + north) / 2, wrappingLongitude: (west + east) / 2),
      east: (east - west) / 2, north: (north - south) / 2, scale: min(scale, other.scale))
  }

  /// Degrees of latitude that are one unit.
  var unit: Double { scale / Self.metresPerDegree }

  /// The ratio of a degree of longitude to one of latitude, in the middle.
  var squeeze: Double { max(0.01, cosine(middle.latitude.radians)) }

  /// Whole turns by which points of these longitudes must be shifted to lie within, each in degrees; points that would
  /// only touch a side are not shifted there.
  func turns(of span: ClosedRange<Double>) -> [Double] {
    [0, -360, 360, -720, 720].filter { turn in
      let (west, east) = (span.lowerBound + turn, span.upperBound + turn)
      return turn == 0
        ? west <= longitudes.upperBound && east >= longitudes.lowerBound
        : west < longitudes.upperBound && east > longitudes.lowerBound
    }
  }
}
