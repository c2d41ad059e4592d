// SPDX-License-Identifier: Apache-2.0

import LocationClient

/// A view model of these years: it lives on the main actor, and says so in its conformance. That it
/// compiles is the test; `DaemonBackendTests` sees that calls come on the main queue.
@MainActor
final class MainActorModel: NSObject, @MainActor CLLocationManagerDelegate {
  private let manager = CLLocationManager()
  private(set) var latest: CLLocation?

  func start() {
    manager.delegate = self
    manager.startUpdatingLocation()
  }

  func locationManager(
    _ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]
  ) {
    latest = locations.last
  }
}
