// SPDX-License-Identifier: Apache-2.0

package import LocationModel

// Theory
// ======
//
// What the phone does while nobody uses it: AOSP's `DeviceIdleController`, whose default numbers are used.
//
//   in use ◄──── screen on, or charging ──── (any)
//     │ screen off, on battery
//     ▼
//   waiting: 30 min ──► watching for motion: 30 min ──► deep: 60 min ⇄ window: 5 min
//     ▲  10 min after a motion   │                        │   each twice as long as the one before,
//     └──────────────────────────┴──────── motion ────────┘   360 min and 10 min at most
//
//   beside waiting and watching, by release:
//   awake: 1 to 5 min ──► light: 5 min ⇄ window: 1 min     each light one twice as long as the one before, 15 min at most
//
// Rules
// - *Light*: jobs and the network wait for the window; alarms do not. Motion does not end it, so it is also there on a
//   walk with the phone in a pocket.
// - *Deep*: jobs, alarms, Wi-Fi scans and wake locks wait for the window; only alarms for idle times go off, of each app
//   one in 9 min. Motion ends it.
// - Motion in the first 30 min after the screen went off is not looked at: deep Doze comes an hour after the screen went
//   off, or 40 min after the latest motion.
//
// Simplifications: the minutes in which AOSP senses (4 min at most) and locates (30 s) before deep Doze are left out, and
// a window lasts as long as it is opened for, not as long as there is work.

/// How deep the phone sleeps.
package enum DozeMode: String, Sendable, Hashable, CaseIterable {
  case awake
  case light
  case deep
}

