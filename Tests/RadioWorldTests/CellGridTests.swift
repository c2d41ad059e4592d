// SPDX-License-Identifier: Apache-2.0

import Geodesy
import RadioWorld
import Testing

@Suite("Synthetic cells")
struct CellGridTests {
  /// Changes of cell along a straight way east, looked at every 10 m.
  private func changes(
    spacing: Double, kilometres: Double, from start: Coordinate, seed: UInt64 = 1
  ) -> Int {
    var grid = CellGrid(seed: seed, spacing: spacing)
    var here = start
    var last = grid.camp(at: here)
    var count = 0
    for _ in 0..<Int(kilometres * 100) {
      here = LocalFrame(origin: here).point(east: 10, north: 0)
      let cell = grid.camp(at: here)
      if cell != last { count += 1 }
      last = cell
    }
    return count
  }

  @Test("A straight way crosses about one cell per spacing, at any latitude")
  func density() {
    for latitude in [0.0, 52, 70] {
      let start = Coordinate(clampingLatitude: latitude, wrappingLongitude: 13)
      let count = changes(spacing: 800, kilometres: 80, from: start)
      // 80 km at 800 m. A line crosses 4/π borders of random (Poisson–Voronoi) cells per spacing, so
      // 127 ± 11; a lattice has 100, and the hysteresis takes some away.
      #expect((80...150).contains(count), "\(count) changes at \(latitude)°")
    }
  }

  @Test("Wider cells change less often")
  func spacing() {
    let start = Coordinate(clampingLatitude: 48, wrappingLongitude: 11)
    let near = changes(spacing: 600, kilometres: 60, from: start)
    let far = changes(spacing: 3_000, kilometres: 60, from: start)
    #expect(near > 3 * far)
  }

  @Test("Standing still, or drifting by less than the hysteresis, changes nothing")
  func still() {
    var grid = CellGrid(seed: 3, spacing: 800)
    let here = Coordinate(clampingLatitude: 55, wrappingLongitude: 12)
    let first = grid.camp(at: here)
    let frame = LocalFrame(origin: here)
    for step in 0..<1_000 {
      let east = Double(step % 40) - 20
      #expect(grid.camp(at: frame.point(east: east, north: -east)) == first)
    }
  }

  @Test("The antimeridian is nothing special")
  func antimeridian() {
    let start = Coordinate(clampingLatitude: 10, wrappingLongitude: 179.9)
    let across = changes(spacing: 800, kilometres: 40, from: start)
    #expect((40...70).contains(across))
  }

  @Test("The same seed makes the same cells, another seed others")
  func seeds() {
    let start = Coordinate(clampingLatitude: 10, wrappingLongitude: 20)
    func cells(_ seed: UInt64) -> [CellGrid.Cell] {
      var grid = CellGrid(seed: seed, spacing: 800)
      return (0..<400).map {
        grid.camp(at: LocalFrame(origin: start).point(east: Double($0) * 40, north: 0))
      }
    }
    #expect(cells(1) == cells(1))
    #expect(cells(1) != cells(2))
  }
}
