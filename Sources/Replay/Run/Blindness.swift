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
  private var known: Coordinate?
  /// Around the known place; made once it is needed, for an app that is told every second never needs it.
  private var frame: LocalFrame?

  init(limit: Double) { self.limit = limit }

  /// A position was delivered.
  mutating func learned(_ position: Coordinate) { (known, frame) = (position, nil) }

  /// Truth moved on to `place`; what led there counts: so many seconds, so many metres.
  mutating func passed(to place: Coordinate, elapsed: Double, travelled: Double) {
    guard let known else { return learned(place) }
    guard known.distanceBound(to: place) >= limit else { return }
    if frame == nil { frame = LocalFrame(origin: known) }
    guard let frame, !frame.isNearer(place, than: limit) else { return }
    seconds += elapsed
    metres += travelled
  }
}
