// SPDX-License-Identifier: Apache-2.0

package import Geodesy

/// The name of a cell; the same tower has the same name in every run.
@usableFromInline package struct CellID: Sendable, Hashable {
  package let rawValue: UInt64

  package init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// A transmitter that a modem can camp on.
package struct Tower: Sendable, Hashable {
  package let id: CellID
  package let place: Coordinate

  package init(id: CellID, place: Coordinate) {
    self.id = id
    self.place = place
  }
}

/// The positions of the towers.
package enum TowerLayout: Sendable, Equatable {
  /// A seeded synthetic grid.
  case grid(TowerGrid)
  /// Towers of a real list.
  case map(TowerMap)

  /// The towers that matter around a place, unordered.
  func towers(around place: Coordinate) -> [Tower] {
    switch self {
    case .grid(let grid): grid.towers(around: place)
    case .map(let map): map.towers(around: place)
    }
  }

  /// Metres within which the answer for a place holds for its neighbourhood too.
  func validity(of towers: [Tower], around place: Coordinate) -> Double {
    switch self {
    case .grid(let grid): return grid.spacing / 4
    case .map:
      let frame = LocalFrame(origin: place)
      let nearest = towers.lazy.map { frame.distance(to: $0.place) }.min() ?? 0
      return min(2_000, max(100, nearest / 4))
    }
  }

  /// The distance over which the shadow of houses and hills changes, metres.
  var decorrelation: Double {
    switch self {
    case .grid(let grid): grid.spacing / 16
    case .map: 50
    }
  }
}
