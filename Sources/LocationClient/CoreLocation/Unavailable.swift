// SPDX-License-Identifier: Apache-2.0

public import Foundation

// What Core Location has and a Linux machine cannot do. The names are here so that a compiler says why,
// where it would say that it does not know them.

/// Bluetooth beacons.
@available(
  *, unavailable, message: "beacons are not here: Milepost reads positions, not Bluetooth signals"
)
open class CLBeaconRegion: NSObject {}

@available(
  *, unavailable, message: "beacons are not here: Milepost reads positions, not Bluetooth signals"
)
open class CLBeacon: NSObject {}

@available(
  *, unavailable, message: "beacons are not here: Milepost reads positions, not Bluetooth signals"
)
open class CLBeaconIdentityConstraint: NSObject {}

/// Addresses from positions and back.
@available(
  *, unavailable,
  message: "geocoding is not here: it is an address service on the network; ask one over HTTP"
)
open class CLGeocoder: NSObject {}

@available(
  *, unavailable,
  message: "geocoding is not here: it is an address service on the network; ask one over HTTP"
)
open class CLPlacemark: NSObject {}

extension CLLocationManager {
  @available(
    *, unavailable, message: "beacons are not here: Milepost reads positions, not Bluetooth signals"
  )
  public var rangedRegions: Set<CLRegion> { [] }

  @available(
    *, unavailable,
    message: "there is no token here: milepost apps send APP location_push sends such a push"
  )
  public func startMonitoringLocationPushes(
    completion: (@Sendable (Data?, (any Error)?) -> Void)? = nil
  ) {}

  @available(
    *, unavailable,
    message: "there is no token here: milepost apps send APP location_push sends such a push"
  )
  public func stopMonitoringLocationPushes() {}
}
