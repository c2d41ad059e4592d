// SPDX-License-Identifier: Apache-2.0

import Geodesy

/// How long and how far the app was blind: the true position was further than a distance from the last
/// delivered one.
///
/// Before the first delivery the place of the launch counts as known: the user was holding the device.
struct Blindness: Sendable {
  /// Seconds.
  private(set) var seconds = 0.0
  /// Metres travelled while blind.
  private(set) var metres = 0.0
  private let limit: Double
  private var known: LocalFrame?

  init(limit: Double) { self.limit = limit }

  /// A position was delivered.
  mutating func learned(_ position: Coordinate) { known = LocalFrame(origin: position) }

  /// Truth moved on; a sample counts for the time that led to it.
  mutating func passed(_ sample: TruthSample) {
    guard let known else {
      known = LocalFrame(origin: sample.coordinate)
      return
    }
    guard known.distance(to: sample.coordinate) >= limit else { return }
    seconds += sample.elapsed
    metres += sample.travelled
  }
}
