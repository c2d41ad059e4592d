// SPDX-License-Identifier: Apache-2.0

package import LocationModel
import ServiceContract

// Theory
// ======
//
// gpsd does not report that a receiver has fallen silent (a cut cable, an ended feed). So silence is detected here,
// once each time:
//
//            watch begins             `least`, or 3 times the longest pause
//   unasked ─────────────► listening ───────────────────────────────────────► silent
//      ▲                    │  ▲  ▲ │ report                                   │  │
//      │                    │  │  └─┘                report                    │  │
//      └──── watch ends ────┘  └───────────────────────────────────────────────┘  │
//      └──────────────────────────────── watch ends ──────────────────────────────┘
//
// A receiver that reports every 20 s is called silent once, and then its pauses are known. A pause counts
// for at most a minute, so that after hours without a receiver the next loss is noticed within three.

/// Notices that no receiver has reported for a while.
package struct ReportSilence: Sendable, Equatable {
  /// Seconds without a report that do not count as silence yet: 10 for somebody who looks on.
  private let least: Double
  /// The factor of the longest pause.
  static let pauses = 3.0
  /// The limit at which a pause counts, seconds.
  static let longestPause = 60.0

  /// The last report, or the start of the watch; `nil` without a watch.
  private var last: EngineInstant?
  private var hasReport = false
  private var pause = 0.0
  package private(set) var isSilent = false

  package init(least: Double = 10) { self.least = least }

  /// The instant when silence begins; `nil` during silence, and without a watch.
  package var deadline: EngineInstant? {
    guard !isSilent else { return nil }
    return last?.advanced(bySeconds: max(least, Self.pauses * pause))
  }

  /// Whether reports are expected.
  package var isListening: Bool { last != nil }

  package mutating func began(at now: EngineInstant) {
    (last, hasReport, isSilent) = (now, false, false)
  }

  package mutating func ended() { (last, hasReport, isSilent) = (nil, false, false) }

  /// Notes a report; returns whether it ends a silence.
  package mutating func heard(at now: EngineInstant) -> Bool {
    if hasReport, let last {
      pause = max(pause, min(Self.longestPause, EngineInstant.seconds(from: last, to: now)))
    }
    defer { (last, hasReport, isSilent) = (now, true, false) }
    return isSilent
  }

  /// Notes the time; returns the seconds without a report if they have become a silence.
  package mutating func passed(to now: EngineInstant) -> Double? {
    guard let deadline, deadline <= now, let last else { return nil }
    isSilent = true
    return EngineInstant.seconds(from: last, to: now)
  }
}
