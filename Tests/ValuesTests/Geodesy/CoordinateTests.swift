// SPDX-License-Identifier: Apache-2.0

import Geodesy
import Testing

@Suite("Coordinates")
struct CoordinateTests {
  @Test("The edges of the ranges are coordinates; 180 is stored as −180")
  func edges() throws {
    #expect(Coordinate(latitude: 90, longitude: 0)?.latitude == 90)
    #expect(Coordinate(latitude: -90, longitude: -180)?.longitude == -180)
    #expect(Coordinate(latitude: 0, longitude: 180)?.longitude == -180)
  }

  @Test(
    "What lies outside, or is no number, makes no coordinate",
    arguments: [
      (90.000_001, 0), (-90.1, 0), (0, 180.000_001), (0, -181), (.nan, 0), (0, .nan),
      (.infinity, 0), (0, -.infinity),
    ])
  func outside(latitude: Double, longitude: Double) {
    #expect(Coordinate(latitude: latitude, longitude: longitude) == nil)
  }

  @Test(
    "Angles wrap into −180 ≤ x < 180",
    arguments: [
      (0.0, 0.0), (180, -180), (-180, -180), (179.5, 179.5), (190, -170), (-190, 170), (360, 0),
      (540, -180), (-540, -180), (725, 5),
    ])
  func wraps(angle: Double, expected: Double) {
    #expect(Coordinate.wrapped(angle) == expected)
  }

  @Test("Arithmetic that leaves the ranges is clamped in latitude and wrapped in longitude")
  func arithmetic() {
    let point = Coordinate(clampingLatitude: 90.5, wrappingLongitude: 181)
    #expect(point.latitude == 90)
    #expect(point.longitude == -179)
  }

  @Test("Half-way across the antimeridian lies on it, not on the far side of the Earth")
  func antimeridian() throws {
    let west = try #require(Coordinate(latitude: 10, longitude: 179))
    let east = try #require(Coordinate(latitude: 20, longitude: -179))
    #expect(west.interpolated(to: east, fraction: 0.5) == Coordinate(latitude: 15, longitude: 180))
    #expect(east.interpolated(to: west, fraction: 0.5) == Coordinate(latitude: 15, longitude: 180))
    #expect(west.interpolated(to: east, fraction: 0.75).longitude == -179.5)
  }

  @Test("A fraction below 0 is the start, above 1 the end, and both ends are exact")
  func ends() throws {
    let start = try #require(Coordinate(latitude: 0.1, longitude: 0.2))
    let end = try #require(Coordinate(latitude: 0.3, longitude: 0.7))
    #expect(start.interpolated(to: end, fraction: -1) == start)
    #expect(start.interpolated(to: end, fraction: 0) == start)
    #expect(start.interpolated(to: end, fraction: 1) == end)
    #expect(start.interpolated(to: end, fraction: 2) == end)
  }

  @Test("A leg of a trace is divided in proportion and made no longer")
  func proportion() throws {
    let start = try #require(Coordinate(latitude: 60, longitude: 25))
    let end = try #require(Coordinate(latitude: 60.006, longitude: 25.013))
    let whole = start.distance(to: end)
    for fraction in [0.1, 0.25, 0.5, 0.9] {
      let point = start.interpolated(to: end, fraction: fraction)
      #expect(abs(start.distance(to: point) - fraction * whole) < 0.05)
      #expect(abs(start.distance(to: point) + point.distance(to: end) - whole) < 1e-4)
    }
  }

  @Test("The bound from degrees is never below the geodesic, and near the equator hardly above it")
  func distanceBound() throws {
    for latitude in stride(from: -90.0, through: 90, by: 7.5) {
      let start = try #require(Coordinate(latitude: latitude, longitude: 179.5))
      for north in [-40, -3, -0.01, 0, 0.000_1, 1, 80] {
        for east in [-170, -1, -0.001, 0, 0.02, 1, 90] {
          let end = Coordinate(
            clampingLatitude: latitude + north, wrappingLongitude: 179.5 + east)
          #expect(start.distanceBound(to: end) >= start.distance(to: end))
        }
      }
    }
    // A degree of longitude at the equator: π a / 180 = 111,319.49 m; of latitude there: 110,574.28 m.
    let middle = try #require(Coordinate(latitude: 0, longitude: -180))
    let east = try #require(Coordinate(latitude: 0, longitude: 179))
    let north = try #require(Coordinate(latitude: 1, longitude: -180))
    #expect(middle.distanceBound(to: east) / 111_319.49 < 1.004)
    #expect(middle.distanceBound(to: north) / 110_574.28 < 1.011)
  }
}
