// SPDX-License-Identifier: Apache-2.0

/// A client object of a program that asks GeoClue; its number is never reused for another.
package struct GeoClueClient: Sendable, Hashable, Codable {
  package let number: UInt32

  package init(_ number: UInt32) { self.number = number }
}

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

/// A program's request to GeoClue.
package struct GeoClueRequest: Sendable, Equatable, Codable {
  /// The name that the program gives itself: `DesktopId`.
  package var program: String
  package var level: AccuracyLevel
  /// Metres and seconds from the program's last location; both must have passed, 0 always has.
  package var distance: UInt32
  package var time: UInt32

  package init(program: String, level: AccuracyLevel, distance: UInt32 = 0, time: UInt32 = 0) {
    self.program = program
    self.level = level
    self.distance = distance
    self.time = time
  }
}

/// An event of the programs that ask GeoClue.
package enum GeoClueEvent: Sendable, Equatable, Codable {
  /// Milepost answers on the bus, or the reason why it does not, in words.
  case answering(Bool, String)
  /// A program asks for the location.
  case started(GeoClueClient, GeoClueRequest)
  /// It has changed its thresholds.
  case changed(GeoClueClient, GeoClueRequest)
  /// It has stopped asking, or has gone.
  case stopped(GeoClueClient)
}
