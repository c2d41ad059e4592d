// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel
import Testing

@testable import Replay

@Suite("The track of a map")
struct TrackLineTests {
  private let home = LocalFrame(origin: Coordinate(clampingLatitude: 48, wrappingLongitude: 11))

  @Test("A straight way needs few points, and ends where the device is")
  func straight() {
    var line = TrackLine()
    line.move(to: home.origin, .start)
    for second in 1...20_000 { line.move(to: home.point(east: Double(second), north: 0), .known) }
    line.finish()
    #expect(line.vertices.count <= TrackLine.limit)
    #expect(line.end == home.point(east: 20_000, north: 0))
    #expect(line.vertices.last?.place == line.end)
  }

  @Test("A corner stays where it was")
  func corner() {
    var line = TrackLine()
    line.move(to: home.origin, .start)
    for metre in 1...5_000 { line.move(to: home.point(east: Double(metre), north: 0), .known) }
    for metre in 1...5_000 { line.move(to: home.point(east: 5_000, north: Double(metre)), .known) }
    line.finish()
    let corner = LocalFrame(origin: home.point(east: 5_000, north: 0))
    let nearest = line.vertices.map { corner.distance(to: $0.place) }.min() ?? .infinity
    #expect(nearest <= 3 * line.tolerance)
  }

  @Test("Blindness begins and ends where it began and ended")
  func blindness() {
    var line = TrackLine()
    line.move(to: home.origin, .start)
    for metre in stride(from: 10.0, through: 30_000, by: 10) {
      line.move(
        to: home.point(east: metre, north: 0), metre > 10_000 && metre <= 20_000 ? .blind : .known)
    }
    line.finish()
    let blind = line.vertices.filter { $0.leg == .blind }.map { home.east(of: $0.place) }
    #expect((blind.max() ?? 0) > 19_900 && (blind.max() ?? 0) <= 20_001)
    let before = line.vertices.prefix { $0.leg != .blind }.map { home.east(of: $0.place) }
    #expect((before.max() ?? 0) > 9_900 && (before.max() ?? 0) <= 10_001)
  }

  @Test("A month of the same commute is drawn as its roads, not as lines across them")
  func repeats() {
    var line = TrackLine()
    line.move(to: home.origin, .start)
    // An L of 20 km, there and back, 60 times, 20 m a second, with some metres of scatter.
    for trip in 0..<60 {
      let there = Array(stride(from: 20.0, through: 20_000, by: 20))
      for metre in trip.isMultiple(of: 2) ? there : there.reversed() {
        let scatter = Double(trip % 7)
        let place =
          metre < 10_000
          ? home.point(east: metre, north: scatter)
          : home.point(east: 10_000 + scatter, north: metre - 10_000)
        line.move(to: place, .known)
      }
    }
    line.finish()
    #expect(line.vertices.count <= TrackLine.limit)
    // Every leg runs along one arm of the L: none leaves it by more than the tolerance and the scatter.
    for (a, b) in zip(line.vertices, line.vertices.dropFirst()) where !b.leg.isBreak {
      let (x, y) = (
        (home.east(of: a.place) + home.east(of: b.place)) / 2,
        (home.north(of: a.place) + home.north(of: b.place)) / 2
      )
      #expect(min(y.magnitude, (x - 10_000).magnitude) < 100, "a leg at \(x), \(y)")
    }
  }

  @Test("Slow steps are no repeats: the line begins once, and once more after a gap")
  func slow() {
    var line = TrackLine()
    line.move(to: home.origin, .start)
    // 40 km by car, then two hours on foot at 1.2 m/s, where a cell of 1/500 is 80 m; a gap; and on.
    for second in 1...2_000 {
      line.move(to: home.point(east: 20 * Double(second), north: 0), .known)
    }
    for second in 1...7_200 {
      line.move(to: home.point(east: 40_000, north: 1.2 * Double(second)), .known)
    }
    line.move(to: home.point(east: 40_000, north: 8_700), .start)
    for second in 1...7_200 {
      line.move(to: home.point(east: 40_000, north: 8_700 + 1.2 * Double(second)), .known)
    }
    line.finish()
    #expect(line.vertices.count <= TrackLine.limit)
    #expect(line.vertices.count { $0.leg == .start } == 2)
    #expect(!line.vertices.contains { $0.leg == .repeated })
  }

  @Test(
    "A month of the same commute with a new errand each day has no gap, and no line across the land"
  )
  func month() {
    var line = TrackLine()
    line.move(to: home.origin, .start)
    // An L of 20 km, there and back; each day ends with 1.5 km in a different direction, and back.
    let corner = home.point(east: 10_000, north: 0)
    var errands: [(east: Double, north: Double)] = []
    for day in 0..<30 {
      let angle = 2 * Double.pi * Double(day) / 23
      let errand = (east: cosine(angle), north: sine(angle))
      errands.append(errand)
      let arm = Array(stride(from: 5.0, through: 10_000, by: 5))
      let spur = Array(stride(from: 5.0, through: 1_500, by: 5))
      for metre in arm { line.move(to: home.point(east: metre, north: Double(day % 5)), .known) }
      let up = LocalFrame(origin: corner)
      for metre in arm { line.move(to: up.point(east: Double(day % 5), north: metre), .known) }
      for metre in arm.reversed() { line.move(to: up.point(east: 0, north: metre), .known) }
      for metre in arm.reversed() { line.move(to: home.point(east: metre, north: 0), .known) }
      for metre in spur + spur.reversed() {
        let place = home.point(east: metre * errand.east, north: metre * errand.north)
        line.move(to: place, .known)
      }
    }
    line.finish()
    #expect(line.vertices.count <= TrackLine.limit)
    #expect(line.vertices.count { $0.leg == .start } == 1)
    #expect(line.vertices.contains { $0.leg == .repeated })
    for (a, b) in zip(line.vertices, line.vertices.dropFirst()) where !b.leg.isBreak {
      let x = (home.east(of: a.place) + home.east(of: b.place)) / 2
      let y = (home.north(of: a.place) + home.north(of: b.place)) / 2
      let aside = errands.map { errand in
        let along = min(1_500, max(0, x * errand.east + y * errand.north))
        let (east, north) = (x - along * errand.east, y - along * errand.north)
        return (east * east + north * north).squareRoot()
      }
      let nearest = min(y.magnitude, (x - 10_000).magnitude, aside.min() ?? .infinity)
      #expect(nearest < 100, "a leg at \(x), \(y)")
    }
  }

  @Test("Thousands of scattered segments end in bounded memory")
  func scattered() {
    var line = TrackLine()
    for number in 0..<20_000 {
      let place = home.point(
        east: Double(number * 7_919 % 30_011), north: Double(number * 104_729 % 29_989))
      line.move(to: place, number.isMultiple(of: 3) ? .start : .blind)
    }
    line.finish()
    #expect(line.vertices.count <= TrackLine.limit)
  }
}
