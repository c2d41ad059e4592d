// SPDX-License-Identifier: Apache-2.0

// Sources for Apple's platforms call a delegate's optional methods with a question mark, as test doubles of a manager do:
//
//     delegate?.locationManager?(manager, didUpdateLocations: locations)
//
// Here every method has a default, and none is optional; what follows lets such sources build unchanged.

/// Calls the methods of a delegate that are named `locationManager`.
public struct CLLocationManagerCalls {
  private let delegate: any CLLocationManagerDelegate

  fileprivate init(_ delegate: any CLLocationManagerDelegate) { self.delegate = delegate }

  public func callAsFunction(
    _ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]
  ) { delegate.locationManager(manager, didUpdateLocations: locations) }

  public func callAsFunction(_ manager: CLLocationManager, didFailWithError error: any Error) {
    delegate.locationManager(manager, didFailWithError: error)
  }

  public func callAsFunction(
    _ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus
  ) { delegate.locationManager(manager, didChangeAuthorization: status) }

  public func callAsFunction(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading) {
    delegate.locationManager(manager, didUpdateHeading: newHeading)
  }

  public func callAsFunction(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {
    delegate.locationManager(manager, didEnterRegion: region)
  }

  public func callAsFunction(_ manager: CLLocationManager, didExitRegion region: CLRegion) {
    delegate.locationManager(manager, didExitRegion: region)
  }

  public func callAsFunction(
    _ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion
  ) { delegate.locationManager(manager, didDetermineState: state, for: region) }

  public func callAsFunction(
    _ manager: CLLocationManager, didStartMonitoringFor region: CLRegion
  ) { delegate.locationManager(manager, didStartMonitoringFor: region) }

  public func callAsFunction(
    _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?,
    withError error: any Error
  ) { delegate.locationManager(manager, monitoringDidFailFor: region, withError: error) }

  public func callAsFunction(_ manager: CLLocationManager, didVisit visit: CLVisit) {
    delegate.locationManager(manager, didVisit: visit)
  }

  public func callAsFunction(
    _ manager: CLLocationManager, didFinishDeferredUpdatesWithError error: (any Error)?
  ) { delegate.locationManager(manager, didFinishDeferredUpdatesWithError: error) }
}

extension CLLocationManagerDelegate {
  /// Never `nil`.
  public var locationManager: CLLocationManagerCalls? { CLLocationManagerCalls(self) }

  /// Never `nil`.
  public var locationManagerDidChangeAuthorization: ((CLLocationManager) -> Void)? {
    { manager in self.locationManagerDidChangeAuthorization(manager) }
  }

  /// Never `nil`.
  public var locationManagerDidPauseLocationUpdates: ((CLLocationManager) -> Void)? {
    { manager in self.locationManagerDidPauseLocationUpdates(manager) }
  }

  /// Never `nil`.
  public var locationManagerDidResumeLocationUpdates: ((CLLocationManager) -> Void)? {
    { manager in self.locationManagerDidResumeLocationUpdates(manager) }
  }
}
