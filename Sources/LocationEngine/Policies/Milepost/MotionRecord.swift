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
// A slow walk is felt in parts, or not at all, and there silence means nothing. Between two fixes somebody on
// foot needed at least the way over the pace (`walked`); the share of it that was felt is the *hearing*:
//
//     trusted ──a leg of which less was felt: half of the way down──► patchy (below 90 %)
//        ▲                                                              │
//        └── legs of which more was felt: a fifth of the way up; ───────┘
//            rests in which nothing was: half of the way up
//
// While the hearing is patchy a rest is told from the fixes alone, as without a sensor, and a pause is no
// change of vehicle. What nobody could have walked (`unfelt`) says nothing of it: vehicles are felt.

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
  /// Metres per second above which a leg does not go unfelt: sensors feel a vehicle.
  static let unfelt = 2.0
  /// Seconds on foot, and of a rest, that tell something of the sensor [ours: three windows, two polls].
  static let telling = (walk: 45.0, rest: 600.0)
  /// Shares of a new leg in the hearing, if less was felt of it than before, if more, and of a rest in which
  /// nothing was felt [ours].
  static let rate = (doubt: 0.5, trust: 0.2, rest: 0.5)
  /// The hearing below which silence means no rest [ours: nine windows of ten].
  static let patchy = 0.9

  private(set) var lastAt: EngineInstant?
  /// Seconds of movement since the last fix, at most.
  private(set) var moving = 0.0
  private var events = 0
  /// Events in a row without a pause, and the longest such run since the last fix.
  private(set) var run = 0
  private var longestRun = 0
  /// Runs since the last fix.
  private(set) var stirs = 0
  /// The share of a way on foot that it feels, as legs lately had it, 0 to 1.
  private(set) var hearing = 1.0

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

  /// Whether it feels walking in parts only, so that its silence means nothing.
  var isPatchy: Bool { hearing < Self.patchy }

  /// Whether all that it felt since the last fix were single events.
  var hasOnlyStirred: Bool { stirs > 0 && longestRun <= 1 && run <= 1 }

  /// Whether all that it felt since the last fix were single events, and the last one is over: a phone
  /// that is picked up, a few steps in a room.
  func isStirOver(at now: EngineInstant) -> Bool {
    stirs > 0 && longestRun <= 1 && (silence(at: now) ?? 0) > Self.window + 1
  }

  /// A fix lies `metres` (net of noise) from the last one, `seconds` ago; answers for how many of them
  /// the device moved. `fastest`: metres per second that it was seen to make.
  mutating func explain(_ metres: Double, in seconds: Double, fastest: Double) -> Double {
    let walked = min(seconds, metres / max(fastest, Self.pace))
    if metres <= Whereabouts.leastMove {
      if moving == 0, seconds >= Self.telling.rest { hear(1, rate: Self.rate.rest) }
    } else if walked >= Self.telling.walk, metres < seconds * Self.unfelt {
      // The last window is not over yet.
      let share = min(1, (moving + Self.window) / walked)
      hear(share, rate: share < hearing ? Self.rate.doubt : Self.rate.trust)
    }
    return max(walked, min(seconds, max(Self.window, moving)))
  }

  private mutating func hear(_ share: Double, rate: Double) { hearing += rate * (share - hearing) }

  /// A fix says where the device is: what was before no longer matters.
  mutating func forget() { (moving, events, longestRun, stirs) = (0, 0, 0, 0) }

  /// Whether it has now fired twice since the last fix.
  var isSecondEvent: Bool { events == 2 }
}
