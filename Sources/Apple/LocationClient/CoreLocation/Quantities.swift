// SPDX-License-Identifier: Apache-2.0

// Core Location exports Foundation, so code that relies on that compiles after only its import is changed.
@_exported public import Foundation

/// Metres.
public typealias CLLocationDistance = Double
/// Metres; negative is invalid.
public typealias CLLocationAccuracy = Double
/// Metres per second; negative is invalid.
public typealias CLLocationSpeed = Double
/// Metres per second; negative is invalid.
public typealias CLLocationSpeedAccuracy = Double
/// Degrees clockwise from true north, 0 ≤ x < 360; negative is invalid.
public typealias CLLocationDirection = Double
/// Degrees; negative is invalid.
public typealias CLLocationDirectionAccuracy = Double
/// Microteslas.
public typealias CLHeadingComponentValue = Double
/// Degrees of latitude or longitude.
public typealias CLLocationDegrees = Double

/// The best possible, with the help of other sensors if there are any.
public let kCLLocationAccuracyBestForNavigation: CLLocationAccuracy = -2
/// The best that the receiver can do; the default.
public let kCLLocationAccuracyBest: CLLocationAccuracy = -1
public let kCLLocationAccuracyNearestTenMeters: CLLocationAccuracy = 10
public let kCLLocationAccuracyHundredMeters: CLLocationAccuracy = 100
public let kCLLocationAccuracyKilometer: CLLocationAccuracy = 1_000
public let kCLLocationAccuracyThreeKilometers: CLLocationAccuracy = 3_000
/// The accuracy of an app that is allowed approximate positions only; here a request like the others.
public let kCLLocationAccuracyReduced: CLLocationAccuracy = .greatestFiniteMagnitude

/// Every fix is delivered.
public let kCLDistanceFilterNone: CLLocationDistance = -1
/// Every heading would be delivered.
public let kCLHeadingFilterNone: CLLocationDegrees = -1
/// A distance beyond any filter.
public let CLLocationDistanceMax: CLLocationDistance = .greatestFiniteMagnitude
/// A time beyond any timeout, seconds.
public let CLTimeIntervalMax: TimeInterval = .greatestFiniteMagnitude

/// A point in WGS-84 degrees; values outside the valid ranges can be stored.
public struct CLLocationCoordinate2D: Sendable {
  /// Degrees north.
  public var latitude: CLLocationDegrees
  /// Degrees east.
  public var longitude: CLLocationDegrees

  public init() {
    latitude = 0
    longitude = 0
  }

  public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
    self.latitude = latitude
    self.longitude = longitude
  }
}

/// An invalid coordinate: −180°, −180°.
public let kCLLocationCoordinate2DInvalid = CLLocationCoordinate2D(
  latitude: -180, longitude: -180)

public func CLLocationCoordinate2DMake(
  _ latitude: CLLocationDegrees, _ longitude: CLLocationDegrees
) -> CLLocationCoordinate2D {
  CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
}

/// Whether latitude is within ±90° and longitude within ±180°.
public func CLLocationCoordinate2DIsValid(_ coordinate: CLLocationCoordinate2D) -> Bool {
  coordinate.latitude.magnitude <= 90 && coordinate.longitude.magnitude <= 180
}
