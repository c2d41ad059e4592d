// SPDX-License-Identifier: Apache-2.0

package import Geodesy

// Theory
// ======
//
// A zone is a circle that the user wants hidden. It hides a square of a grid (`GridSquare`) that holds the circle
// wherever in the grid it lies:
//
//       ┌───────────────┐     points of the grid lie 2r apart; the nearest one is at most r east or west, and
//       │               │     r north or south, of the zone's centre; the square's half side is 2r: so the
//       │   ┌───────┐   │     circle of radius r is in it
//       │   │   ×   │   │
//       │   └───────┘   │     the whole outer square (known from many tracks that end at it) reveals that the
//       │               │     zone's centre is in the inner one, 2r wide, and no more: each of its points
//       └───────────────┘     makes the same outer square
//
// - A position counts as within if the square is nearer than twice its accuracy: of a normal error with that 68 %
//   radius 99 % lie within it (1 − exp(−(2·1.515)²/2)). A cold start in a house is thus hidden, though its fix may be
//   300 m away.
// - A hidden device is seen again only from a quarter of the radius beyond that on, so that no border is
//   crossed to and fro.
// - The square's centre stands for the position, with three times the radius as its accuracy: half of the square's
//   diagonal is 2.83 r, and 2.95 r if its sides are 4 % longer. It reveals no more than the border does.

/// A place at which the user wants the device hidden. Its centre is not stored anywhere: the square stands for it.
package struct PrivacyZone: Sendable, Equatable, Codable {
  /// The information given to apps that may not see inside.
  package enum Telling: String, Sendable, CaseIterable, Codable {
    /// Nothing at all: as without a fix.
    case nothing
    /// The entry into the zone and the exit from it, by the zone's name; no place.
    case name
  }

  /// The allowed radii, metres [ours]: below, a receiver's errors are larger than the zone; above, the stand-in is
  /// coarser than a significant change allows (`EngineRules.coarsestAccuracy`).
  package static let radii = 50.0...3_000.0
  /// The greatest number of zones [ours].
  package static let limit = 64

  package let name: String
  /// Metres.
  package let radius: Double
  package let says: Telling
  /// Names of the apps that may see inside.
  package let apps: [String]
  /// The hidden square.
  package let square: GridSquare

  /// `centre` is within `GridSquare.latitudes`, `radius` within `radii`.
  package init(
    name: String, centre: Coordinate, radius: Double, says: Telling = .nothing, apps: [String] = []
  ) {
    self.name = name
    self.radius = radius
    self.says = says
    self.apps = apps
    square = GridSquare(nearest: centre, spacing: 2 * radius, half: 2 * radius)
  }

  /// Whether a position is hidden; `isInside` if the one before it was hidden by this zone.
  package func hides(_ fix: Fix, isInside: Bool) -> Bool {
    let beyond = isInside ? radius / 4 : 0
    return square.distance(to: fix.coordinate) <= 2 * (fix.horizontalAccuracy ?? 0) + beyond
  }

  /// Whether a position by itself shows that the device is within: one that is hidden only because it is
  /// coarse does not.
  package func surelyHolds(_ fix: Fix) -> Bool {
    square.distance(to: fix.coordinate) == 0 && (fix.horizontalAccuracy ?? 0) <= 3 * radius
  }

  /// The stand-in for a position within: the square's centre, with the time and the source of the position, and
  /// nothing else of it.
  package func standIn(for fix: Fix) -> Fix {
    Fix(
      time: fix.time, coordinate: square.centre, horizontalAccuracy: 3 * radius, source: fix.source)
  }

  /// Metres from the square's centre at which the device is certainly seen again.
  package var wayOut: Double { 2.25 * radius }
}

extension [PrivacyZone] {
  /// The zone that hides a position: the one that hid the last position, if it still does; else the first
  /// one that does.
  package func hiding(_ fix: Fix, last: String?) -> PrivacyZone? {
    if let last, let zone = first(where: { $0.name == last }), zone.hides(fix, isInside: true) {
      return zone
    }
    return first { $0.hides(fix, isInside: false) }
  }
}
