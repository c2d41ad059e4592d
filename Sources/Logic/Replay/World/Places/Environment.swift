// SPDX-License-Identifier: Apache-2.0

package import Geodesy

/// The surroundings in which the device is carried; they decide TTFF and the receiver's error.
@usableFromInline package enum Environment: String, Sendable, CaseIterable {
  case open
  case pocket
  case indoors

  /// Standard deviation of the receiver's error per axis, metres [estimate].
  ///
  /// Open sky: 4.9 m at 95 % is what the GPS standard positioning service promises typical users
  /// (gps.gov, smartphone accuracy, van Diggelen and Enge 2015: 4.9 m radius), so about 2 m per axis;
  /// pocket and indoors are estimates.
  package var errorPerAxis: Double {
    switch self {
    case .open: 2
    case .pocket: 5
    case .indoors: 15
    }
  }
}

// Theory
// ======
//
// `mixed` gives each place of 200 m its own environment: 30 % open, 50 % pocket (a phone in a street),
// 20 % indoors, which stands for street canyons too [estimate]. One
// walks through several within minutes, a motorist within seconds, and a receiver that is switched on
// in the wrong place has bad luck. A device that stays in one stays in its environment.

/// The environments along the way.
package struct Surroundings: Sendable, Equatable {
  /// Metres across a place.
  static let size = 200.0

  private let usual: Environment
  private var places: PlacePartition?

  /// `isMixed`: seeded places decide; otherwise `usual` is everywhere.
  package init(seed: UInt64, usual: Environment, isMixed: Bool) {
    self.usual = usual
    places = isMixed ? PlacePartition(seed: seed, layer: 2, size: Self.size) : nil
  }

  package mutating func environment(at place: Coordinate) -> Environment {
    guard let share = places?.share(at: place) else { return usual }
    return share < 0.3 ? .open : share < 0.8 ? .pocket : .indoors
  }
}
