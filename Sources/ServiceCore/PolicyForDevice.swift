// SPDX-License-Identifier: Apache-2.0

package import LocationEngine
package import RadioPower

// Policies, fitted to a device.

extension SignificantPolicy {
  /// The policy that a device has by itself: what phones were measured to give where cells reach the
  /// processor, else sessions of its receiver. `seed` is for what it draws.
  package static func usual(for device: DeviceProfile, seed: UInt64 = 1) -> SignificantPolicy {
    named(usualName(for: device), for: device, seed: seed)
      ?? .receiver(timeout: device.acquisitionTimeout.nominal)
  }

  /// Its name.
  package static func usualName(for device: DeviceProfile) -> String {
    device.cellEvents == .none ? "receiver" : "ios-field"
  }

  /// The policy of a name, fitted to a device; `nil` for one that cannot be.
  ///
  /// `seed` is for policies that draw. The device says what the receiver is expected to take and, unless
  /// `senses` does, which hints it gives; `receiverHold` for how many seconds the receiver goes on after it
  /// was switched off.
  package static func named(
    _ text: String, for device: DeviceProfile, seed: UInt64 = 1, receiverHold: Double = 0,
    senses: Senses? = nil
  ) -> SignificantPolicy? {
    (try? PolicyRequest(text))?.policy(
      for: device, seed: seed, receiverHold: receiverHold, senses: senses)
  }
}

extension PolicyRequest {
  /// The policy that was asked for, fitted to a device as by its name.
  package func policy(
    for device: DeviceProfile, seed: UInt64 = 1, receiverHold: Double = 0, senses: Senses? = nil
  ) -> SignificantPolicy? {
    // Nobody knows where the device is carried; the table's middle row is what is expected at first.
    let hotStart = device.timeToFirstFix(start: .hot, environment: .pocket).mean
    var settings = PolicySettings(
      name: kind.name, senses: senses ?? device.senses, seed: seed,
      timeout: device.acquisitionTimeout.nominal, hotStart: hotStart, receiverHold: receiverHold)
    settings.interval = interval
    settings.motion = device.motionSensing
    settings.lookEnergy = device.lookEnergy(start: .hot, seconds: hotStart)
    return settings.policy
  }
}

extension DeviceProfile {
  /// The reach of its motion sensor, as the profile states it; `nil` without one.
  package var motionSensing: MotionSensing? {
    guard let motion else { return nil }
    return MotionSensing(
      window: motion.window.nominal, steps: motion.steps.nominal, ride: motion.ride.nominal,
      smooth: motion.smooth.nominal, falseAlarms: motion.falseAlarms.nominal)
  }

  /// Whether an app on it can have a policy. The system of a phone gives what phones were measured to give, and
  /// no other one; where the program decides, what asks a phone's network is not to be had.
  package func offers(_ policy: SignificantPolicy?) -> Bool {
    guard let policy else { return true }
    return platform == .phone ? policy.kind.isPhones : policy.kind.positions == .receiver
  }

  /// The hints that it gives.
  fileprivate var senses: Senses {
    var senses: Senses = hasMotionSensor ? .motion : []
    if cellEvents != .none { senses.insert(.cells) }
    return senses
  }
}
