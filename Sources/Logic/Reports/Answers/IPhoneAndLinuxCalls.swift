// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel
package import RadioPower
import Replay
import ServiceContract

// The code for a mode. iOS: Core Location's documentation, "Handling location updates in the background", "Configuring
// your app to use location services", "Monitoring location changes with Core Location" (`CLMonitor`, from iOS 17 on;
// before it `CLCircularRegion`) and `startMonitoringVisits`. Android: "Background location limits", `Priority`,
// `LocationRequest` and `GeofencingClient` of Google Play services, and WorkManager, whose shortest period is 15 min.
// It has no significant change and no visits; the nearest are a request with a least distance in a `PendingIntent`, an
// occasional look for a recent place, and a geofence with a loitering delay. Linux: the manifest of an app of milepostd
// (see the page Apps and manifests) and `milepostd.yaml`.

extension ModeRow {
  /// The call, or the configuration, that gives this mode on a device.
  package func call(on device: DeviceProfile) -> String {
    switch device.platform {
    case .phone: plan.isAndroid ? plan.kotlin : iosCall
    case .linux: manifest
    case .firmware: firmware
    }
  }

  /// The call's name, for a line that has more to say; `nil` if a device has none.
  func shortCall(on device: DeviceProfile) -> String? {
    switch device.platform {
    case .phone where plan.isAndroid: plan.shortKotlin
    case .phone:
      switch plan.mode {
      case .significant: "startMonitoringSignificantLocationChanges"
      case .continuous, .standard: "startUpdatingLocation"
      case .cycled: "startUpdatingLocation + region"
      case .visits: "startMonitoringVisits"
      case .regions: "CLMonitor"
      }
    case .linux:
      switch plan.mode {
      case .significant: "service: significant"
      case .continuous, .cycled: "service: continuous"
      case .standard: "service: standard"
      case .visits: "visits: true"
      case .regions: "regions"
      }
    case .firmware: nil
    }
  }

  /// The nearest call on Android for a purpose; `nil` for a device that is no phone, or is one of Android, whose modes have
  /// calls of their own.
  package func androidCall(on device: DeviceProfile, for purpose: Purpose) -> String? {
    guard device.platform == .phone, !plan.isAndroid else { return nil }
    return switch plan.mode {
    case .significant where purpose == .area:
      "WorkManager every 15 min, which calls getCurrentLocation(PRIORITY_BALANCED_POWER_ACCURACY)"
    case .significant:
      "requestLocationUpdates(PRIORITY_BALANCED_POWER_ACCURACY, 5 min, setMinUpdateDistanceMeters(500), PendingIntent)"
    case .continuous:
      "requestLocationUpdates(PRIORITY_HIGH_ACCURACY, 1 s) in a foreground service of type location"
    case .cycled:
      "GeofencingClient.addGeofences: GEOFENCE_TRANSITION_EXIT, \(cycleRadius) m around each place of rest; from its exit to the next rest requestLocationUpdates(PRIORITY_HIGH_ACCURACY, 1 s) in a foreground service of type location"
    case .standard: "requestLocationUpdates(PRIORITY_HIGH_ACCURACY, 1 s)"
    case .visits:
      "GeofencingClient.addGeofences: GEOFENCE_TRANSITION_DWELL | EXIT around each place, setLoiteringDelay(\(Int(1_000 * VisitService.dwell)))"
    case .regions:
      "GeofencingClient.addGeofences: GEOFENCE_TRANSITION_ENTER | EXIT, \(radius) m around each place"
    }
  }

  private var stay: String {
    "\(Figures.span(VisitService.dwell)) within \(Figures.plain(VisitService.radius)) m"
  }

  private var cycleRadius: String { Figures.plain(RunPlan.cycleRadius) }

  private var radius: String {
    Figures.plain(plan.regions.first?.radius ?? TripPlaces.usualRadius)
  }

  private var iosCall: String {
    switch plan.mode {
    case .significant: "startMonitoringSignificantLocationChanges()"
    case .continuous:
      "startUpdatingLocation(), allowsBackgroundLocationUpdates = true, pausesLocationUpdatesAutomatically = \(plan.pausesAutomatically)"
    case .cycled: iosCycle
    case .standard: "startUpdatingLocation()"
    case .visits: "startMonitoringVisits()"
    case .regions:
      "CLMonitor.add(CircularGeographicCondition(center: place, radius: \(radius)), identifier: name) for each place (iOS 17; before it startMonitoring(for: CLCircularRegion))"
    }
  }

  private var iosCycle: String {
    let (again, ends) =
      switch plan.armedBy {
      case .visits: ("startMonitoringVisits()", "a visit's departure")
      case .changes: ("startMonitoringSignificantLocationChanges()", "the next location")
      case .region, .motion, nil:
        (
          "startMonitoring(for: CLCircularRegion(center: here, radius: \(cycleRadius), …))",
          "didExitRegion"
        )
      }
    return
      "startUpdatingLocation(), allowsBackgroundLocationUpdates = true while moving; at a rest stopUpdatingLocation() and \(again); on \(ends) startUpdatingLocation() again"
  }

  private var manifest: String {
    let policy = "policy: \(plan.policy?.label ?? "milepost") in milepostd.yaml"
    return switch plan.mode {
    case .significant: "service: significant in the app's manifest, \(policy)"
    case .continuous:
      "service: continuous, modes: [location], pauses: \(plan.pausesAutomatically) in the app's manifest"
    case .cycled:
      "service: continuous, modes: [location] in the app's manifest; at a rest the app stops its updates and monitors a region of \(cycleRadius) m, \(policy)"
    case .standard: "service: standard in the app's manifest"
    case .visits: "visits: true in the app's manifest, \(policy)"
    case .regions:
      "regions with radius_m: \(radius) around each place in the app's manifest, or monitored by the app itself, \(policy)"
    }
  }

  private var firmware: String {
    let policy = "as the policy \(plan.policy?.label ?? "milepost") decides"
    return switch plan.mode {
    case .significant: "a session of the receiver \(policy)"
    case .continuous:
      plan.pausesAutomatically
        ? "the receiver tracks until the device stands still, and again on motion"
        : "the receiver tracks all the time"
    case .cycled:
      "the receiver tracks while the device moves; a session of the receiver \(policy) starts it again"
    case .standard: "the receiver tracks while the app runs"
    case .visits: "sessions of the receiver \(policy); a stay of \(stay) is told"
    case .regions:
      "sessions of the receiver \(policy); what comes within \(radius) m of a place, or leaves it, is told"
    }
  }
}
