// SPDX-License-Identifier: Apache-2.0

package import LocationEngine
package import LocationModel
package import RadioPower
import ServiceCore

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
  /// What standard and continuous updates ask for, metres, as Core Location numbers it.
  package var desiredAccuracy = -1.0
  /// For `significant` only.
  package var policy: SignificantPolicy?
  /// The regions that the app monitors beside its service, and whether it monitors visits.
  package var regions: [MonitoredRegion] = []
  package var monitorsVisits = false
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

  /// The same, of an app that monitors visits too, or does not.
  package func visiting(_ isVisiting: Bool) -> RunPlan {
    var plan = self
    plan.monitorsVisits = isVisiting
    return plan
  }

  /// The rows that `compare` shows. Significant change is there twice, for these are different services: as
  /// ours gives it (`milepost`), and beside it, where a modem tells of cells, as phones were measured to give
  /// it (`ios-field`), and where there is none, by scheduled sessions (`receiver`).
  ///
  /// With `policies`, significant change has one row for each of them; `seed` is for policies that draw,
  /// `receiverHold` for those that reckon with a receiver that is let go late, seconds.
  package static func standardRows(
    for device: DeviceProfile, policies: [SignificantPolicy]? = nil, seed: UInt64 = 1,
    receiverHold: Double = 0
  ) -> [RunPlan] {
    let both = [SignificantPolicy.usualName(for: device), "milepost"].compactMap {
      SignificantPolicy.named($0, for: device, seed: seed, receiverHold: receiverHold)
    }
    let significant = (policies ?? both).map { policy in
      var plan = RunPlan(.significant, .pocket, policy: policy)
      plan.isNamedByPolicy = true
      return plan
    }
    return [
      RunPlan(.standard, .pocket),
      RunPlan(.standard, .foreground),
      RunPlan(.continuous, .pocket),
      RunPlan(.continuous, .pocket, pausesAutomatically: true),
    ] + significant
  }

  /// What the app of a run is called that has no other.
  package static let soleApp = "app"

  /// What the app of a plan is called: `app` where there is one, else by its service and its place.
  package static func appName(_ index: Int, of plans: [RunPlan]) -> String {
    plans.count == 1 ? soleApp : "\(plans[index].service.rawValue)-\(index + 1)"
  }
}
