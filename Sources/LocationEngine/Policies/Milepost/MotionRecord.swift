// SPDX-License-Identifier: Apache-2.0

import LocationModel

// Theory
// ======
//
// The motion sensor fires at the end of each window (about 15 s) in which the device moved, so silence
// means rest, with a lag of up to two windows. `quietAfter` is that lag; `pause` is the shortest silence
// that can mean a stop instead of a slow window. What moved may be a walker on the way to a car: a
// pause ends what was known of the speed.

/// What the motion sensor has said since the last fix.
struct MotionRecord: Sendable, Equatable {
  /// Seconds of silence after which the device is at rest [ours: three windows].
  static let quietAfter = 50.0
  /// Seconds of silence that may have been a change of vehicle [ours: two windows].
  static let pause = 32.0
  /// Seconds that a first event may come after the movement began [ours: two windows].
  static let lag = 30.0

  private(set) var lastAt: EngineInstant?
  /// Seconds of movement since the last fix, at most.
  private(set) var moving = 0.0

  /// Seconds of silence; `nil` where it never fired.
  func silence(at now: EngineInstant) -> Double? {
    lastAt.map { EngineInstant.seconds(from: $0, to: now) }
  }

  func isQuiet(at now: EngineInstant) -> Bool { silence(at: now).map { $0 > Self.quietAfter } ?? true }

  /// It fired; answers the seconds of silence before.
  mutating func fired(at now: EngineInstant) -> Double {
    let silence = silence(at: now) ?? .infinity
    moving += min(silence, Self.lag)
    lastAt = now
    return silence
  }

  /// A fix says where the device is: what was before no longer matters.
  mutating func forget() { moving = 0 }
}
