// SPDX-License-Identifier: Apache-2.0

/// A client object of a program that asks GeoClue; its number is never used again for another.
package struct GeoClueClient: Sendable, Hashable, Codable {
  package let number: UInt32

  package init(_ number: UInt32) { self.number = number }
}

/// How exact a program asks to be told, as GeoClue numbers it (its D-Bus interface, `GClueAccuracyLevel`).
package enum AccuracyLevel: UInt32, Sendable, Codable, CaseIterable, Comparable {
  case country = 1
  case city = 4
  case neighborhood = 5
  case street = 6
  case exact = 8

  /// GeoClue takes any number: what lies between two levels is the lower one, and 0 the lowest.
  package init(number: UInt32) {
    self = Self.allCases.last { $0.rawValue <= number } ?? .country
  }

  package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

/// A program's request of GeoClue.
package struct GeoClueRequest: Sendable, Equatable, Codable {
  /// The program as it calls itself: `DesktopId`.
  package var program: String
  package var level: AccuracyLevel
  /// Metres and seconds from the last location that it was told; both must have passed, 0 always has.
  package var distance: UInt32
  package var time: UInt32

  package init(program: String, level: AccuracyLevel, distance: UInt32 = 0, time: UInt32 = 0) {
    self.program = program
    self.level = level
    self.distance = distance
    self.time = time
  }
}

/// An event where programs ask GeoClue.
package enum GeoClueEvent: Sendable, Equatable, Codable {
  /// Milepost answers on the bus, or why it does not, in words.
  case answering(Bool, String)
  /// A program wants to be told where the device is.
  case started(GeoClueClient, GeoClueRequest)
  /// It has changed its thresholds.
  case changed(GeoClueClient, GeoClueRequest)
  /// It wants nothing any more, or has gone.
  case stopped(GeoClueClient)
}
