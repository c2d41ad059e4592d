// SPDX-License-Identifier: Apache-2.0

package import Geodesy

// Theory
// ======
//
// No trace holds the cells that the phone saw, so they are made up, the same ones for the same seed:
// towers on a square lattice of `spacing` metres, each moved at random within 0.3 spacings of its place.
// Rows run along parallels; each row has a whole number of columns, so the lattice closes round the
// Earth and the antimeridian is nothing special. The device camps on the nearest tower and changes when
// another one is nearer by more than the hysteresis (10 % of the spacing [ours]; networks ask for 2 to
// 4 dB). Cost: a look at 9 to 15 towers, taken only after `step` metres of movement.

/// A seeded synthetic grid of cells.
package struct CellGrid: Sendable, Equatable {
  /// Metres between towers.
  package let spacing: Double

  private let draw: Draw
  private let hysteresis: Double
  private let rowHeight: Double
  private var camped: Camped?
  private var looked: LocalFrame?

  private struct Camped: Sendable, Equatable {
    var id: Cell
    var tower: LocalFrame
  }

  /// Names a cell of the grid.
  package struct Cell: Sendable, Hashable {
    package let row: Int
    package let column: Int
  }

  package init(seed: UInt64, spacing: Double) {
    precondition(spacing >= 50 && spacing <= 100_000)
    self.spacing = spacing
    draw = Draw(seed: seed, purpose: .towerPlacement)
    hysteresis = 0.1 * spacing
    rowHeight = spacing / 111_195
  }

  /// The cell that is camped on after the device has been at `position`; equal answers mean no change.
  package mutating func camp(at position: Coordinate) -> Cell {
    if let looked, let camped, looked.distance(to: position) < spacing / 50 { return camped.id }
    let here = LocalFrame(origin: position)
    looked = here
    var nearest: (cell: Cell, tower: Coordinate, distance: Double)?
    let row = Int((position.latitude / rowHeight).rounded(.down))
    for candidateRow in (row - 1)...(row + 1) {
      let columns = Double(self.columns(inRow: candidateRow))
      let column = Int(((position.longitude + 180) / 360 * columns).rounded(.down))
      for offset in -2...2 {
        let cell = Cell(row: candidateRow, column: wrapped(column + offset, Int(columns)))
        let tower = self.tower(of: cell)
        let distance = here.distance(to: tower)
        if distance < nearest?.distance ?? .infinity { nearest = (cell, tower, distance) }
      }
    }
    guard let nearest else { preconditionFailure("fifteen towers were looked at") }
    if let camped {
      let distance = camped.tower.distance(to: position)
      if nearest.distance + hysteresis >= distance { return camped.id }
    }
    camped = Camped(id: nearest.cell, tower: LocalFrame(origin: nearest.tower))
    return nearest.cell
  }

  private func columns(inRow row: Int) -> Int {
    let middle = (Double(row) + 0.5) * rowHeight
    return max(1, Int((360 * cosine(middle.radians).magnitude / rowHeight).rounded()))
  }

  private func wrapped(_ column: Int, _ columns: Int) -> Int {
    let rest = column % columns
    return rest < 0 ? rest + columns : rest
  }

  private func tower(of cell: Cell) -> Coordinate {
    let counter = UInt64(bitPattern: Int64(cell.row)) &* 0x1_0000_0001 &+ UInt64(cell.column)
    let drawnEast = draw.uniform(counter &* 2) - 0.5
    let drawnNorth = draw.uniform(counter &* 2 &+ 1) - 0.5
    let columns = Double(self.columns(inRow: cell.row))
    return Coordinate(
      clampingLatitude: (Double(cell.row) + 0.5 + 0.6 * drawnNorth) * rowHeight,
      wrappingLongitude: (Double(cell.column) + 0.5 + 0.6 * drawnEast) / columns * 360 - 180)
  }
}
