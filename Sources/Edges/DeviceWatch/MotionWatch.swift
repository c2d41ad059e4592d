// SPDX-License-Identifier: Apache-2.0

// Theory
// ======
//
// When to listen to an accelerometer, and what of it is told. A sensor that tells, wakes nobody while it is still; once
// it has told, it is not heard for the rest of its window, since a car shakes it many times a second:
//
//             armed                    event: told
//       off ─────────► listening ─────────────────────► deaf(until)
//        ▲                 ▲                                 │ time: what came meanwhile is told at once
//        └── disarmed ─────┴─────────────────────────────────┘
//
// One that is read wakes the machine once in its period, and only while armed:
//
//             armed                    time: reads, told if it moves
//       off ─────────► reading(next) ─────────────────────────────────► reading(next)

/// When to listen to a motion sensor.
struct MotionWatch: Sendable, Equatable {
  enum State: Sendable, Equatable {
    case off
    case listening
    /// Events wait until then.
    case deaf(until: Double)
    /// It is read next then.
    case reading(next: Double)
  }

  /// Seconds of the window of a sensor that tells: as on phones (MotionSensing.usual).
  static let window = 10.0

  private(set) var state = State.off
  /// Seconds between readings; `nil` for one that tells.
  private let every: Double?

  init(every: Double?) { self.every = every }

  /// The instant at which time alone changes something; `nil` if nothing will.
  var deadline: Double? {
    switch state {
    case .off, .listening: nil
    case .deaf(let until): until
    case .reading(let next): next
    }
  }

  /// Motion is wanted, or no longer; returns whether that is new.
  mutating func arm(_ isOn: Bool, at now: Double) -> Bool {
    guard isOn == (state == .off) else { return false }
    state = isOn ? every.map { .reading(next: now + $0) } ?? .listening : .off
    return true
  }

  /// Events came; returns whether motion is told.
  mutating func stirred(at now: Double) -> Bool {
    guard state == .listening else { return false }
    state = .deaf(until: now + Self.window)
    return true
  }

  /// Time has passed; returns whether the sensor is read now.
  mutating func passed(to now: Double) -> Bool {
    switch state {
    case .deaf(let until) where until <= now: state = .listening
    case .reading(let next) where next <= now:
      state = every.map { .reading(next: now + $0) } ?? .off
      return true
    case .off, .listening, .deaf, .reading: break
    }
    return false
  }
}
