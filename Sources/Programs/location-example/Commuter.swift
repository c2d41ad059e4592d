// SPDX-License-Identifier: Apache-2.0

import LocationClient

/// The location code of a small app, as one would write it for a phone: it receives every significant change, also
/// after it was suspended or ended, and reports its distance from home.
final class Commuter: NSObject, CLLocationManagerDelegate {
  private let manager = CLLocationManager()
  private let home: CLLocation
  private let say: @Sendable (String) -> Void

  init(home: CLLocation, say: @escaping @Sendable (String) -> Void) {
    self.home = home
    self.say = say
    super.init()
    manager.delegate = self
    manager.requestAlwaysAuthorization()
    manager.startMonitoringSignificantLocationChanges()
  }

  func locationManager(
    _ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]
  ) {
    for location in locations {
      let kilometres = location.distance(from: home) / 1_000
      let place = String(
        format: "%.5f %.5f", location.coordinate.latitude, location.coordinate.longitude)
      let accuracy =
        location.horizontalAccuracy < 0
        ? "of unknown accuracy" : String(format: "within %.0f m", location.horizontalAccuracy)
      say(
        "\(location.timestamp.ISO8601Format()) \(place), \(accuracy), "
          + String(format: "%.1f km from home", kilometres))
    }
  }

  func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
    say("no location: \(error.localizedDescription)")
  }

  func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
    if manager.authorizationStatus == .denied { say("no location is allowed") }
  }
}
