// SPDX-License-Identifier: Apache-2.0

import Geodesy

// Theory
// ======
//
// A point of the ellipsoid is a point in space (x to longitude 0, z to the north pole). Around the middle of the trace
// stand three directions, east, north and up; around the middle of its target three others, of which east and north are
// turned. A point has the same place along the first three as along the others: a rigid move of space that changes no
// distance at all. Only the ellipsoid is curved a little differently there, by at most 1 % of its curvature, so that a
// moved point lies above or below it: 200 m at 500 km from the middle, at which distances change by 200 m / 6,371 km =
// 0.003 %.

/// A place's move over the ellipsoid, with a turn around the place's up.
struct RigidMove {
  private struct Vector {
    var x: Double
    var y: Double
    var z: Double

    static func + (a: Self, b: Self) -> Self { .init(x: a.x + b.x, y: a.y + b.y, z: a.z + b.z) }
    static func - (a: Self, b: Self) -> Self { .init(x: a.x - b.x, y: a.y - b.y, z: a.z - b.z) }
    static func * (a: Double, b: Self) -> Self { .init(x: a * b.x, y: a * b.y, z: a * b.z) }

    func dot(_ b: Self) -> Double { x * b.x + y * b.y + z * b.z }
  }

  private struct Directions {
    var east: Vector
    var north: Vector
    var up: Vector

    init(at place: Coordinate) {
      let (latitude, longitude) = (place.latitude * .pi / 180, place.longitude * .pi / 180)
      let (sinLatitude, cosLatitude) = (sine(latitude), cosine(latitude))
      let (sinLongitude, cosLongitude) = (sine(longitude), cosine(longitude))
      east = Vector(x: -sinLongitude, y: cosLongitude, z: 0)
      north = Vector(x: -sinLatitude * cosLongitude, y: -sinLatitude * sinLongitude, z: cosLatitude)
      up = Vector(x: cosLatitude * cosLongitude, y: cosLatitude * sinLongitude, z: sinLatitude)
    }
  }

  private let from: (origin: Vector, directions: Directions)
  private let to: (origin: Vector, directions: Directions)

  /// `turn`: degrees clockwise.
  init(from middle: Coordinate, to place: Coordinate, turn: Double) {
    from = (Self.point(middle), Directions(at: middle))
    var turned = Directions(at: place)
    let (s, c) = (sine(turn * .pi / 180), cosine(turn * .pi / 180))
    let (east, north) = (turned.east, turned.north)
    turned.east = c * east - s * north
    turned.north = s * east + c * north
    to = (Self.point(place), turned)
  }

  private func turned(_ vector: Vector) -> Vector {
    let (a, b) = (from.directions, to.directions)
    return vector.dot(a.east) * b.east + vector.dot(a.north) * b.north + vector.dot(a.up) * b.up
  }

  func moved(_ place: Coordinate) -> Coordinate {
    Self.place(to.origin + turned(Self.point(place) - from.origin))
  }

  /// The direction, degrees clockwise from north, 0 ≤ x < 360, of the course `course` at `place` after the move.
  func moved(course: Double, at place: Coordinate) -> Double {
    let there = Directions(at: place)
    let radians = course * .pi / 180
    let way = turned(sine(radians) * there.east + cosine(radians) * there.north)
    let here = Directions(at: moved(place))
    let degrees = arcTangent(y: way.dot(here.east), x: way.dot(here.north)) * 180 / .pi
    let whole = degrees < 0 ? degrees + 360 : degrees
    return whole >= 360 ? 0 : whole
  }

  private static func point(_ place: Coordinate) -> Vector {
    let (latitude, longitude) = (place.latitude * .pi / 180, place.longitude * .pi / 180)
    let s = sine(latitude)
    let vertical = WGS84.equatorialRadius / (1 - WGS84.eccentricitySquared * s * s).squareRoot()
    let level = vertical * cosine(latitude)
    return Vector(
      x: level * cosine(longitude), y: level * sine(longitude),
      z: vertical * (1 - WGS84.eccentricitySquared) * s)
  }

  /// The place below or above a point near the surface, by fixed-point steps: each brings five digits.
  private static func place(_ point: Vector) -> Coordinate {
    let level = (point.x * point.x + point.y * point.y).squareRoot()
    var latitude = arcTangent(y: point.z, x: level * (1 - WGS84.eccentricitySquared))
    for _ in 0..<6 {
      let s = sine(latitude)
      let vertical = WGS84.equatorialRadius / (1 - WGS84.eccentricitySquared * s * s).squareRoot()
      latitude = arcTangent(y: point.z + WGS84.eccentricitySquared * vertical * s, x: level)
    }
    return Coordinate(
      clampingLatitude: latitude * 180 / .pi,
      wrappingLongitude: arcTangent(y: point.y, x: point.x) * 180 / .pi)
  }
}
