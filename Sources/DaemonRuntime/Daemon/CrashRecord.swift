// SPDX-License-Identifier: Apache-2.0

import LocationModel

// Theory
// ======
//
//            crash: pause 1, 2, 4, … 60 s             `limit` crashes within 10 min
//   well ──────────────────────────────► pausing ────────────────────────────────► held
//    ▲            relaunch when the pause is over                                     │
//    └──────────────────────────────── released by the user ◄────────────────────────┘
//
// A crash is an end that nobody asked for, with a status other than 0 or by a signal, or a start that
// failed. A `limit` that is changed counts from the next crash on. An app that has run well for 10 min starts again with a pause of 1 s. While it pauses or is
// held nothing launches it; what was decided for it waits in its outbox.

/// How often a process has crashed of late, and when it may be launched again.
struct CrashRecord: Sendable, Equatable {
  /// Seconds over which crashes are counted [ours].
  static let span = 600.0
  /// Seconds of the longest pause [ours].
  static let longestPause = 60.0

  /// Crashes within `span` after which it is held.
  var limit: Int
  private(set) var crashes: [EngineInstant] = []
  private(set) var isHeld = false
  /// When the pause after the last crash is over; `nil` where there is none.
  private(set) var relaunchAt: EngineInstant?

  init(limit: Int) { self.limit = limit }

  var mayLaunch: Bool { !isHeld && relaunchAt == nil }

  mutating func crashed(at now: EngineInstant) {
    crashes.removeAll { EngineInstant.seconds(from: $0, to: now) > Self.span }
    crashes.append(now)
    if crashes.count >= limit {
      isHeld = true
      relaunchAt = nil
    } else {
      let pause = min(Double(1 << min(crashes.count - 1, 6)), Self.longestPause)
      relaunchAt = now.advanced(bySeconds: pause)
    }
  }

  /// It could not be launched, through no fault of its own.
  mutating func pause(until instant: EngineInstant) {
    if !isHeld { relaunchAt = instant }
  }

  /// Ends the pause if it is over; `true` where the app is to be launched now.
  mutating func mayRelaunch(at now: EngineInstant) -> Bool {
    guard let relaunchAt, relaunchAt <= now else { return false }
    self.relaunchAt = nil
    return true
  }

  /// The user launches it, or says that it may be launched again.
  mutating func release() {
    crashes = []
    isHeld = false
    relaunchAt = nil
  }
}
