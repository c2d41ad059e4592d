// SPDX-License-Identifier: Apache-2.0

import LocationModel

// Theory
// ======
//
// The engine's state and the energy are written when they matter: after a change of plan, life or anchor, else every 30
// s at most, and only with other activity.
//
// The state of one app is written in 0.1 ms, that of a thousand in 0.1 s; so that it never takes more than a twentieth
// of the time, the next one waits twenty times as long as the last one took. One that no change needs takes no more than
// a ten-thousandth of the time, but comes after 5 minutes: a kill loses that much of the account of energy. Rows that must not be lost (deliveries,
// acknowledgements) do not wait: even from an older state the engine continues with the right numbers. An event that
// moves an anchor is always written with it, since the next one is measured from there.

/// Decides when the engine's state is part of a change.
struct Checkpoint: Sendable, Equatable {
  /// The importance of the next one.
  private enum Need: Int, Sendable, Comparable {
    case none, soon, atOnce

    static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
  }

  /// Seconds after which it is written with the next change even without a need, by the cost of the last one [ours].
  private static let intervals = 30.0...300.0
  /// The interval as a multiple of the last one's duration [ours].
  private static let rest = 10_000.0
  /// The wait of the next one as a multiple of the last one's duration [ours].
  private static let pause = 20.0

  private var need = Need.none
  private var last: EngineInstant
  private var interval = Self.intervals.lowerBound
  private var allowedAt = EngineInstant.zero

  init(at now: EngineInstant) { last = now }

  mutating func need(_ isUrgent: Bool) { need = max(need, isUrgent ? .atOnce : .soon) }

  func isDue(at now: EngineInstant) -> Bool {
    switch need {
    case .atOnce: true
    case .soon: allowedAt <= now
    case .none:
      allowedAt <= now && EngineInstant.seconds(from: last, to: now) >= interval
    }
  }

  /// The time at which it becomes due by time alone; `nil` if it is not needed.
  var deadline: EngineInstant? { need == .none ? nil : allowedAt }

  mutating func begin(at now: EngineInstant) {
    need = .none
    last = now
  }

  /// Notes that a change was written within `seconds`.
  mutating func took(_ seconds: Double, hadSnapshot: Bool, at now: EngineInstant) {
    guard hadSnapshot else { return }
    allowedAt = now.advanced(bySeconds: Self.pause * seconds)
    interval = min(
      max(Self.rest * seconds, Self.intervals.lowerBound), Self.intervals.upperBound)
  }
}
