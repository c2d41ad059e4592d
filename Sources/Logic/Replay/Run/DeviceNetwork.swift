// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel
import ServiceContract

/// The network of a run's device: whether there is one, and its answers about the position.
struct DeviceNetwork: Sendable {
  /// Whether there is one.
  var isThere = true
  /// The time of its answer to the open question; `nil` if there is none.
  private(set) var answersAt: EngineInstant?
  private var positions: NetworkPositions

  init(_ options: ReplayOptions) { positions = options.networkPositions }

  /// Asks for a position.
  mutating func ask(at now: EngineInstant) {
    answersAt = now.advanced(bySeconds: NetworkPositions.delay)
  }

  /// The answer, for a device at a true place; `nil` is unknown, and then the network does not know either.
  mutating func answer(
    at place: Coordinate?, moving movement: WiFiIslands.Movement, _ clock: RunClock
  ) -> RadioEvent {
    answersAt = nil
    guard let place else { return .networkPositionFailed }
    return .networkFix(
      positions.position(of: place, moving: movement, time: clock.utc, at: clock.now))
  }
}
