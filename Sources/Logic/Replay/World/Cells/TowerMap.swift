// SPDX-License-Identifier: Apache-2.0

package import Geodesy

// Theory
// ======
//
// Real towers, found by place: they are sorted by tile (0.1° each way), and a dictionary says where each
// tile begins. Around a place the tiles within 3, 10 and then 35 km are searched until 16 towers are found;
// the 32 nearest are heard. 35 km is as far as GSM reaches (timing advance of 63 steps of 550 m, 3GPP TS
// 45.010); further off there is no service. Levels come from distance and shadow as in the synthetic grid:
// the `range` of a list is an estimate of the area where the cell was heard, not its power.

/// The towers of a list.
package struct TowerMap: Sendable, Equatable {
  /// Metres beyond which a tower is not heard.
  package static let reach = 35_000.0
  /// The greatest number of towers heard at once.
  static let heard = 32

  private let towers: [Tower]
  private let tiles: [Tile: Range<Int>]

  /// Towers of the map.
  package var count: Int { towers.count }

  private struct Tile: Sendable, Hashable, Comparable {
    var row: Int32
    var column: Int32

    init(_ row: Int, _ column: Int) {
      self.row = Int32(row)
      let rest = column % 3_600
      self.column = Int32(rest < 0 ? rest + 3_600 : rest)
    }

    init(_ place: Coordinate) {
      self.init(
        Int((place.latitude * 10).rounded(.down)), Int((place.longitude * 10).rounded(.down)))
    }

    static func < (left: Tile, right: Tile) -> Bool {
      (left.row, left.column) < (right.row, right.column)
    }
  }

  /// Takes towers in any order; the first of several with one name counts.
  package init(_ unordered: [Tower]) {
    var names = Set<CellID>()
    let keyed = unordered.filter { names.insert($0.id).inserted }.map { (Tile($0.place), $0) }
      .sorted { ($0.0, $0.1.id.rawValue) < ($1.0, $1.1.id.rawValue) }
    towers = keyed.map(\.1)
    var tiles: [Tile: Range<Int>] = [:]
    for (index, entry) in keyed.enumerated() {
      tiles[entry.0] = (tiles[entry.0]?.lowerBound ?? index)..<(index + 1)
    }
    self.tiles = tiles
  }

  /// The nearest towers around a place, at most 32 and none beyond 35 km.
  package func towers(around place: Coordinate) -> [Tower] {
    var found: [(tower: Tower, distance: Double)] = []
    for radius in [3_000.0, 10_000, Self.reach] {
      found = towers(within: radius, of: place)
      if found.count >= 16 { break }
    }
    found.sort { ($0.distance, $0.tower.id.rawValue) < ($1.distance, $1.tower.id.rawValue) }
    return found.prefix(Self.heard).map(\.tower)
  }

  private func towers(
    within radius: Double, of place: Coordinate
  ) -> [(tower: Tower, distance: Double)] {
    let frame = LocalFrame(origin: place)
    let high = radius / 111_195
    let wide = min(180, high / max(0.01, cosine(place.latitude.radians)))
    let rows = Self.tiles(place.latitude, high)
    let columns = Self.tiles(place.longitude, wide)
    var found: [(tower: Tower, distance: Double)] = []
    for row in rows {
      for column in columns {
        guard let range = tiles[Tile(row, column)] else { continue }
        for tower in towers[range] {
          let distance = frame.distance(to: tower.place)
          if distance <= radius { found.append((tower, distance)) }
        }
      }
    }
    return found
  }

  private static func tiles(_ middle: Double, _ half: Double) -> ClosedRange<Int> {
    Int(((middle - half) * 10).rounded(.down))...Int(((middle + half) * 10).rounded(.down))
  }
}
