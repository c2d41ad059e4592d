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
    /// The entries into the regions of the plan, and the exits from them.
    case places
  }

  /// What wakes an app that ended its updates at a stay, so that it tracks again (`CycledApp`).
  package enum Arming: String, Sendable, CaseIterable {
    /// A region around the place, or the end of the visit.
    case region
    /// The end of the visit.
    case visits
    /// A significant change.
    case changes
    /// The device's motion: on Android, an activity transition.
    case motion

    /// `a region`.
    package var words: String {
      switch self {
      case .region: "a region"
      case .visits: "visits"
      case .changes: "significant change"
      case .motion: "motion"
      }
    }
  }

  /// The kind of location updates, as documents name it.
  package enum Mode: String, Sendable, CaseIterable {
    case standard, significant, continuous, cycled, visits, regions
  }

  package var service: Service
  package var scenario: Scenario
  /// For `significant` only.
  package var watch = Watch.changes
  /// Whether updates pause after a still time.
  package var pausesAutomatically = false
  /// Whether the app then starts them again on motion. Core Location does not, and no call of it tells an app that is
  /// suspended.
  package var resumesOnMotion = true
  /// What wakes the app after a stay; `nil` if it tracks all the time. For `continuous` only.
  package var armedBy: Arming?
  /// The requested accuracy of standard and continuous updates, metres, as Core Location numbers it.
  package var desiredAccuracy = -1.0
  /// The requested seconds between two of them, and metres; `nil`, as they come.
  package var interval: Double?
  package var distanceFilter: Double?
  /// The phone's system whose calls the app makes; `nil` on a machine.
  package var system: PhoneSystem?
  /// For `significant` only.
  package var policy: SignificantPolicy?
  /// The regions that the app monitors, besides its service or as the only one; and whether it monitors visits too.
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
    case (.continuous, _): armedBy == nil ? .continuous : .cycled
    case (.significant, .changes): .significant
    case (.significant, .visits): .visits
    case (.significant, .places): .regions
    }
  }

  /// The rows that `compare` shows, by the device's platform.
  ///
  /// With `policies`, significant change has one row for each of them; `seed` is for policies that draw,
  /// `receiverHold`, seconds, for those that account for a receiver that is released late.
  package static func standardRows(
    for device: DeviceProfile, policies: [SignificantPolicy]? = nil, seed: UInt64 = 1,
    receiverHold: Double = 0
  ) -> [RunPlan] {
    let asked = policies.map { $0.map { significant($0, isAskedFor: true) } }
    let system = device.platform == .phone ? device.system : nil
    let rows =
      system?.isAndroid == true
      ? androidRows(for: device, asked, seed: seed)
      : usualRows(for: device, asked, seed: seed, receiverHold: receiverHold)
    return rows.map { plan in
      var plan = plan
      plan.system = system
      return plan
    }
  }

  private static func significant(_ policy: SignificantPolicy, isAskedFor: Bool) -> RunPlan {
    var plan = RunPlan(.significant, .pocket, policy: policy)
    plan.isNamedByPolicy = true
    plan.isAskedFor = isAskedFor
    return plan
  }

  /// Significant change is there twice, for these are different services: ours
  /// (`milepost`), and beside it, if a modem reports cells, as measured on phones (`ios-field`), and if there is none,
  /// by scheduled sessions (`receiver`). Visits, regions and what arms a duty cycle are told by a phone's daemon;
  /// elsewhere by our policy.
  private static func usualRows(
    for device: DeviceProfile, _ asked: [RunPlan]?, seed: UInt64, receiverHold: Double
  ) -> [RunPlan] {
    let both = [SignificantPolicy.usualName(for: device), "milepost"].compactMap {
      SignificantPolicy.named($0, for: device, seed: seed, receiverHold: receiverHold)
    }
    let significant: [RunPlan] = asked ?? both.map { Self.significant($0, isAskedFor: false) }
    let cycled = cycles(for: device, seed: seed, receiverHold: receiverHold)[0]
    return [
      RunPlan(.standard, .pocket),
      RunPlan(.standard, .foreground),
      RunPlan(.continuous, .pocket),
      RunPlan(.continuous, .pocket, pausesAutomatically: true),
      cycled,
    ] + significant
      + [Watch.visits, .places].map {
        watching($0, on: device, seed: seed, receiverHold: receiverHold)
      }
  }

  /// Those of an app of Android: a foreground service, all the time or armed, what the background is given, and
  /// geofences. There are no visits and no significant change.
  private static func androidRows(
    for device: DeviceProfile, _ asked: [RunPlan]?, seed: UInt64
  ) -> [RunPlan] {
    var (seldom, near) = (RunPlan(.continuous, .pocket), RunPlan(.continuous, .pocket))
    seldom.interval = 30
    near.distanceFilter = 50
    let armed = [Arming.region, .motion].map { arming in
      var plan = RunPlan(.continuous, .pocket, policy: .usual(for: device, seed: seed))
      plan.armedBy = arming
      return plan
    }
    let given = PolicyKind.android.compactMap {
      SignificantPolicy.named($0.name, for: device, seed: seed)
    }
    return [RunPlan(.standard, .foreground), RunPlan(.continuous, .pocket), seldom, near] + armed
      + (asked ?? given.map { significant($0, isAskedFor: false) })
      + [watching(.places, on: device, seed: seed, receiverHold: 0)]
  }

  private static func watching(
    _ watch: Watch, on device: DeviceProfile, seed: UInt64, receiverHold: Double
  ) -> RunPlan {
    var plan = RunPlan(
      .significant, .pocket,
      policy: .named(senses(of: device), for: device, seed: seed, receiverHold: receiverHold))
    plan.watch = watch
    return plan
  }

  /// The same over a trip with these places: they are the regions of an app that monitors places and names none.
  func amongPlaces(_ places: [MonitoredRegion]) -> RunPlan {
    guard watch == .places, regions.isEmpty else { return self }
    var plan = self
    plan.regions = places
    return plan
  }

  /// The name of the policy beside a device's places.
  private static func senses(of device: DeviceProfile) -> String {
    device.platform == .phone ? SignificantPolicy.usualName(for: device) : "milepost"
  }

  /// Metres of the region around a rest that arms a duty cycle.
  package static let cycleRadius = CycledApp.radius
  /// Seconds without movement that end a trip of it.
  package static let cycleStill = CycledApp.stillFor

  /// The duty cycles of a device: armed by a region, by visits, by significant change.
  package static func cycles(
    for device: DeviceProfile, seed: UInt64 = 1, receiverHold: Double = 0
  ) -> [RunPlan] {
    [Arming.region, .visits, .changes].map { arming in
      var plan = RunPlan(
        .continuous, .pocket,
        policy: .named(senses(of: device), for: device, seed: seed, receiverHold: receiverHold))
      plan.armedBy = arming
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
