// SPDX-License-Identifier: Apache-2.0

package import Geodesy

// Theory
// ======
//
// Where access points are known, the network knows a device to tens of metres: EnLoc (INFOCOM 2009) found
// 40 m for Wi-Fi and 400 m for cells. σ = 25 m per axis is a 68 % radius of 38 m. Elsewhere only the cell is
// known. Islands are places of 150 m (`PlacePartition`), of which a share `density` is covered; houses, shops and
// offices lie so, fields and motorways do not [estimate].
//
// Without islands every network position has the one error of `--network-error` (0.4 of the cells'
// spacing): that is the documented default, it is the pessimistic end, and reports made with it stay
// comparable. `on` is a density of 0.5: half of the places where people are is what crowd-sourced lists
// cover outside city centres [estimate].

/// Places where the network's positions are good.
package struct WiFiIslands: Sendable, Equatable {
  /// The share of places that `on` means [estimate].
  package static let usualDensity = 0.5
  /// Standard deviation per axis within an island, metres.
  package static let errorPerAxis = 25.0
  /// Metres across.
  static let size = 150.0

  /// The share of places that are covered, 0 to 1.
  package let density: Double
  private var places: PlacePartition

  package init(seed: UInt64, density: Double) {
    self.density = density
    places = PlacePartition(seed: seed, layer: 1, size: Self.size)
  }

  /// Whether access points are known at a place.
  package mutating func covers(_ place: Coordinate) -> Bool { places.share(at: place) < density }
}
