// SPDX-License-Identifier: Apache-2.0

package import LocationEngine
package import RadioPower

// Policies by name, fitted to a device.

extension SignificantPolicy {
  /// The policy that a device can follow: cells where they reach the processor, else its receiver.
  package static func usual(for device: DeviceProfile) -> SignificantPolicy {
    device.cellEvents == .none ? .receiver(sessions(of: device)) : .ios(IOSPolicy())
  }

  /// Sessions that last at most as long as the device waits for its receiver.
  package static func sessions(of device: DeviceProfile) -> ReceiverPolicy {
    ReceiverPolicy(timeout: device.acquisitionTimeout.nominal)
  }

  /// The policy of a name, fitted to a device; `nil` for an unknown name. `periodic=900` and
  /// `receiver=900` set the seconds between sessions, 1 to 86,400.
  ///
  /// `seed` is for policies that draw. The device says what the receiver is expected to take,
  /// `receiverHold` for how many seconds it goes on after it was switched off.
  package static func named(
    _ text: String, for device: DeviceProfile, seed: UInt64 = 1, receiverHold: Double = 0
  ) -> SignificantPolicy? {
    let parts = text.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
    let policy = plain(parts[0], for: device, seed: seed, receiverHold: receiverHold)
    if parts.count == 1 { return policy }
    guard parts.count == 2, let seconds = Double(parts[1]), (1...86_400).contains(seconds) else {
      return nil
    }
    return policy?.every(seconds)
  }

  /// Seconds from one session to the next, where that is a setting of the policy.
  package var interval: Double? {
    switch self {
    case .periodic(let policy): policy.interval
    case .receiver(let policy): policy.interval
    case .ios, .iosField, .ownTracks, .elastic, .milepost: nil
    }
  }

  /// The policy with another interval; `nil` where that is no setting of it.
  package func every(_ seconds: Double) -> SignificantPolicy? {
    switch self {
    case .periodic(var policy):
      policy.interval = seconds
      return .periodic(policy)
    case .receiver(var policy):
      policy.interval = seconds
      return .receiver(policy)
    case .ios, .iosField, .ownTracks, .elastic, .milepost: return nil
    }
  }

  private static func plain(
    _ name: String, for device: DeviceProfile, seed: UInt64, receiverHold: Double
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
