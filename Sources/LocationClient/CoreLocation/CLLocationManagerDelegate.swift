// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// What a manager tells its app; every method has an empty default.
///
/// All calls come on the manager's `delegateQueue`. A delivery is acknowledged to the daemon when the
/// method that got it has returned: should the process die before, it is delivered again.
public protocol CLLocationManagerDelegate: AnyObject {
  /// New positions, oldest first, at least one.
  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation])
  /// The callback of Core Location before iOS 6, called where the one above is not written; the old
  /// location is `nil` at first.
  func locationManager(
    _ manager: CLLocationManager, didUpdateToLocation newLocation: CLLocation,
    fromLocation oldLocation: CLLocation?)
  /// The same as today's Swift spells it; the old location is the new one at first.
  func locationManager(
    _ manager: CLLocationManager, didUpdateTo newLocation: CLLocation,
    from oldLocation: CLLocation)
  /// Always a `CLError`.
  func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error)
  /// Called once after the manager was made, as soon as the answer is known, and on every change of the
  /// authorization or of the accuracy.
  func locationManagerDidChangeAuthorization(_ manager: CLLocationManager)
  /// The same in the form before iOS 14, called too; not of the accuracy, which that did not know.
  func locationManager(
    _ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus)
  /// The device rests and updates paused; start them again when they are wanted.
  func locationManagerDidPauseLocationUpdates(_ manager: CLLocationManager)
  /// The first position after a pause is about to follow.
  func locationManagerDidResumeLocationUpdates(_ manager: CLLocationManager)
  /// The device points, or without a compass moves, elsewhere.
  func locationManager(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading)
  /// Never asked: nothing is displayed.
  func locationManagerShouldDisplayHeadingCalibration(_ manager: CLLocationManager) -> Bool
  /// The device came into a monitored region.
  func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion)
  /// The device left a monitored region.
  func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion)
  /// The answer to `requestState(for:)`; also called after each entry and exit.
  func locationManager(
    _ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion)
  /// The daemon was told to monitor a region.
  func locationManager(_ manager: CLLocationManager, didStartMonitoringFor region: CLRegion)
  /// A region is not monitored; always a `CLError`, whose text says why.
  func locationManager(
    _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?, withError error: any Error
  )
  /// The device has come to a place to stay, or left it.
  func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit)
  /// Updates are kept back no longer; `nil` where that went as it should.
  func locationManager(
    _ manager: CLLocationManager, didFinishDeferredUpdatesWithError error: (any Error)?)

  // Ours ------------------------------------------------------------------------------------------

  /// The app's state changed. Nothing is said before a suspension.
  func locationManager(_ manager: CLLocationManager, didChangeAppState state: CLAppState)
  /// The process ends after so many seconds.
  func locationManager(_ manager: CLLocationManager, willTerminateIn seconds: TimeInterval)
  /// The device moves; asked for by `startMonitoringMotion`.
  func locationManagerDidDetectMotion(_ manager: CLLocationManager)
  /// So many of the oldest deliveries were given up because too many waited.
  func locationManager(_ manager: CLLocationManager, didLoseDeliveries count: Int)
}

extension CLLocationManagerDelegate {
  public func locationManager(
    _ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]
  ) {
    for location in locations {
      let old = manager.exchangePrevious(for: location)
      locationManager(manager, didUpdateToLocation: location, fromLocation: old)
      locationManager(manager, didUpdateTo: location, from: old ?? location)
    }
  }

  public func locationManager(
    _ manager: CLLocationManager, didUpdateToLocation newLocation: CLLocation,
    fromLocation oldLocation: CLLocation?
  ) { manager.isUnheard(.locations) }

  public func locationManager(
    _ manager: CLLocationManager, didUpdateTo newLocation: CLLocation,
    from oldLocation: CLLocation
  ) { manager.isUnheard(.locations) }

  public func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error) {}

  public func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {}

  public func locationManager(
    _ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus
  ) {}

  public func locationManagerDidPauseLocationUpdates(_ manager: CLLocationManager) {}

  public func locationManagerDidResumeLocationUpdates(_ manager: CLLocationManager) {}

  public func locationManager(
    _ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading
  ) { manager.isUnheard(.headings) }

  public func locationManagerShouldDisplayHeadingCalibration(_ manager: CLLocationManager) -> Bool {
    false
  }

  public func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion) {
    manager.isUnheard(.regions)
  }

  public func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion) {
    manager.isUnheard(.regions)
  }

  public func locationManager(
    _ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion
  ) { manager.isUnheard(.regions) }

  public func locationManager(
    _ manager: CLLocationManager, didStartMonitoringFor region: CLRegion
  ) {}

  public func locationManager(
    _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?,
    withError error: any Error
  ) {}

  public func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit) {
    manager.isUnheard(.visits)
  }

  public func locationManager(
    _ manager: CLLocationManager, didFinishDeferredUpdatesWithError error: (any Error)?
  ) {}

  public func locationManager(_ manager: CLLocationManager, didChangeAppState state: CLAppState) {}

  public func locationManager(_ manager: CLLocationManager, willTerminateIn seconds: TimeInterval) {
  }

  public func locationManagerDidDetectMotion(_ manager: CLLocationManager) {}

  public func locationManager(_ manager: CLLocationManager, didLoseDeliveries count: Int) {}
}
