// SPDX-License-Identifier: Apache-2.0

import LocationModel

// Theory
// ======
//
// What Google's activity recognition tells apps of: that the phone moves, and that it is still. Which activity it is, a
// walk or a vehicle, is not told apart.
//
//            the motion sensor fires
//   still ─────────────────────────────► moving          told at once: the sensor's window is the delay
//     ▲                                    │
//     └──── no motion for 60 s ────────────┘              told then
//
// The Nexus phones of MobilityNet told a start 11 s after it, in the middle (16 of 16), and a stop after 60 s
// (p10 23, p90 209 s, n 32), while they tracked. At rest nothing was measured.

/// Whether the phone moves, for apps that asked for changes of activity.
struct ActivityRecognition: Sendable {
  /// Seconds without motion after which the phone counts as still [field: MobilityNet].
  static let stillAfter = 60.0

  /// When it will count as still; `nil` if it does.
  private(set) var nextDeadline: EngineInstant?

  /// Takes a motion; returns whether the phone moves if that is news.
  mutating func moved(at now: EngineInstant) -> Bool? {
    let isNews = nextDeadline == nil
    nextDeadline = now.advanced(bySeconds: Self.stillAfter)
    return isNews ? true : nil
  }

  /// Lets time pass; returns `false` if the phone is still now and that is news.
  mutating func pass(to now: EngineInstant) -> Bool? {
    guard let due = nextDeadline, due <= now else { return nil }
    nextDeadline = nil
    return false
  }
}
