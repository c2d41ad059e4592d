// SPDX-License-Identifier: Apache-2.0

import LocationModel

// Theory
// ======
//
// The motion sensor fires at the end of each window (about 15 s) in which the device moved, so silence
// means rest, with a lag of up to two windows. `quietAfter` is that lag; `pause` is the shortest silence
// that can mean a stop instead of a slow window. What moved may be a walker on the way to a car: a
// pause ends what was known of the speed. A slow walk may not be felt at all: fixes that lie further
// apart than the felt time explains show it, and for an hour silence then means nothing.

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

  private(set) var lastAt: EngineInstant?
  /// Seconds of movement since the last fix, at most.
  private(set) var moving = 0.0
  private var events = 0
  /// Events in a row without a pause, and the longest such run since the last fix.
  private(set) var run = 0
  private var longestRun = 0
  /// Runs since the last fix.
  private(set) var stirs = 0
  /// When a move was last seen that the sensor had not felt.
  private(set) var deafAt: EngineInstant?

  /// Seconds for which a sensor that missed a move is not trusted to feel rest [ours].
  static let distrusted = 3_600.0
  /// Metres per second above which a move does not fit the time that was felt: a runner's.
  static let fits = 4.0
  /// Metres per second above which it does not go unfelt at all: sensors feel a vehicle.
  static let unfelt = 2.0

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

  /// Whether its silence means nothing at the moment.
  func isDeaf(at now: EngineInstant) -> Bool {
    deafAt.map { EngineInstant.seconds(from: $0, to: now) < Self.distrusted } ?? false
  }

  /// A fix lies `metres` (net of noise) from the last one, `seconds` ago; answers for how many of them
  /// the device moved. `fastest`: metres per second that it was seen to make lately.
  mutating func explain(
    _ metres: Double, in seconds: Double, fastest: Double, at now: EngineInstant
  ) -> Double {
    let felt = min(seconds, max(15, moving))
    guard metres > Whereabouts.leastMove, metres > felt * max(Self.fits, fastest),
      metres < seconds * Self.unfelt
    else { return isDeaf(at: now) ? seconds : felt }
    deafAt = now
    return seconds
  }

  /// A fix says where the device is: what was before no longer matters.
  mutating func forget() { (moving, events, longestRun, stirs) = (0, 0, 0, 0) }

  /// Whether it has now fired twice since the last fix.
  var isSecondEvent: Bool { events == 2 }
}
