// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel
import Testing

@testable import Replay

@Suite("Partition into places")
struct PlacePartitionTests {
  private let origin = LocalFrame(
    origin: Coordinate(clampingLatitude: 47.5, wrappingLongitude: 8))

  private func points(_ count: Int, every metres: Double) -> [Coordinate] {
    (0..<count * count).map {
      origin.point(east: Double($0 % count) * metres, north: Double($0 / count) * metres)
    }
  }

  @Test("Fields have the stated spread, and are correlated to 1/e at the stated distance")
  func field() {
    let field = SeededField(seed: 3, purpose: .shadowing, decorrelation: 50)
    var squares = 0.0
    var near = 0.0
    var far = 0.0
    var layers = 0.0
    let places = points(100, every: 130)
    for place in places {
      let here = field.spot(at: place)
      let frame = LocalFrame(origin: place)
      let value = field.value(at: here, layer: 7)
      squares += value * value
      near += value * field.value(at: field.spot(at: frame.point(east: 30, north: 40)), layer: 7)
      far += value * field.value(at: field.spot(at: frame.point(east: 120, north: 160)), layer: 7)
      layers += value * field.value(at: here, layer: 8)
    }
    let count = Double(places.count)
    // 10,000 nearly independent places: standard error 0.014 of the variance, 0.01 of a correlation.
    #expect(abs(squares / count - 1) < 0.05)
    #expect(abs(near / squares - 0.368) < 0.05)
    #expect(abs(far / squares) < 0.04)
    #expect(abs(layers / squares) < 0.04)
  }

  @Test("Islands cover their share, patch by patch, and are where they were")
  func islands() {
    var islands = WiFiIslands(seed: 4, .share(0.3))
    let places = points(100, every: 200)
    let covered = places.map { islands.covers($0, moving: .stay) }
    // Binomial: 0.3 ± 0.0046.
    #expect(abs(Double(covered.count { $0 }) / 10_000 - 0.3) < 0.02)
    #expect(covered == places.map { islands.covers($0, moving: .stay) })
    // A walk of 20 km in steps of 10 m enters and leaves some 20,000 / 150 · 2 · 0.3 · 0.7 · 4/π = 71 times.
    let walk = (0..<2_000).map {
      islands.covers(origin.point(east: Double($0) * 10, north: 77), moving: .onTheWay)
    }
    let borders = zip(walk, walk.dropFirst()).count { $0 != $1 }
    #expect((40...105).contains(borders), "\(borders)")
  }

  @Test("By movement: stays find the most, and who finds a place driving fast finds it always")
  func byMovement() {
    var islands = WiFiIslands(seed: 9, .byMovement)
    let places = points(100, every: 200)
    func covered(_ movement: WiFiIslands.Movement) -> [Bool] {
      places.map { islands.covers($0, moving: movement) }
    }
    let (stay, way, fast) = (covered(.stay), covered(.onTheWay), covered(.fast))
    // Binomial: at most ± 0.005.
    #expect(abs(Double(stay.count { $0 }) / 10_000 - 0.98) < 0.02)
    #expect(abs(Double(way.count { $0 }) / 10_000 - 0.9) < 0.02)
    #expect(abs(Double(fast.count { $0 }) / 10_000 - 0.1) < 0.015)
    #expect(zip(fast, way).allSatisfy { !$0 || $1 } && zip(way, stay).allSatisfy { !$0 || $1 })
    // 60 km/h is 16.67 m/s.
    #expect(WiFiIslands.Movement(stays: false, speed: 16.6) == .onTheWay)
    #expect(WiFiIslands.Movement(stays: false, speed: 16.7) == .fast)
    #expect(WiFiIslands.Movement(stays: true, speed: 30) == .stay)
  }

  @Test("Within an island the network errs by 25 m and says so, elsewhere by its usual error")
  func network() {
    for (density, error) in [(1.0, 25.0), (0, 320)] {
      var network = NetworkPositions(
        seed: 1, errorPerAxis: 320, islands: WiFiIslands(seed: 1, .share(density)))
      var squares = 0.0
      for second in 0..<5_000 {
        let fix = network.position(
          of: origin.origin, moving: .fast, time: UTCInstant(microseconds: 0),
          at: .zero.advanced(bySeconds: Double(second)))
        let east = origin.east(of: fix.coordinate)
        squares += east * east
        #expect(fix.horizontalAccuracy == 1.5096 * error)
      }
      #expect(abs((squares / 5_000).squareRoot() / error - 1) < 0.04)
    }
  }

  @Test("Mixed surroundings have the stated shares; without mixing there is one")
  func surroundings() {
    var mixed = Surroundings(seed: 1, usual: .pocket, isMixed: true)
    let found = points(100, every: 250).map { mixed.environment(at: $0) }
    for (environment, share) in [(Environment.open, 0.3), (.pocket, 0.5), (.indoors, 0.2)] {
      #expect(abs(Double(found.count { $0 == environment }) / 10_000 - share) < 0.02)
    }
    var uniform = Surroundings(seed: 1, usual: .open, isMixed: false)
    #expect(points(10, every: 250).allSatisfy { uniform.environment(at: $0) == .open })
  }
}
