// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel

/// The cells heard since the device came to a place: a modem swings between those that overlap.
struct HeardCells: Sendable, Equatable, Codable {
  /// Metres around a place, and the number of cells kept for it.
  private static let here = (metres: 150.0, cells: 16)
  /// Cells without a name count as one: none can be recognized as new.
  private static let nameless = CellHint(rawValue: .max)

  private var cells: [CellHint] = []
  private var around: LocalFrame?

  var isNameless: Bool { cells.contains(Self.nameless) }

  /// Whether a cell is new here.
  mutating func isNews(_ cell: CellHint?) -> Bool {
    let cell = cell ?? Self.nameless
    guard !cells.contains(cell) else { return false }
    if cells.count == Self.here.cells { cells.removeFirst() }
    cells.append(cell)
    return true
  }

  mutating func cameTo(_ fix: Fix) {
    let reach = Self.here.metres + (fix.horizontalAccuracy ?? 30)
    guard around.map({ $0.distance(to: fix.coordinate) > reach }) ?? true else { return }
    around = LocalFrame(origin: fix.coordinate)
    cells = cells.suffix(1)
  }
}
