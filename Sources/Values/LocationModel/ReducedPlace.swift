// SPDX-License-Identifier: Apache-2.0

// Theory
// ======
//
// Reduced accuracy reveals only the square of a grid that holds the device (`GridSquare`): its centre, and that the
// device is within 5 km of it. Core Location's reduced position changes around four times an hour (Apple, WWDC 2020,
// "What's new in location"); the figures are ours.
//
//   nowhere ──position──► square ──more than 1 km beyond its border, and 900 s after it was taken──► another
//
// - The squares are fixed. A device that stays reveals one square for as long as it stays: a thousand positions reveal
//   as much as the first one, and noise at a border does not reveal the border.
// - Not before 900 s: the instant at which a square is left is a point on a road to anyone who knows the roads. The
//   square given is that of the device's place when the time is over.
// - While another square would be right already, the old one is given with the time at which it was right.

/// The location accuracy that the user grants an app.
@usableFromInline package enum LocationAccuracy: String, Sendable, CaseIterable, Codable {
  case full
  /// A square of some kilometres.
  case reduced
}

/// The device's place as given to an app of reduced accuracy.
package struct ReducedPlace: Sendable, Equatable, Codable {
  /// Metres from one point of the grid to the next.
  package static let spacing = 5_000.0
  /// The greatest distance, metres, of a place within a square from its centre, with the 1 km beyond it: 3.68 km of a
  /// diagonal that is 4 % longer, and 1 km.
  package static let accuracy = 5_000.0
  /// Metres beyond its border up to which a square is still given.
  package static let margin = 1_000.0
  /// The least time for which a square is given, seconds.
  package static let interval = 900.0

  private var square: GridSquare
  private var since: EngineInstant
  /// UTC of the last position for which the square was right.
  private var time: UTCInstant?

  package init(_ fix: Fix, at now: EngineInstant) {
    square = Self.square(of: fix)
    since = now
    time = fix.time
  }

  private static func square(of fix: Fix) -> GridSquare {
    GridSquare(nearest: fix.coordinate, spacing: spacing, half: spacing / 2)
  }

  /// Takes a position; returns whether another square is given from now on.
  package mutating func take(fix: Fix, at now: EngineInstant) -> Bool {
    guard square.distance(to: fix.coordinate) > Self.margin else {
      time = fix.time
      return false
    }
    guard EngineInstant.seconds(from: since, to: now) >= Self.interval else { return false }
    self = Self(fix, at: now)
    return true
  }

  /// The fix that stands for `fix`.
  package func standIn(for fix: Fix) -> Fix {
    Fix(
      time: time, coordinate: square.centre, horizontalAccuracy: Self.accuracy, source: fix.source)
  }
}
