// SPDX-License-Identifier: Apache-2.0

import Foundation
import Geodesy
import Testing

@Suite("The flat frame around a point")
struct LocalFrameTests {
  /// Largest relative error of the flat distance against the geodesic, over all directions and over
  /// latitudes from −70° to 70°, for points about `metres` away.
  private func worstError(at metres: Double) throws -> Double {
    var worst = 0.0
    for latitude in stride(from: -69.9, through: 69.9, by: 6.99) {
      let origin = try #require(Coordinate(latitude: latitude, longitude: 179.99))
      let frame = LocalFrame(origin: origin)
      for direction in stride(from: 0.0, to: 360, by: 15) {
        let angle = direction * Double.pi / 180
        let point = frame.point(east: metres * sin(angle), north: metres * cos(angle))
        let geodesic = origin.distance(to: point)
        worst = max(worst, abs(frame.distance(to: point) / geodesic - 1))
      }
    }
    return worst
  }

  @Test("Up to 1 km it is within 0.02 % of the geodesic", arguments: [1.0, 50, 500, 1_000])
  func near(metres: Double) throws {
    #expect(try worstError(at: metres) < 0.000_2)
  }

  @Test("Up to 20 km it is within 0.5 % of the geodesic", arguments: [2_000.0, 8_000, 19_900])
  func far(metres: Double) throws {
    #expect(try worstError(at: metres) < 0.005)
  }

  @Test("Beyond its reach, and near a pole, it answers with the geodesic itself")
  func fallback() throws {
    let origin = try #require(Coordinate(latitude: 48, longitude: 11))
    let away = try #require(Coordinate(latitude: 49, longitude: 12))
    #expect(LocalFrame(origin: origin).distance(to: away) == origin.distance(to: away))
    let arctic = try #require(Coordinate(latitude: 89.9, longitude: 0))
    let across = try #require(Coordinate(latitude: 89.9, longitude: -180))
    // 0.2 degrees of the meridian over the pole, 111,694 m each: 22,339 m.
    let distance = LocalFrame(origin: arctic).distance(to: across)
    #expect(abs(distance - 0.2 * 111_693.9) < 1)
  }

  @Test("One degree north and east at the equator have the lengths of WGS-84")
  func degrees() throws {
    let frame = LocalFrame(origin: try #require(Coordinate(latitude: 0, longitude: 0)))
    // East: a · π/180. North: a (1 − e²) · π/180.
    let east = try #require(Coordinate(latitude: 0, longitude: 0.1))
    let north = try #require(Coordinate(latitude: 0.1, longitude: 0))
    #expect(abs(frame.east(of: east) - 11_131.949_08) < 1e-4)
    #expect(abs(frame.north(of: north) - 11_057.427_58) < 1e-4)
    #expect(frame.north(of: east) == 0)
    #expect(frame.east(of: north) == 0)
  }

  @Test("East and north have signs, and the antimeridian changes none of them")
  func signs() throws {
    let frame = LocalFrame(origin: try #require(Coordinate(latitude: -17, longitude: 179.999)))
    let east = try #require(Coordinate(latitude: -17, longitude: -179.999))
    let west = try #require(Coordinate(latitude: -17.001, longitude: 179.997))
    #expect(frame.east(of: east) > 200 && frame.east(of: east) < 220)
    #expect(frame.east(of: west) < -200)
    #expect(frame.north(of: west) < -100)
    #expect(frame.distance(to: east) < 220)
  }

  @Test("A point made of east and north has that east and north again")
  func roundTrip() throws {
    let frame = LocalFrame(origin: try #require(Coordinate(latitude: 64.2, longitude: -179.95)))
    for (east, north) in [(0.0, 0.0), (812.5, -77.25), (-9_000, 12_000)] {
      let point = frame.point(east: east, north: north)
      #expect(abs(frame.east(of: point) - east) < 1e-6)
      #expect(abs(frame.north(of: point) - north) < 1e-6)
    }
  }
}
