// SPDX-License-Identifier: Apache-2.0

import LocationModel

// Theory
// ======
//
// The motion sensor fires at the end of each window (about 15 s) in which the device moved, so silence
// means rest, with a lag of up to two windows. `quietAfter` is that lag; `pause` is the shortest silence
// that can mean a stop instead of a slow window. What moved may be a walker on the way to a car: a
// pause ends what was known of the speed.
//
// A slow walk is felt in parts, or not at all; what its silence means is learnt by `WalkOdometer`.

/// What the motion sensor has said since the last fix.
struct MotionRecord: Sendable, Equatable, Codable {
  /// Seconds of silence after which the device is at rest [ours: three windows].
  static let quietAfter = 50.0
  /// Seconds of silence that may have been a change of vehicle [ours: two windows].
  static let pause = 32.0
  /// Seconds that a first event may come after the movement began [ours: two windows].
  static let lag = 30.0

  /// Metres per second that it feels, on the average of a window: a slow walk [estimate].
  static let feels = 1.0
  /// Seconds of a window [estimate].
  static let window = 15.0

  /// Metres per second of somebody on foot who was not seen to be faster [ours].
  static let pace = 1.2

  private(set) var lastAt: EngineInstant?
  /// Seconds of movement since the last fix, at most.
  private(set) var moving = 0.0
  private var events = 0
  /// Events in a row without a pause, and the longest such run since the last fix.
  private(set) var run = 0
  private var longestRun = 0
  /// Runs since the last fix.
  private(set) var stirs = 0

  /// Seconds of silence; `nil` where it never fired.
  func silence(at now: EngineInstant) -> Double? {
    lastAt.map { EngineInstant.seconds(from: $0, to: now) }
  }

  func isQuiet(at now: EngineInstant) -> Bool {
    silence(at: now).map { $0 > Self.quietAfter } ?? true
  }

  /// It fired; answers the seconds of silence before.
  mutating func fired(at now: EngineInstant) -> Double {
    let silence = silence(at: now) ?? .infinity
    moving += min(silence, Self.lag)
    events = min(events + 1, 100)
    run = silence <= Self.pause ? min(run + 1, 100) : 1
    longestRun = max(longestRun, run)
    if run == 1 { stirs = min(stirs + 1, 100) }
    lastAt = now
    return silence
  }

  /// Whether all that it felt since the last fix were single events.
  var hasOnlyStirred: Bool { stirs > 0 && longestRun <= 1 && run <= 1 }

  /// Whether all that it felt since the last fix were single events, and the last one is over: a phone
  /// that is picked up, a few steps in a room.
  func isStirOver(at now: EngineInstant) -> Bool {
    stirs > 0 && longestRun <= 1 && (silence(at: now) ?? 0) > Self.window + 1
  }

  /// Seconds of movement in a leg of `metres` (net of noise) and `seconds` to a fix: those that were felt,
  /// and at least what the way took. `fastest`: metres per second that the device was seen to make.
  func movement(over metres: Double, in seconds: Double, fastest: Double) -> Double {
    let walked = metres / max(fastest, Self.pace)
    return min(seconds, max(walked, Self.window, moving))
  }

  /// A fix says where the device is: what was before no longer matters.
  mutating func forget() { (moving, events, longestRun, stirs) = (0, 0, 0, 0) }

  /// Whether it has now fired twice since the last fix.
  var isSecondEvent: Bool { events == 2 }
}
