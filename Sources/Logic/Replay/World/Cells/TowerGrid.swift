// SPDX-License-Identifier: Apache-2.0

package import Geodesy

// Theory
// ======
//
// No trace holds the cells that the phone saw, so towers are synthetic, the same ones for the same seed:
// on a square lattice of `spacing` metres, each moved at random within 0.3 spacings of its place. Rows
// run along parallels; each row has a whole number of columns, so the lattice closes round the Earth and
// the antimeridian is nothing special.
//
//   rows      r+2  ·  ·  ·  ·      the two rows above and the two below the device, and in each the two
//             r+1  ·  ·  ·  ·      columns on either side: any other tower stands at least 1.7
//             r    ·  ·x ·  ·      spacings away, and is 20 dB weaker than one at half a spacing
//             r-1  ·  ·  ·  ·

/// A seeded synthetic grid of towers.
package struct TowerGrid: Sendable, Equatable {
  /// Metres between towers.
  package let spacing: Double
  /// The allowed spacings.
  package static let spacings = 50.0...100_000

  private let draw: Draw
  private let rowHeight: Double

  /// `spacing` is one of `spacings`.
  package init(seed: UInt64, spacing: Double) {
    precondition(Self.spacings.contains(spacing))
    self.spacing = spacing
    draw = Draw(seed: seed, purpose: .towerPlacement)
    rowHeight = spacing / 111_195
  }

  /// The 16 towers around a place (fewer if a parallel has fewer columns).
  package func towers(around place: Coordinate) -> [Tower] {
    var found: [Tower] = []
    found.reserveCapacity(16)
    let row = Int((place.latitude / rowHeight - 0.5).rounded(.down)) - 1
    for candidateRow in row...(row + 3) {
      let columns = self.columns(inRow: candidateRow)
      let along = (place.longitude + 180) / 360 * Double(columns)
      let column = Int((along - 0.5).rounded(.down)) - 1
      for offset in 0..<min(4, columns) {
        found.append(tower(row: candidateRow, column: wrapped(column + offset, columns), columns))
      }
    }
    return found
  }

  private func columns(inRow row: Int) -> Int {
    let middle = (Double(row) + 0.5) * rowHeight
    return max(1, Int((360 * cosine(middle.radians).magnitude / rowHeight).rounded()))
  }

  private func wrapped(_ column: Int, _ columns: Int) -> Int {
    let rest = column % columns
    return rest < 0 ? rest + columns : rest
  }

  private func tower(row: Int, column: Int, _ columns: Int) -> Tower {
    let counter = UInt64(bitPattern: Int64(row)) &* 0x1_0000_0001 &+ UInt64(column)
    let drawnEast = draw.uniform(counter &* 2) - 0.5
    let drawnNorth = draw.uniform(counter &* 2 &+ 1) - 0.5
    return Tower(
      id: CellID(rawValue: counter),
      place: Coordinate(
        clampingLatitude: (Double(row) + 0.5 + 0.6 * drawnNorth) * rowHeight,
        wrappingLongitude: (Double(column) + 0.5 + 0.6 * drawnEast) / Double(columns) * 360 - 180))
  }
}
