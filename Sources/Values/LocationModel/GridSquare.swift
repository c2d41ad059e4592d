// SPDX-License-Identifier: Apache-2.0

package import Geodesy

// Theory
// ======
//
// A grid lies over the earth, the same for everybody and for ever: rows of one height, and in each row points of one
// distance, `spacing` metres or somewhat more. The hidden square is that of the nearest point of a grid, never a circle
// around the place itself: the border of a circle gives away its centre, and the border of a square of the grid gives
// away only a point of the grid. Nothing is random, so there is nothing to average out, and nothing that a restart
// would draw anew.
//
// A degree of latitude is from 110,574 m (equator) to 111,694 m (pole) long, one of longitude at least 111,319 m ×
// cos(latitude) (WGS-84). With the smaller figure of the first, and the least cosine of a row, each side is at least as
// long as stated, and below 85° at most 4 % longer.

/// A square of the earth's surface, whose sides run north and east.
package struct GridSquare: Sendable, Equatable, Codable {
  private static let metresPerDegreeNorth = 110_574.0
  private static let metresPerDegreeEast = 111_319.0
  /// Degrees of latitude from the equator up to which squares are squares.
  package static let latitudes = -85.0...85.0

  package let centre: Coordinate
  /// Half of the sides, degrees.
  private let north: Double
  private let east: Double

  /// The square around the point of a grid that is nearest to `place`. `spacing` is the distance between two
  /// points of the grid, and `half` half of the square's side, metres, both above 0.
  package init(nearest place: Coordinate, spacing: Double, half: Double) {
    let row = spacing / Self.metresPerDegreeNorth
    let latitude = (place.latitude / row).rounded() * row
    let side = half / Self.metresPerDegreeNorth
    let furthest = min(latitude.magnitude + max(row, side), 89)
    let perDegree = Self.metresPerDegreeEast * cosine(furthest * .pi / 180)
    let column = spacing / perDegree
    centre = Coordinate(
      clampingLatitude: latitude,
      wrappingLongitude: (place.longitude / column).rounded() * column)
    north = side
    east = half / perDegree
  }

  /// Metres from the square to a place, 0 within it; never more than the true distance.
  package func distance(to place: Coordinate) -> Double {
    let north = max(0, (place.latitude - centre.latitude).magnitude - north)
    let east = max(0, Coordinate.wrapped(place.longitude - centre.longitude).magnitude - east)
    if north == 0, east == 0 { return 0 }
    let furthest = max(place.latitude.magnitude, centre.latitude.magnitude)
    let y = north * Self.metresPerDegreeNorth
    let x = east * Self.metresPerDegreeEast * cosine(furthest * .pi / 180)
    return (x * x + y * y).squareRoot()
  }
}
