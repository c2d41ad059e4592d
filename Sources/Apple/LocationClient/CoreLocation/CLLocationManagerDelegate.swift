// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The events of a manager; every method has an empty default.
///
///     final class Walker: NSObject, CLLocationManagerDelegate {
///       let manager = CLLocationManager()
///
///       override init() {
///         super.init()
///         manager.delegate = self
///         manager.requestAlwaysAuthorization()
///         manager.startMonitoringSignificantLocationChanges()
///       }
///
///       func locationManager(
///         _ manager: CLLocationManager, didUpdateLocations locations: [CLLocation]
///       ) {
///         for location in locations { print(location.coordinate, location.horizontalAccuracy) }
///       }
///     }
///
///     let walker = Walker()
///     dispatchMain()
///
/// All calls come on the manager's `delegateQueue`. A delivery is acknowledged to the daemon when the method that
/// received it has returned; if the process dies before that, it is delivered again.
public protocol CLLocationManagerDelegate: AnyObject {
  /// New positions, oldest first, at least one.
  func locationManager(_ manager: CLLocationManager, didUpdateLocations locations: [CLLocation])
  /// The callback of Core Location before iOS 6, called if the one above is not implemented; the
  /// old location is `nil` at first.
  func locationManager(
    _ manager: CLLocationManager, didUpdateToLocation newLocation: CLLocation,
    fromLocation oldLocation: CLLocation?)
  /// The same in today's Swift spelling; the old location is the new one at first.
  func locationManager(
    _ manager: CLLocationManager, didUpdateTo newLocation: CLLocation,
    from oldLocation: CLLocation)
  /// Always a `CLError`.
  func locationManager(_ manager: CLLocationManager, didFailWithError error: any Error)
  /// Called once after the manager was made, as soon as the answer is known, and on every change of the authorization
  /// or the accuracy.
  func locationManagerDidChangeAuthorization(_ manager: CLLocationManager)
  /// The form before iOS 14, called too; not for the accuracy, which did not exist then.
  func locationManager(
    _ manager: CLLocationManager, didChangeAuthorization status: CLAuthorizationStatus)
  /// The device rests and updates are paused; start them again when needed.
  func locationManagerDidPauseLocationUpdates(_ manager: CLLocationManager)
  /// The first position after a pause will follow.
  func locationManagerDidResumeLocationUpdates(_ manager: CLLocationManager)
  /// The device points to, or without a compass moves in, another direction.
  func locationManager(_ manager: CLLocationManager, didUpdateHeading newHeading: CLHeading)
  /// Never called: nothing is displayed.
  func locationManagerShouldDisplayHeadingCalibration(_ manager: CLLocationManager) -> Bool
  /// The device entered a monitored region.
  func locationManager(_ manager: CLLocationManager, didEnterRegion region: CLRegion)
  /// The device left a monitored region.
  func locationManager(_ manager: CLLocationManager, didExitRegion region: CLRegion)
  /// The answer to `requestState(for:)`; also called after each entry and exit.
  func locationManager(
    _ manager: CLLocationManager, didDetermineState state: CLRegionState, for region: CLRegion)
  /// The daemon was asked to monitor a region.
  func locationManager(_ manager: CLLocationManager, didStartMonitoringFor region: CLRegion)
  /// A region is not monitored; always a `CLError`, whose text says why.
  func locationManager(
    _ manager: CLLocationManager, monitoringDidFailFor region: CLRegion?, withError error: any Error
  )
  /// The device arrived at a place to stay, or left it.
  func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit)
  /// The deferral of updates ended; the error is `nil` if it ended normally.
  func locationManager(
    _ manager: CLLocationManager, didFinishDeferredUpdatesWithError error: (any Error)?)

  // Ours ------------------------------------------------------------------------------------------

  /// The app's state changed. There is no call before a suspension.
  func locationManager(_ manager: CLLocationManager, didChangeAppState state: CLAppState)
  /// The app is being shut down, and its process will be ended after `seconds` (5 as a rule). A suspended app that is
  /// purged or swiped away is not told.
  func locationManager(_ manager: CLLocationManager, willTerminateIn seconds: TimeInterval)
  /// The device moves; requested by `startMonitoringMotion`.
  func locationManagerDidDetectMotion(_ manager: CLLocationManager)
  /// The `count` oldest deliveries were dropped because too many were waiting.
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
