// SPDX-License-Identifier: Apache-2.0

// The location code of many an introduction to Core Location: a manager, an accuracy of three kilometres, a filter of a
// mile, a delegate, and the distance to a place. Only the import shows that this is not a phone.
import LocationClient

final class StoreFinder: NSObject, CLLocationManagerDelegate {
  let locationManager = CLLocationManager()
  let store = CLLocation(latitude: -23.4, longitude: 15.1)

  var distances: [CLLocationDistance] = []
  var times: [Date] = []
  var failures: [CLError] = []
  var wasAuthorized = false

  override init() {
    super.init()
    locationManager.delegate = self
    locationManager.desiredAccuracy = kCLLocationAccuracyThreeKilometers
    locationManager.distanceFilter = 1609  // a mile
    locationManager.requestWhenInUseAuthorization()
    if CLLocationManager.locationServicesEnabled() {
      locationManager.startUpdatingLocation()
    }
  }

  func locationManager(
    _ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]
  ) {
    guard let location = locations.last else { return }
    guard location.horizontalAccuracy >= 0 else { return }
    distances.append(location.distance(from: store))
    times.append(location.timestamp)
  }

  func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {
    guard let error = error as? CLError else { return }
    switch error.code {
    case .denied:
      manager.stopUpdatingLocation()
      failures.append(error)
    default: failures.append(error)
    }
  }

  func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {
    switch manager.authorizationStatus {
    case .authorizedWhenInUse, .authorizedAlways: wasAuthorized = true
    default: wasAuthorized = false
    }
  }
}

/// The same from the years of the first phones.
final class OldStoreFinder: NSObject, CLLocationManagerDelegate {
  let locationManager = CLLocationManager()
  let store = CLLocation(latitude: -23.4, longitude: 15.1)
  var distances: [CLLocationDistance] = []
  /// From one location to the next, metres, and how many times as accurate the next one is.
  var steps: [(metres: CLLocationDistance, sharper: Double)?] = []

  override init() {
    super.init()
    locationManager.delegate = self
    locationManager.desiredAccuracy = kCLLocationAccuracyThreeKilometers
    locationManager.distanceFilter = 1609
    locationManager.startUpdatingLocation()
  }

  func locationManager(
    _ manager: CLLocationManager, didUpdateToLocation newLocation: CLLocation,
    fromLocation oldLocation: CLLocation?
  ) {
    distances.append(newLocation.distance(from: store))
    steps.append(
      oldLocation.map {
        (newLocation.distance(from: $0), $0.horizontalAccuracy / newLocation.horizontalAccuracy)
      })
  }
}
