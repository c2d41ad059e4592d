// SPDX-License-Identifier: Apache-2.0

public import Foundation
import Geodesy
package import LocationModel

/// One position, as Core Location hands it out: what is unknown is negative.
open class CLLocation: NSObject, @unchecked Sendable {
  // Nothing here changes after `init`, which is why `Sendable` is safe.

  public let coordinate: CLLocationCoordinate2D
  /// Metres above mean sea level; counts only where `verticalAccuracy` is above 0.
  public let altitude: CLLocationDistance
  /// Metres above the WGS-84 ellipsoid; counts only where `verticalAccuracy` is above 0.
  public let ellipsoidalAltitude: CLLocationDistance
  /// Radius of the 68 % circle, metres; negative where it is unknown.
  ///
  /// Core Location calls a coordinate with a negative accuracy invalid. Here the coordinate is one that
  /// a receiver reported without saying how good it is.
  public let horizontalAccuracy: CLLocationAccuracy
  /// Half of the 68 % interval, metres; negative where altitudes are unknown, 0 where only their
  /// accuracy is.
  public let verticalAccuracy: CLLocationAccuracy
  /// Degrees clockwise from true north; negative where it is unknown.
  public let course: CLLocationDirection
  /// Always negative: receivers here do not say.
  public let courseAccuracy: CLLocationDirectionAccuracy
  /// Metres per second over ground; negative where it is unknown.
  public let speed: CLLocationSpeed
  /// Always negative: receivers here do not say.
  public let speedAccuracy: CLLocationSpeedAccuracy
  /// When the position was determined, by the receiver's clock; when it arrived where that gave no time.
  public let timestamp: Date

  /// A position of which only the place is known.
  public convenience init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
    self.init(
      coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: longitude), altitude: 0,
      horizontalAccuracy: 0, verticalAccuracy: -1, timestamp: Date())
  }

  public convenience init(
    coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance,
    horizontalAccuracy: CLLocationAccuracy, verticalAccuracy: CLLocationAccuracy, timestamp: Date
  ) {
    self.init(
      coordinate: coordinate, altitude: altitude, horizontalAccuracy: horizontalAccuracy,
      verticalAccuracy: verticalAccuracy, course: -1, speed: -1, timestamp: timestamp)
  }

  public init(
    coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance,
    horizontalAccuracy: CLLocationAccuracy, verticalAccuracy: CLLocationAccuracy,
    course: CLLocationDirection, speed: CLLocationSpeed, timestamp: Date
  ) {
    self.coordinate = coordinate
    self.altitude = altitude
    ellipsoidalAltitude = altitude
    self.horizontalAccuracy = horizontalAccuracy
    self.verticalAccuracy = verticalAccuracy
    self.course = course
    courseAccuracy = -1
    self.speed = speed
    speedAccuracy = -1
    self.timestamp = timestamp
    super.init()
  }

  /// A fix of the engine, with the instant that the app is to see.
  package init(_ fix: Fix, timestamp: Date) {
    coordinate = CLLocationCoordinate2D(
      latitude: fix.coordinate.latitude, longitude: fix.coordinate.longitude)
    altitude = fix.altitude ?? 0
    ellipsoidalAltitude = fix.ellipsoidalHeight ?? 0
    horizontalAccuracy = fix.horizontalAccuracy ?? -1
    let knowsHeight = fix.altitude != nil || fix.ellipsoidalHeight != nil
    verticalAccuracy = knowsHeight ? fix.verticalAccuracy ?? 0 : -1
    course = fix.course ?? -1
    courseAccuracy = -1
    speed = fix.speed ?? -1
    speedAccuracy = -1
    self.timestamp = timestamp
    super.init()
  }

  /// Length of the geodesic on the WGS-84 ellipsoid, metres; heights do not count.
  ///
  /// Better than 1 mm but for points within half a degree of each other's antipode (0.6 %). NaN where
  /// one of the two has a coordinate that is none.
  open func distance(from location: CLLocation) -> CLLocationDistance {
    guard let here = coordinate.point, let there = location.coordinate.point else { return .nan }
    return here.distance(to: there)
  }

  open override var description: String {
    "<\(coordinate.latitude),\(coordinate.longitude)> +/- \(horizontalAccuracy)m "
      + "(speed \(speed) mps / course \(course)) @ \(timestamp)"
  }
}

extension CLLocationCoordinate2D {
  fileprivate var point: Coordinate? { Coordinate(latitude: latitude, longitude: longitude) }
}
