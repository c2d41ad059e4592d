// SPDX-License-Identifier: Apache-2.0

package import LocationEngine
package import LocationModel
package import RadioPower
import ServiceCore

/// One life of one app over a trace: a row of the comparison.
package struct RunPlan: Sendable, Equatable {
  package enum Scenario: String, Sendable, CaseIterable {
    /// Launched, tracking started, put away after a minute; without a hold it is suspended and purged.
    case pocket
    /// In the foreground for the whole trace; its display is not metered.
    case foreground
  }

  /// The events that an app asks its system to wake it for.
  package enum Watch: Sendable {
    /// Significant changes of location.
    case changes
    /// The user's arrival at a place, or departure from one.
    case visits
    /// The exit from a circle around the app's place, drawn anew at each exit, as by an app that has no fixed
    /// place to watch.
    case circle

    /// Metres of the circle's radius [ours]: positions of cells may be 640 m apart (root of the mean square), and none of
    /// them alone is an exit.
    package static let radius = 2_000.0
  }

  /// The kind of location updates, as documents name it.
  package enum Mode: String, Sendable, CaseIterable {
    case standard, significant, continuous, visits, regions
  }

  package var service: Service
  package var scenario: Scenario
  /// For `significant` only.
  package var watch = Watch.changes
  /// Whether updates pause after a still time, and the app starts them again on motion.
  package var pausesAutomatically = false
  /// The requested accuracy of standard and continuous updates, metres, as Core Location numbers it.
  package var desiredAccuracy = -1.0
  /// For `significant` only.
  package var policy: SignificantPolicy?
  /// The regions that the app monitors besides its service, and whether it monitors visits.
  package var regions: [MonitoredRegion] = []
  package var monitorsVisits = false
  /// Whether its policy distinguishes its row from others.
  package var isNamedByPolicy = false
  /// Whether its policy was asked for by name: its row is never left out.
  package var isAskedFor = false

  package init(
    _ service: Service, _ scenario: Scenario, pausesAutomatically: Bool = false,
    policy: SignificantPolicy? = nil
  ) {
    self.service = service
    self.scenario = scenario
    self.pausesAutomatically = pausesAutomatically
    self.policy = policy
  }

  package var mode: Mode {
    switch (service, watch) {
    case (.standard, _): .standard
    case (.continuous, _): .continuous
    case (.significant, .changes): .significant
    case (.significant, .visits): .visits
    case (.significant, .circle): .regions
    }
  }

  /// The rows that `compare` shows. Significant change is there twice, for these are different services: ours
  /// (`milepost`), and beside it, if a modem reports cells, as measured on phones (`ios-field`), and if there is none,
  /// by scheduled sessions (`receiver`). Visits and regions use the senses that a device has for significant change: a
  /// phone's, elsewhere ours.
  ///
  /// With `policies`, significant change has one row for each of them; `seed` is for policies that draw,
  /// `receiverHold`, seconds, for those that account for a receiver that is released late.
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
      plan.isAskedFor = policies != nil
      return plan
    }
    return [
      RunPlan(.standard, .pocket),
      RunPlan(.standard, .foreground),
      RunPlan(.continuous, .pocket),
      RunPlan(.continuous, .pocket, pausesAutomatically: true),
    ] + significant
      + [Watch.visits, .circle].map { watch in
        let senses =
          device.platform == .phone ? SignificantPolicy.usualName(for: device) : "milepost"
        var plan = RunPlan(
          .significant, .pocket,
          policy: .named(senses, for: device, seed: seed, receiverHold: receiverHold))
        plan.watch = watch
        return plan
      }
  }

  /// The default name of the app of a run.
  package static let soleApp = "app"

  /// The name of a plan's app: `app` if there is only one, else by its service and its index.
  package static func appName(_ index: Int, of plans: [RunPlan]) -> String {
    plans.count == 1 ? soleApp : "\(plans[index].service.rawValue)-\(index + 1)"
  }
}
