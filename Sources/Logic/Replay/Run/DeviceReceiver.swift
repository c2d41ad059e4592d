// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel
import RadioPower

/// The receiver of a run's device: as its service commands it, as the sky allows, and what meter and service were last
/// told of it.
struct DeviceReceiver: Sendable {
  private var receiver: SimulatedReceiver
  /// The state that the meter was told.
  private var metered = Activity.GNSSState.off
  /// The latest report on satellites to the service in this session.
  private var signal: Bool?
  /// Whether a tracking receiver works harder at this place.
  private var isSkyPoor: Bool
  /// Whether the latest session began in a gap and is not counted.
  private var beganInGap = false

  init(_ options: ReplayOptions) {
    receiver = options.receiver
    isSkyPoor = options.environment == .indoors
  }

  @inline(__always)
  var phase: SimulatedReceiver.Phase { receiver.phase }
  @inline(__always)
  var isInUse: Bool { receiver.isInUse }
  /// The time at which the radio that it shares is free again; `nil` if it is.
  @inline(__always)
  var blockedUntil: EngineInstant? { receiver.blockedUntil }

  /// The receiver for a policy that shares no radio.
  var unblocked: SimulatedReceiver {
    var own = receiver
    own.block(until: nil)
    return own
  }

  /// Whether it is off, and the meter knows.
  @inline(__always)
  var isQuietlyOff: Bool {
    if case .off = receiver.phase, case .off = metered { signal == nil } else { false }
  }

  /// Whether it reports a fix each second, and nobody waits to hear more of it.
  @inline(__always)
  var isQuietlyTracking: Bool {
    guard case .tracking = receiver.phase else { return false }
    return receiver.isInUse && receiver.blockedUntil == nil && signal == nil
  }

  /// Follows the service's plan. `counters` take sessions, and searches in vain; `stands`: the device does.
  mutating func follow(
    plan: ReceiverPlan, at now: EngineInstant, isInGap: Bool, stands: Bool,
    _ counters: inout Counters
  ) {
    if plan.isOn {
      if receiver.phase == .off {
        beganInGap = isInGap
        if !isInGap { counters.countSession(stands: stands) }
      }
      receiver.switchOn(at: now)
    } else {
      if receiver.isInUse && receiver.isAcquiring { counters.failedAcquisitions += 1 }
      receiver.switchOff(at: now)
      signal = nil
    }
  }

  /// Ends a gap: its position is lost, and a session that began in it counts.
  mutating func endGap(at now: EngineInstant, stands: Bool, _ counters: inout Counters) {
    if beganInGap, receiver.isInUse {
      beganInGap = false
      counters.countSession(stands: stands)
    }
    receiver.lostTrack(at: now)
  }

  /// Comes to another environment.
  mutating func enter(_ environment: Environment, at now: EngineInstant) {
    receiver.enter(environment, at: now)
    isSkyPoor = environment == .indoors
  }

  /// Makes it wait until the shared radio is free; `nil` is now.
  mutating func block(until instant: EngineInstant?) { receiver.block(until: instant) }

  /// Advances by a second; returns whether it has a fix, and whether that is the first of a search.
  @inline(__always)
  mutating func tick(hasSky: Bool, at now: EngineInstant) -> (hasFix: Bool, isAcquired: Bool) {
    let wasAcquiring = receiver.isAcquiring
    let hasFix = receiver.tick(hasSky: hasSky, at: now)
    return (hasFix, hasFix && wasAcquiring)
  }

  /// Its state, if it is not the one that the meter was told last.
  @inline(__always)
  mutating func change() -> Activity.GNSSState? {
    // The usual case.
    if case .off = receiver.phase, case .off = metered { return nil }
    let state = receiver.state(isSkyPoor: isSkyPoor)
    guard state != metered else { return nil }
    metered = state
    return state
  }

  /// Whether it hears satellites, if the service was not told so last.
  @inline(__always)
  mutating func changedSignal(hasSky: Bool) -> Bool? {
    let heard = receiver.hears(hasSky: hasSky)
    guard heard != signal else { return nil }
    signal = heard
    return heard
  }
}

extension Counters {
  /// Counts a session that begins; `stands`: the device does.
  fileprivate mutating func countSession(stands: Bool) {
    sessions += 1
    if !stands { movingSessions += 1 }
  }
}
