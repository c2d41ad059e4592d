// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel
package import RadioPower
import Replay

// What to write for a mode. iOS: Core Location's documentation, "Handling location updates in the background"
// and "Configuring your app to use location services". Android: "Background location limits", `Priority` and
// `LocationRequest` of Google Play services; there is no significant change, and what comes nearest is a
// request with a least distance in a `PendingIntent`. Linux: the manifest of an app of milepostd, see the page
// Live.

extension ModeRow {
  /// What an app calls, or the configuration says, to get this mode on a device.
  package func call(on device: DeviceProfile) -> String {
    switch device.platform {
    case .phone: iosCall
    case .linux: manifest
    case .firmware: firmware
    }
  }

  /// The same on Android; `nil` for what is no phone.
  package func androidCall(on device: DeviceProfile) -> String? {
    guard device.platform == .phone else { return nil }
    return switch plan.service {
    case .significant:
      "requestLocationUpdates(PRIORITY_BALANCED_POWER_ACCURACY, 5 min, setMinUpdateDistanceMeters(500), PendingIntent)"
    case .continuous:
      "requestLocationUpdates(PRIORITY_HIGH_ACCURACY, 1 s) in a foreground service of type location"
    case .standard: "requestLocationUpdates(PRIORITY_HIGH_ACCURACY, 1 s)"
    }
  }

  private var iosCall: String {
    switch plan.service {
    case .significant: "startMonitoringSignificantLocationChanges()"
    case .continuous:
      "startUpdatingLocation(), allowsBackgroundLocationUpdates = true, pausesLocationUpdatesAutomatically = \(plan.pausesAutomatically)"
    case .standard: "startUpdatingLocation()"
    }
  }

  private var manifest: String {
    switch plan.service {
    case .significant:
      "service = \"significant\" in the app's manifest, policy = \"\(plan.policy?.label ?? "milepost")\" in milepostd.toml"
    case .continuous:
      "service = \"continuous\", modes = [\"location\"], pauses = \(plan.pausesAutomatically) in the app's manifest"
    case .standard: "service = \"standard\" in the app's manifest"
    }
  }

  private var firmware: String {
    switch plan.service {
    case .significant:
      "a session of the receiver as the policy \(plan.policy?.label ?? "milepost") decides"
    case .continuous:
      plan.pausesAutomatically
        ? "the receiver tracks until the device stands still, and again on motion"
        : "the receiver tracks all the time"
    case .standard: "the receiver tracks while the app runs"
    }
  }
}
