// SPDX-License-Identifier: Apache-2.0

package import LocationEngine
package import RadioPower

// Policies, fitted to a device.

extension SignificantPolicy {
  /// The default policy of a device: as measured on phones if cells reach the processor, else sessions of its receiver.
  /// `seed` is for its draws.
  package static func usual(for device: DeviceProfile, seed: UInt64 = 1) -> SignificantPolicy {
    named(usualName(for: device), for: device, seed: seed)
      ?? .receiver(timeout: device.acquisitionTimeout.nominal)
  }

  /// Its name.
  package static func usualName(for device: DeviceProfile) -> String {
    if device.platform == .phone, device.system.isAndroid { return PolicyKind.android[0].name }
    return device.cellEvents == .none ? "receiver" : "ios-field"
  }

  /// The policy of a name, fitted to a device; `nil` if that is impossible.
  ///
  /// `seed` is for policies that draw. The device determines the receiver's expected TTFF and, unless `senses` does,
  /// the hints; `receiverHold` is the seconds for which the receiver goes on after it was switched off.
  package static func named(
    _ text: String, for device: DeviceProfile, seed: UInt64 = 1, receiverHold: Double = 0,
    senses: Senses? = nil
  ) -> SignificantPolicy? {
    (try? PolicyRequest(text))?.policy(
      for: device, seed: seed, receiverHold: receiverHold, senses: senses)
  }
}

extension PolicyRequest {
  /// The requested policy, fitted to a device as by its name.
  package func policy(
    for device: DeviceProfile, seed: UInt64 = 1, receiverHold: Double = 0, senses: Senses? = nil
  ) -> SignificantPolicy? {
    // The carrying environment is unknown; the table's middle row is the initial expectation.
    let start = device.starts.usual
    let seconds = device.timeToFirstFix(start: start, environment: .pocket).mean
    var settings = PolicySettings(
      name: kind.name, senses: senses ?? device.senses, seed: seed,
      timeout: device.acquisitionTimeout.nominal, hotStart: seconds, receiverHold: receiverHold)
    settings.isAssisted = device.starts.later == .assistance ? true : nil
    settings.interval = interval
    settings.motion = device.motionSensing
    settings.lookEnergy = device.lookEnergy(start: start, seconds: seconds)
    // A machine that runs the service has no source of network positions: not live, and so not in a replay.
    if senses == nil, device.platform != .linux { settings.networkEnergy = device.networkEnergy }
    return settings.policy
  }
}

extension DeviceProfile {
  /// The figures of its motion sensor, as the profile states them; `nil` without one.
  package var motionSensing: MotionSensing? {
    guard let motion else { return nil }
    return MotionSensing(
      window: motion.window.nominal, steps: motion.steps.nominal, ride: motion.ride.nominal,
      smooth: motion.smooth.nominal, falseAlarms: motion.falseAlarms.nominal)
  }

  /// Whether an app on it can have a policy. The system of a phone offers only its measured policy; where the program
  /// decides, policies that ask a phone's network are unavailable.
  package func offers(_ policy: SignificantPolicy?) -> Bool {
    guard let policy else { return true }
    return platform == .phone
      ? policy.kind.system?.isAndroid == system.isAndroid : policy.kind.positions == .receiver
  }

  /// The phone's system.
  package var system: PhoneSystem {
    switch phoneSystem {
    case .ios: .iOS
    case .android6: .android6
    case .android: .android
    }
  }

  /// The hints that it gives.
  fileprivate var senses: Senses {
    var senses: Senses = hasMotionSensor ? .motion : []
    if cellEvents != .none { senses.insert(.cells) }
    return senses
  }
}
