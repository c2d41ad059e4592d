// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel
import RadioPower
import RadioWorld

/// Keeps the meter told of every change of radio and processor, once each.
struct RadioDesk: Sendable {
  private(set) var meter: EnergyMeter
  /// All activity so far, where it is kept.
  private(set) var log: [Activity] = []
  private let keepsLog: Bool
  /// Whether a tracking receiver works harder where the device is.
  var isSkyPoor: Bool
  private var gnss = Activity.GNSSState.off
  private var soc = Activity.SoCState.suspended
  private var hasMotion = false

  init(options: ReplayOptions, keepsLog: Bool) {
    meter = EnergyMeter(device: options.device, network: options.network)
    self.keepsLog = keepsLog
    isSkyPoor = options.environment == .indoors
  }

  mutating func record(_ event: Activity.Event, at now: EngineInstant) {
    let activity = Activity(at: now, event)
    meter.record(activity)
    if keepsLog { log.append(activity) }
  }

  /// Records the receiver's state where it changed; answers the new one.
  mutating func receiver(_ phase: Receiver.Phase, at now: EngineInstant) -> Activity.Event? {
    let state: Activity.GNSSState =
      switch phase {
      case .off: .off
      case .acquiring(.cold, _, _): .acquireCold
      case .acquiring(.warm, _, _): .acquireWarm
      case .acquiring(.hot, _, _), .searching: .acquireHot
      case .acquiring(.assisted, _, _): .acquireAssisted
      case .tracking: isSkyPoor ? .trackPoor : .trackGood
      }
    guard state != gnss else { return nil }
    gnss = state
    record(.gnss(state), at: now)
    return .gnss(state)
  }

  /// Records the processor's state where it changed; answers the new one.
  mutating func processor(isAwake: Bool, at now: EngineInstant) -> Activity.Event? {
    let state: Activity.SoCState = isAwake ? .awakeIdle : .suspended
    guard state != soc else { return nil }
    soc = state
    record(.soc(state), at: now)
    return .soc(state)
  }

  /// Records whether the motion sensor is armed, where that changed.
  mutating func listens(to triggers: Triggers, at now: EngineInstant) {
    guard triggers.contains(.motion) != hasMotion else { return }
    hasMotion = triggers.contains(.motion)
    record(.motionSensor(hasMotion), at: now)
  }

  mutating func finish(at now: EngineInstant) {
    if keepsLog { log.append(Activity(at: now, .end)) }
    meter.finish(at: now)
  }

  /// Hands the kept log out and forgets it, so that memory stays bounded.
  mutating func drainLog() -> [Activity] {
    defer { log.removeAll(keepingCapacity: true) }
    return log
  }
}
