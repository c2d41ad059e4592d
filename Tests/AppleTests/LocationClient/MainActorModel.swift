// SPDX-License-Identifier: Apache-2.0

import LocationClient

/// A present-day view model: it lives on the main actor, as stated in its conformance. The test is
/// that it compiles; `DaemonBackendTests` checks that calls come on the main queue.
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
