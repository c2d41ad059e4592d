// SPDX-License-Identifier: Apache-2.0

package import LocationEngine
package import LocationModel
package import RadioPower

/// One life of one app over a trace: a row of the comparison.
package struct RunPlan: Sendable, Equatable {
  package enum Scenario: String, Sendable, CaseIterable {
    /// Launched, tracking started, after a minute put away; what nothing holds is suspended and purged.
    case pocket
    /// In front for the whole trace; its display is not metered.
    case foreground
  }

  package var service: Service
  package var scenario: Scenario
  /// Whether updates pause after a still time, and the app starts them again on motion.
  package var pausesAutomatically = false
  /// For `significant` only.
  package var policy: SignificantPolicy?
  /// Whether its row is told from others by its policy.
  package var isNamedByPolicy = false

  package init(
    _ service: Service, _ scenario: Scenario, pausesAutomatically: Bool = false,
    policy: SignificantPolicy? = nil
  ) {
    self.service = service
    self.scenario = scenario
    self.pausesAutomatically = pausesAutomatically
    self.policy = policy
  }

  /// The rows that `compare` shows: significant change by cells where there is a modem that tells of
  /// them, else by scheduled sessions of the receiver.
  ///
  /// With `policies`, significant change has one row for each of them.
  package static func standardRows(
    for device: DeviceProfile, policies: [SignificantPolicy]? = nil
  ) -> [RunPlan] {
    let usual = RunPlan(.significant, .pocket, policy: .usual(for: device))
    return [
      RunPlan(.standard, .pocket),
      RunPlan(.standard, .foreground),
      RunPlan(.continuous, .pocket),
      RunPlan(.continuous, .pocket, pausesAutomatically: true),
    ]
      + (policies?.map { policy in
        var plan = usual
        plan.policy = policy
        plan.isNamedByPolicy = true
        return plan
      } ?? [usual])
  }
}

extension SignificantPolicy {
  /// The policy that a device can follow: cells where they reach the processor, else its receiver.
  package static func usual(for device: DeviceProfile) -> SignificantPolicy {
    device.cellEvents == .none ? .receiver(sessions(of: device)) : .ios(IOSPolicy())
  }

  /// Sessions that last at most as long as the device waits for its receiver.
  package static func sessions(of device: DeviceProfile) -> ReceiverPolicy {
    ReceiverPolicy(timeout: device.acquisitionTimeout.nominal)
  }

  /// The policy of a name, fitted to a device; `nil` for an unknown name.
  ///
  /// `seed` is for policies that draw. The device says what the receiver is expected to take,
  /// `receiverHold` for how many seconds it goes on after it was switched off.
  package static func named(
    _ name: String, for device: DeviceProfile, seed: UInt64 = 1, receiverHold: Double = 0
  ) -> SignificantPolicy? {
    let timeout = device.acquisitionTimeout.nominal
    var senses: Senses = []
    if device.hasMotionSensor { senses.insert(.motion) }
    if device.cellEvents != .none { senses.insert(.cells) }
    switch name {
    case "ios": return .ios(IOSPolicy())
    case "ios-field": return .iosField(IOSFieldPolicy(seed: seed))
    case "owntracks-significant": return .ownTracks(OwnTracksPolicy())
    case "elastic": return .elastic(ElasticPolicy(senses: senses))
    case "periodic": return .periodic(PeriodicPolicy(timeout: timeout))
    case "receiver": return .receiver(sessions(of: device))
    case "milepost":
      // Nobody knows where the device is carried; the table's middle row is what is expected at first.
      let hot = device.timeToFirstFix(start: .hot, environment: .pocket).mean
      return .milepost(
        MilepostPolicy(
          senses: senses, memory: AcquisitionMemory(hot: hot, timeout: timeout),
          receiverHold: receiverHold))
    default: return nil
    }
  }
}
