// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel
import Replay
import Testing

@Suite("A modem among synthetic cells")
struct ModemTests {
  private func modem(_ spacing: Double, seed: UInt64 = 1) -> Modem {
    Modem(seed: seed, layout: .grid(TowerGrid(seed: seed, spacing: spacing)))
  }

  /// The cells of a straight way at `speed` metres a second, each second; oblique to the lattice, because a way along
  /// the seam of two rows of towers is a special case.
  private func drive(
    _ modem: Modem, speed: Double, kilometres: Double, from start: Coordinate
  ) -> [CellID] {
    var modem = modem
    var here = start
    return (0..<Int(kilometres * 1_000 / speed)).map { second in
      here = LocalFrame(origin: here).point(east: 0.8 * speed, north: 0.6 * speed)
      return modem.camp(at: here, at: .zero.advanced(bySeconds: Double(second)))
    }
  }

  private func changes(_ cells: [CellID]) -> Int {
    zip(cells, cells.dropFirst()).count { $0 != $1 }
  }

  /// Removes changes that go straight back to the previous cell, with the one that they undo.
  private func withoutPingPong(_ cells: [CellID]) -> Int {
    var way: [CellID] = []
    for cell in cells where cell != way.last {
      if way.count > 1, way[way.count - 2] == cell { way.removeLast() } else { way.append(cell) }
    }
    return way.count - 1
  }

  @Test("A straight way crosses about one cell per spacing, at any spacing and latitude")
  func density() {
    for (latitude, spacing) in [(0.0, 600.0), (52, 800), (70, 800), (48, 1_500), (30, 5_000)] {
      let start = Coordinate(clampingLatitude: latitude, wrappingLongitude: 13)
      let cells = drive(modem(spacing), speed: 25, kilometres: 0.1 * spacing, from: start)
      // 100 spacings. A line crosses 127 ± 11 borders of random (Poisson–Voronoi) cells, 4/π a spacing, and
      // about as many of a square lattice askew: |cos| + |sin| = 1.4. Shadows add some.
      let crossed = withoutPingPong(cells)
      #expect((95...170).contains(crossed), "\(crossed) at \(latitude)°, \(spacing) m")
      // With ping-pong at the borders there are more, but not a storm of them.
      #expect((crossed...280).contains(changes(cells)), "\(changes(cells)) changes")
    }
  }

  @Test("The slower one goes, the more often one changes to and fro at a border")
  func pingPong() {
    let start = Coordinate(clampingLatitude: 48, wrappingLongitude: 11)
    let walk = changes(drive(modem(800), speed: 1.4, kilometres: 60, from: start))
    let train = changes(drive(modem(800), speed: 44, kilometres: 60, from: start))
    #expect(walk > train)
    #expect(train > 50)
  }

  @Test("At rest most places have one cell, and a few change to and fro all day")
  func rest() {
    let origin = LocalFrame(origin: Coordinate(clampingLatitude: 48, wrappingLongitude: 11))
    var counts: [Int] = []
    for place in 0..<100 {
      let here = origin.point(east: Double(place % 10) * 531, north: Double(place / 10) * 477)
      var modem = modem(800)
      let cells = (0..<(2 * 3_600)).map {
        modem.camp(at: here, at: .zero.advanced(bySeconds: Double($0)))
      }
      counts.append(changes(cells))
    }
    counts.sort()
    #expect(counts[60] == 0)
    // Between two cells: more than one an hour, at most one in a minute and a half.
    #expect(counts[97] > 2 && counts[99] < 80, "\(counts)")
  }

  @Test("A change waits for a second at which the neighbour is better, and for the next one")
  func reselectionTime() {
    // Towers 2 km apart; walking from one to the other at 50 m/s the change comes once.
    let start = Coordinate(clampingLatitude: 0, wrappingLongitude: 0)
    let frame = LocalFrame(origin: start)
    let towers = [
      Tower(id: CellID(rawValue: 1), place: start),
      Tower(id: CellID(rawValue: 2), place: frame.point(east: 2_000, north: 0)),
    ]
    var modem = Modem(seed: 1, layout: .map(TowerMap(towers)))
    var cells: [UInt64] = []
    for second in 0...40 {
      let here = frame.point(east: Double(second) * 50, north: 0)
      cells.append(modem.camp(at: here, at: .zero.advanced(bySeconds: Double(second))).rawValue)
    }
    #expect(cells.first == 1 && cells.last == 2)
    // Halfway at second 20. 4 dB of hysteresis are 39.1 · log10(x / (2000 − x)) = 4 at x = 1,117 m; the
    // shadows' difference (σ 5.9 dB) can move that by some 300 m either way.
    let change = cells.firstIndex(of: 2) ?? 0
    #expect((15...32).contains(change), "at second \(change)")
  }

  @Test("After a gap the best cell is taken at once")
  func afterGap() {
    var modem = modem(800)
    let start = Coordinate(clampingLatitude: 48, wrappingLongitude: 11)
    let first = modem.camp(at: start, at: .zero)
    let far = LocalFrame(origin: start).point(east: 15_000, north: 9_000)
    let second = modem.camp(at: far, at: .zero.advanced(bySeconds: 3_600))
    #expect(second != first)
    var fresh = self.modem(800)
    #expect(fresh.camp(at: far, at: .zero.advanced(bySeconds: 3_600)) == second)
  }

  @Test("The antimeridian is nothing special")
  func antimeridian() {
    let start = Coordinate(clampingLatitude: 10, wrappingLongitude: 179.8)
    let cells = drive(modem(800), speed: 20, kilometres: 40, from: start)
    #expect((45...85).contains(withoutPingPong(cells)))
  }

  @Test(
    "The same seed makes the same cells, another seed others; whoever comes back finds them again")
  func seeds() {
    let start = Coordinate(clampingLatitude: 10, wrappingLongitude: 20)
    let once = drive(modem(800), speed: 40, kilometres: 16, from: start)
    #expect(once == drive(modem(800), speed: 40, kilometres: 16, from: start))
    #expect(once != drive(modem(800, seed: 2), speed: 40, kilometres: 16, from: start))
    // Far from a border, the cell of a place does not depend on the way there.
    var there = modem(800)
    var direct = modem(800)
    var here = start
    var same = 0
    for second in 0..<400 {
      here = LocalFrame(origin: here).point(east: 40, north: 0)
      let now = EngineInstant.zero.advanced(bySeconds: Double(second))
      let cell = there.camp(at: here, at: now)
      if second % 20 == 0 {
        direct = modem(800)
        if direct.camp(at: here, at: now) == cell { same += 1 }
      }
    }
    #expect(same >= 13, "\(same) of 20")
  }
}
