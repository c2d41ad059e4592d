// SPDX-License-Identifier: Apache-2.0

package import Geodesy

// Theory
// ======
//
// A list of the world's towers has some 40 million rows; a trace hears those within 35 km of it. The track is kept as
// the tiles of 0.25° that it touches, and a tower is taken if its tile lies within 35 km of one of those, which is at
// most some 60 km from the track. A day on an airliner touches a thousand tiles; beyond `limit` further tiles are left
// out, and nothing is heard there.

/// The rough area of a trace.
package struct TrackArea: Sendable {
  /// The greatest number of tiles kept.
  package static let limit = 100_000
  private static let perDegree = 4.0

  private var touched: Set<Tile> = []
  private var near: Set<Tile> = []
  private var latest: Tile?
  /// The first place of each tile, in the order of the way.
  package private(set) var places: [Coordinate] = []

  private struct Tile: Hashable {
    var row: Int32
    var column: Int32

    init(row: Int, column: Int) {
      self.row = Int32(row)
      let rest = column % 1_440
      self.column = Int32(rest < 0 ? rest + 1_440 : rest)
    }

    init(_ place: Coordinate) {
      self.init(
        row: Int((place.latitude * TrackArea.perDegree).rounded(.down)),
        column: Int((place.longitude * TrackArea.perDegree).rounded(.down)))
    }
  }

  package init() {}

  package mutating func include(_ place: Coordinate) {
    let tile = Tile(place)
    guard tile != latest else { return }
    latest = tile
    guard touched.count < Self.limit, touched.insert(tile).inserted else { return }
    places.append(place)
    let reach = TowerMap.reach / 111_195
    let rows = Int((reach * Self.perDegree).rounded(.up))
    let wide = reach / max(0.01, cosine(place.latitude.radians))
    let columns = min(720, Int((wide * Self.perDegree).rounded(.up)))
    for row in -rows...rows {
      for column in -columns...columns {
        near.insert(Tile(row: Int(tile.row) + row, column: Int(tile.column) + column))
      }
    }
  }

  /// Whether a tower at `place` may be heard from the track.
  package func reaches(_ place: Coordinate) -> Bool { near.contains(Tile(place)) }
}
