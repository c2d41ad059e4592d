// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel
package import RadioPower
import ServiceCore

// The candidates of `milepost advise`: every policy that a device can follow, and for those with settings, a ladder of
// them. A policy that gains a setting gets its ladder here, and nowhere else.

/// One way to detect larger moves, with its settings.
package struct Configuration: Sendable, Equatable {
  /// `milepost`, `periodic, every 300 s`, `continuous, pausing`.
  package let name: String
  package let plan: RunPlan
  /// Seconds from one session to the next, if it has that setting.
  package let interval: Double?
  /// Whether it can be recommended: whether an app on the device can have it.
  package let isChoice: Bool

  package init(name: String, plan: RunPlan, interval: Double? = nil, isChoice: Bool = true) {
    self.name = name
    self.plan = plan
    self.interval = interval
    self.isChoice = isChoice
  }

  /// The tried intervals between sessions, seconds: about three to a factor of ten.
  package static let intervals: [Double] = [60, 120, 180, 300, 600, 900, 1_200, 1_800, 3_600]

  /// All configurations of a device, in a fixed order; `seed` is for policies that draw.
  package static func all(for device: DeviceProfile, seed: UInt64) -> [Configuration] {
    let always = RunPlan(.continuous, .pocket)
    var all = [Configuration(name: "continuous", plan: always)]
    all += RunPlan.cycles(for: device, seed: seed).map {
      Configuration(name: "armed by \($0.armedBy?.words ?? "")", plan: $0)
    }
    if device.hasMotionSensor, device.platform != .phone {
      var pausing = always
      pausing.pausesAutomatically = true
      all.append(Configuration(name: "continuous, pausing", plan: pausing))
    }
    let hearsCells = device.cellEvents != .none
    for kind in PolicyKind.all where hearsCells || kind.positions == .receiver {
      guard let policy = SignificantPolicy.named(kind.name, for: device, seed: seed) else {
        continue
      }
      all += ladder(policy, on: device)
    }
    let places = RunPlan.standardRows(for: device, seed: seed).filter { $0.watch != .changes }
    return all + places.map { Configuration(name: $0.mode.rawValue, plan: $0) }
  }

  // A phone's system does not resume what it paused.

  private static func ladder(
    _ policy: SignificantPolicy, on device: DeviceProfile
  ) -> [Configuration] {
    let rungs = intervals.compactMap { policy.every($0) }
    return (rungs.isEmpty ? [policy] : rungs).map { policy in
      let setting = policy.interval.map { ", every \(Int($0)) s" } ?? ""
      var plan = RunPlan(.significant, .pocket, policy: policy)
      plan.isNamedByPolicy = true
      return Configuration(
        name: policy.name + setting, plan: plan, interval: policy.interval,
        isChoice: device.offers(policy))
    }
  }
}
