// SPDX-License-Identifier: Apache-2.0

public import Foundation

// The parts of Core Location that a Linux machine cannot provide. Names and signatures are Apple's, so that the
// compiler gives the reason instead of reporting an unknown name or a type mismatch; nothing here can be called.

// MARK: - Beacons

@available(
  *, unavailable, message: "beacons are not here: Milepost reads positions, not Bluetooth signals"
)
open class CLBeacon: NSObject {
  open var uuid: UUID { UUID() }
  open var major: NSNumber { 0 }
  open var minor: NSNumber { 0 }
  open var proximity: CLProximity { .unknown }
  open var accuracy: CLLocationAccuracy { -1 }
  open var rssi: Int { 0 }
  open var timestamp: Date { .distantPast }
}

extension CLMonitor {
  /// A Bluetooth beacon.
  @available(
    *, unavailable, message: "beacons are not here: Milepost reads positions, not Bluetooth signals"
  )
  public struct BeaconIdentityCondition: CLCondition {
    public init(uuid: UUID) {}
    public init(uuid: UUID, major: CLBeaconMajorValue) {}
    public init(uuid: UUID, major: CLBeaconMajorValue, minor: CLBeaconMinorValue) {}
  }
}

@available(
  *, unavailable, message: "beacons are not here: Milepost reads positions, not Bluetooth signals"
)
extension CLLocationManager {
  public var rangedRegions: Set<CLRegion> { [] }
  public var rangedBeaconConstraints: Set<CLBeaconIdentityConstraint> { [] }
  public func startRangingBeacons(satisfying constraint: CLBeaconIdentityConstraint) {}
  public func stopRangingBeacons(satisfying constraint: CLBeaconIdentityConstraint) {}
  public func startRangingBeacons(in region: CLBeaconRegion) {}
  public func stopRangingBeacons(in region: CLBeaconRegion) {}
}

// MARK: - Addresses

/// Addresses from positions and back.
@available(
  *, unavailable,
  message: "geocoding is not here: it is an address service on the network; ask one over HTTP"
)
open class CLGeocoder: NSObject {
  public typealias Answer = ([CLPlacemark]?, (any Error)?) -> Void

  open var isGeocoding: Bool { false }

  open func reverseGeocodeLocation(_ location: CLLocation) async throws -> [CLPlacemark] { [] }
  open func reverseGeocodeLocation(
    _ location: CLLocation, completionHandler: @escaping Answer
  ) {}
  open func reverseGeocodeLocation(
    _ location: CLLocation, preferredLocale locale: Locale?
  ) async throws -> [CLPlacemark] { [] }
  open func reverseGeocodeLocation(
    _ location: CLLocation, preferredLocale locale: Locale?, completionHandler: @escaping Answer
  ) {}
  open func geocodeAddressString(_ addressString: String) async throws -> [CLPlacemark] { [] }
  open func geocodeAddressString(
    _ addressString: String, completionHandler: @escaping Answer
  ) {}
  open func geocodeAddressString(
    _ addressString: String, in region: CLRegion?
  ) async throws -> [CLPlacemark] { [] }
  open func geocodeAddressString(
    _ addressString: String, in region: CLRegion?, completionHandler: @escaping Answer
  ) {}
  open func cancelGeocode() {}
}

@available(
  *, unavailable,
  message: "geocoding is not here: it is an address service on the network; ask one over HTTP"
)
open class CLPlacemark: NSObject {
  open var location: CLLocation? { nil }
  open var region: CLRegion? { nil }
  open var timeZone: TimeZone? { nil }
  open var name: String? { nil }
  open var thoroughfare: String? { nil }
  open var subThoroughfare: String? { nil }
  open var locality: String? { nil }
  open var subLocality: String? { nil }
  open var administrativeArea: String? { nil }
  open var subAdministrativeArea: String? { nil }
  open var postalCode: String? { nil }
  open var isoCountryCode: String? { nil }
  open var country: String? { nil }
  open var inlandWater: String? { nil }
  open var ocean: String? { nil }
  open var areasOfInterest: [String]? { nil }
}

// MARK: - Tokens

@available(
  *, unavailable,
  message: "there is no token here: milepost apps send APP location_push sends such a push"
)
extension CLLocationManager {
  public func startMonitoringLocationPushes(
    completion: (@Sendable (Data?, (any Error)?) -> Void)? = nil
  ) {}
  public func stopMonitoringLocationPushes() {}
}
