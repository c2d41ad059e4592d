// SPDX-License-Identifier: Apache-2.0

/// A client object of a program that asks GeoClue; its number is never reused for another.
package struct GeoClueClient: Sendable, Hashable, Codable {
  package let number: UInt32

  package init(_ number: UInt32) { self.number = number }
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
