// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel
import ServiceContract

// How far the position is blurred that a program gets which asked GeoClue for less than an exact one.

extension AccuracyLevel {
  /// The radius around the sent position that holds the device, metres; `nil` is full accuracy. The radii of a country
  /// and a city are those of GeoClue's own sources (geocode-glib, `GEOCODE_LOCATION_ACCURACY_COUNTRY` and `_CITY`), a
  /// street as its `_STREET`; a neighborhood is as blurred as GeoClue scrambles a position.
  var radius: Double? {
    switch self {
    case .country: 300_000
    case .city: 15_000
    case .neighborhood: 3_000
    case .street: 1_000
    case .exact: nil
    }
  }
}

extension Fix {
  /// The fix at a program's level: the middle of a cell in which no point lies further from it than the level's radius;
  /// without height and movement.
  func coarsened(to level: AccuracyLevel) -> Fix {
    guard let radius = level.radius else { return self }
    return Fix(
      time: time, coordinate: coordinate.middleOfCell(within: radius),
      horizontalAccuracy: max(radius, horizontalAccuracy ?? 0), source: source)
  }
}

extension Coordinate {
  /// The middle of the cell around it in a fixed grid: rows of equal height, each with whole cells around the earth
  /// that are as wide as high, or nearly, on the row's side next to the equator. Half the diagonal is at most `radius`
  /// metres: cells are a tenth smaller than that takes on a sphere, since the ellipsoid's degrees differ from the
  /// sphere's by less than 1 %.
  func middleOfCell(within radius: Double) -> Coordinate {
    let degree = 2 * Double.pi * WGS84.meanRadius / 360
    let side = 0.9 * radius * 2.0.squareRoot() / degree
    let rows = (180 / side).rounded(.up)
    let height = 180 / rows
    let row = min(rows - 1, ((latitude + 90) / height).rounded(.down))
    let south = -90 + row * height
    let nearest = south <= 0 && south + height >= 0 ? 0 : min(abs(south), abs(south + height))
    let around = max(1, (360 * cosine(nearest.radians) / side).rounded(.up))
    let width = 360 / around
    let column = min(around - 1, ((longitude + 180) / width).rounded(.down))
    return Coordinate(
      clampingLatitude: south + height / 2, wrappingLongitude: -180 + (column + 0.5) * width)
  }
}
