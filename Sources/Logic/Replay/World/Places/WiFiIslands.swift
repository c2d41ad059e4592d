// SPDX-License-Identifier: Apache-2.0

package import Geodesy

// Theory
// ======
//
// With known access points, the network locates a device to tens of metres: EnLoc (INFOCOM 2009) found 40 m for Wi-Fi
// and 400 m for cells. σ = 25 m per axis is a 68 % radius of 38 m. Elsewhere only the cell is known. Islands are places
// of 150 m (`PlacePartition`), of which a share is covered.
//
// A trace does not say how built-up a place is, but movement there is evidence: people stay in houses (87 % of their
// time in buildings, 6 % in vehicles; NHAPS, J. Exposure Analysis 11, 2001), and cars between them do not go 90 km/h.
// So the covered share depends on movement:
//
//      stays           0.98  iPhones at rest in two homes claimed 65 m, the class of Wi-Fi, at the tenth, the middle and
//                            the ninetieth of a hundred of 990 positions of the 100 m class (MobilityNet, 2019).
//                            `Tools/fit-phones` finds 0.98 to 1: of 28 exits none was missed, where 0.95 misses 8 %.
//                            In 2009 an iPhone got 58 positions from Wi-Fi in homes and offices of a city where it got
//                            64 from cells (Zandbergen, Transactions in GIS 13), which is 0.9
//      on the way      0.9   of 32 first positions of iPhones on foot or in a car that had just left a place, no more
//                            than one in ten was coarser than 65 m (MobilityNet). The fit is flat from 0.8 to 1
//      above 60 km/h   0.1   [estimate] roads and rails without houses at them
//
//      number of a place   0 ───── 0.1 ───────────────── 0.9 ──── 0.98 ── 1
//      is covered            always       below 60 km/h     when staying  never
//
// A place has one number, uniform in 0 to 1, and is covered if that is below the share. So a place that helps a driver
// helps anyone who stays there, and each visit finds the same. It gets this wrong: a rest in the wild counts as a stay,
// and a motorway through a town as a motorway.

/// The places in which the network's positions are those of Wi-Fi.
package enum WiFiCoverage: Sendable, Equatable {
  /// Nowhere.
  case none
  /// In this share of places, 0 to 1, whatever the movement.
  case share(Double)
  /// In a share that depends on the movement.
  case byMovement

  /// The share of places for `wifi_islands: on` [estimate: half of the places where people are is what crowd-sourced
  /// lists cover outside city centres].
  package static let usual = Self.share(0.5)
}

/// Places where the network's positions are good.
package struct WiFiIslands: Sendable, Equatable {
  /// What the way of moving says of a place.
  package enum Movement: Sendable, CaseIterable {
    case stay
    case onTheWay
    case fast

    /// Metres per second above which movement is fast: 60 km/h.
    package static let limit = 60 / 3.6

    /// `speed` in metres per second.
    package init(stays: Bool, speed: Double) {
      self = stays ? .stay : speed > Self.limit ? .fast : .onTheWay
    }

    /// The share of covered places, as far as the movement alone decides.
    package var share: Double {
      switch self {
      case .stay: 0.98
      case .onTheWay: 0.9
      case .fast: 0.1
      }
    }
  }

  /// Standard deviation per axis within an island, metres.
  package static let errorPerAxis = 25.0
  /// Metres across.
  static let size = 150.0

  private let coverage: WiFiCoverage
  private var places: PlacePartition

  package init(seed: UInt64, _ coverage: WiFiCoverage) {
    self.coverage = coverage
    places = PlacePartition(seed: seed, layer: 1, size: Self.size)
  }

  /// Whether access points are known at a place with this movement.
  package mutating func covers(_ place: Coordinate, moving: Movement) -> Bool {
    let share =
      switch coverage {
      case .none: 0.0
      case .share(let share): share
      case .byMovement: moving.share
      }
    return places.share(at: place) < share
  }
}
