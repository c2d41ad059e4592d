// SPDX-License-Identifier: Apache-2.0

/// The exactness that a program asks for, as GeoClue numbers it (its D-Bus interface, `GClueAccuracyLevel`).
package enum AccuracyLevel: UInt32, Sendable, Codable, CaseIterable, Comparable {
  case country = 1
  case city = 4
  case neighborhood = 5
  case street = 6
  case exact = 8

  /// GeoClue takes any number: one between two levels is the lower one, and 0 the lowest.
  package init(number: UInt32) {
    self = Self.allCases.last { $0.rawValue <= number } ?? .country
  }

  package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}
