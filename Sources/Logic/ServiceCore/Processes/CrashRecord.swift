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
// A crash is an ending without an order, with a status other than 0 or by a signal, or a start that failed. The end of
// a suspended app by SIGKILL is none: it ran no code, and was purged.
// A changed `limit` counts from the next crash on. An app that has run well for 10 min starts again with a
// pause of 1 s. While it pauses or is held nothing launches it; its deliveries wait in its outbox. Its crashes, and
// whether it is held, are stored: a restart of the service releases nothing.

/// The recent crashes of a process, and the consequence of one more.
struct CrashRecord: Sendable, Equatable {
  /// Seconds over which crashes are counted [ours].
  static let span = 600.0
  /// The pauses after failures in a row, seconds [ours].
  static let pauses = Backoff(first: 1, longest: 60)

  /// The crashes of the last `span`, as far as evaluated.
  private(set) var crashes: [EngineInstant] = []

  init(_ crashes: [EngineInstant] = []) { self.crashes = crashes }

  /// Counts one more; returns the pause in seconds, `nil` if the app is held.
  mutating func crashed(at now: EngineInstant, limit: Int) -> Double? {
    crashes.removeAll { EngineInstant.seconds(from: $0, to: now) > Self.span }
    crashes.append(now)
    return crashes.count >= limit ? nil : Self.pauses.wait(after: crashes.count)
  }

  /// Clears the crashes: the user launches the app, or allows it to be launched again.
  mutating func release() { crashes = [] }
}