/// The Doze of a phone.
package struct Doze: Sendable, Hashable, Codable {
  private let lightAfter: Double?
  private var isScreenOn: Bool
  private var isCharging: Bool
  private var phase = Phase.inUse

  private enum Phase: Sendable, Hashable, Codable {
    case inUse
    /// Not in use; motion is not looked at until then.
    case waiting(until: EngineInstant, Light)
    /// Deep Doze begins then, unless the phone moves.
    case watching(until: EngineInstant, Light)
    case deep(Turn)
    case deepWindow(Turn)
  }

  private enum Light: Sendable, Hashable, Codable {
    case never
    case awake(until: EngineInstant)
    case idle(Turn)
    case window(Turn)
  }

  /// A part of a cycle: its end, and the seconds of the ones that follow.
  private struct Turn: Sendable, Hashable, Codable {
    var until: EngineInstant
    var idle: Double
    var window: Double
  }

  // AOSP `DeviceIdleController`: INACTIVE_TIMEOUT, IDLE_AFTER_INACTIVE_TIMEOUT, MOTION_INACTIVE_TIMEOUT.
  package static let inactive = 1_800.0
  package static let watched = 1_800.0
  package static let afterMotion = 600.0
  // IDLE_TIMEOUT, MAX_IDLE_TIMEOUT, IDLE_PENDING_TIMEOUT, MAX_IDLE_PENDING_TIMEOUT; both factors are 2.
  package static let deepIdle = 3_600.0
  package static let longestDeepIdle = 21_600.0
  package static let deepWindow = 300.0
  package static let longestDeepWindow = 600.0
  // LIGHT_IDLE_TIMEOUT, LIGHT_MAX_IDLE_TIMEOUT, LIGHT_IDLE_MAINTENANCE_MIN_BUDGET; the factor is 2.
  package static let lightIdle = 300.0
  package static let longestLightIdle = 900.0
  package static let lightWindow = 60.0

  /// A phone in its user's hand.
  package init(release: AndroidRelease) {
    lightAfter = release.lightDozeAfter
    (isScreenOn, isCharging) = (true, false)
  }

  package var isScreenOff: Bool { !isScreenOn }
  package var isOnBattery: Bool { !isCharging }

  package var mode: DozeMode {
    switch phase {
    case .inUse, .deepWindow: .awake
    case .deep: .deep
    case .waiting(_, let light), .watching(_, let light):
      if case .idle = light { .light } else { .awake }
    }
  }

  /// The instant at which time alone will change something.
  package var nextDeadline: EngineInstant? {
    switch phase {
    case .inUse: nil
    case .waiting(let until, let light), .watching(let until, let light):
      .earlier(until, deadline(of: light))
    case .deep(let turn), .deepWindow(let turn): turn.until
    }
  }

  private func deadline(of light: Light) -> EngineInstant? {
    switch light {
    case .never: nil
    case .awake(let until): until
    case .idle(let turn), .window(let turn): turn.until
    }
  }

  // MARK: What it hears

  package mutating func screen(isOn: Bool, at now: EngineInstant) {
    isScreenOn = isOn
    useChanged(at: now)
  }

  package mutating func charging(_ isCharging: Bool, at now: EngineInstant) {
    self.isCharging = isCharging
    useChanged(at: now)
  }

  /// The phone moves.
  package mutating func moved(at now: EngineInstant) {
    let until = now.advanced(bySeconds: Self.afterMotion)
    switch phase {
    case .inUse, .waiting: break
    case .watching(_, let light): phase = .waiting(until: until, light)
    case .deep, .deepWindow: phase = .waiting(until: until, beginLight(at: now))
    }
  }

  /// Enters a mode at once, as `dumpsys deviceidle force-idle` does; the phone is on battery with its screen off.
  package mutating func force(_ mode: DozeMode, at now: EngineInstant) {
    (isScreenOn, isCharging) = (mode == .awake, false)
    switch mode {
    case .awake: phase = .inUse
    case .light:
      guard lightAfter != nil else { return useChanged(at: now) }
      phase = .waiting(until: now.advanced(bySeconds: Self.inactive), firstLightIdle(at: now))
    case .deep: phase = .deep(firstDeepIdle(at: now))
    }
  }

  private mutating func useChanged(at now: EngineInstant) {
    if isScreenOn || isCharging {
      phase = .inUse
    } else if phase == .inUse {
      phase = .waiting(until: now.advanced(bySeconds: Self.inactive), beginLight(at: now))
    }
  }

  // MARK: Time

  package mutating func pass(to now: EngineInstant) {
    switch phase {
    case .inUse: break
    case .waiting(let until, var light):
      advance(&light, to: now)
      let watchedUntil = now.advanced(bySeconds: Self.watched)
      phase = until <= now ? .watching(until: watchedUntil, light) : .waiting(until: until, light)
    case .watching(let until, var light):
      advance(&light, to: now)
      phase = until <= now ? .deep(firstDeepIdle(at: now)) : .watching(until: until, light)
    case .deep(var turn):
      guard turn.until <= now else { return }
      turn.until = now.advanced(bySeconds: turn.window)
      turn.window = min(2 * turn.window, Self.longestDeepWindow)
      phase = .deepWindow(turn)
    case .deepWindow(var turn):
      guard turn.until <= now else { return }
      turn.until = now.advanced(bySeconds: turn.idle)
      turn.idle = min(2 * turn.idle, Self.longestDeepIdle)
      phase = .deep(turn)
    }
  }

  private func advance(_ light: inout Light, to now: EngineInstant) {
    switch light {
    case .never: break
    case .awake(let until): if until <= now { light = firstLightIdle(at: now) }
    case .idle(var turn):
      guard turn.until <= now else { return }
      turn.until = now.advanced(bySeconds: turn.window)
      light = .window(turn)
    case .window(var turn):
      guard turn.until <= now else { return }
      turn.until = now.advanced(bySeconds: turn.idle)
      turn.idle = min(2 * turn.idle, Self.longestLightIdle)
      light = .idle(turn)
    }
  }

  private func beginLight(at now: EngineInstant) -> Light {
    lightAfter.map { .awake(until: now.advanced(bySeconds: $0)) } ?? .never
  }

  private func firstLightIdle(at now: EngineInstant) -> Light {
    .idle(
      Turn(
        until: now.advanced(bySeconds: Self.lightIdle), idle: 2 * Self.lightIdle,
        window: Self.lightWindow))
  }

  private func firstDeepIdle(at now: EngineInstant) -> Turn {
    Turn(
      until: now.advanced(bySeconds: Self.deepIdle), idle: 2 * Self.deepIdle,
      window: Self.deepWindow)
  }

  /// The same, with all instants counted from one, so that two that differ in time alone are equal.
  package func relative(to now: EngineInstant) -> Self {
    func moved(_ instant: EngineInstant) -> EngineInstant {
      EngineInstant(microseconds: instant.microseconds - now.microseconds)
    }
    func moved(_ turn: Turn) -> Turn {
      Turn(until: moved(turn.until), idle: turn.idle, window: turn.window)
    }
    func moved(_ light: Light) -> Light {
      switch light {
      case .never: .never
      case .awake(let until): .awake(until: moved(until))
      case .idle(let turn): .idle(moved(turn))
      case .window(let turn): .window(moved(turn))
      }
    }
    var copy = self
    switch phase {
    case .inUse: break
    case .waiting(let until, let light): copy.phase = .waiting(until: moved(until), moved(light))
    case .watching(let until, let light): copy.phase = .watching(until: moved(until), moved(light))
    case .deep(let turn): copy.phase = .deep(moved(turn))
    case .deepWindow(let turn): copy.phase = .deepWindow(moved(turn))
    }
    return copy
  }
}
