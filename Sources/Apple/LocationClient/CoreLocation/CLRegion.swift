// SPDX-License-Identifier: Apache-2.0

public import Foundation
import Geodesy

/// A named area that the app monitors; of its kinds only the circle can be.
///
/// Two regions are equal if their kind and identifier are: monitoring a region replaces an equal one.
open class CLRegion: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  // `lock` guards the mutable state; the rest is set once.
  /// The app's name for it.
  public let identifier: String
  private let lock = NSLock()
  private var notifiesOnEntry = true
  private var notifiesOnExit = true

  init(identifier: String) {
    self.identifier = identifier
    super.init()
  }

  /// Whether entries are reported; the value at the start of monitoring counts.
  open var notifyOnEntry: Bool {
    get { lock.withLock { notifiesOnEntry } }
    set { lock.withLock { notifiesOnEntry = newValue } }
  }

  /// Whether exits are reported; the value at the start of monitoring counts.
  open var notifyOnExit: Bool {
    get { lock.withLock { notifiesOnExit } }
    set { lock.withLock { notifiesOnExit = newValue } }
  }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? CLRegion else { return false }
    return type(of: self) == type(of: other) && identifier == other.identifier
  }

  open override var hash: Int { identifier.hashValue }

  public class var supportsSecureCoding: Bool { true }

  /// Reads an archive of `encode(with:)`; returns `nil` without an identifier.
  public required init?(coder: NSCoder) {
    guard let text = coder.decodeObject(of: NSString.self, forKey: "identifier") else { return nil }
    identifier = text as String
    notifiesOnEntry = coder.decodeBool(forKey: "notifyOnEntry")
    notifiesOnExit = coder.decodeBool(forKey: "notifyOnExit")
    super.init()
  }

  open func encode(with coder: NSCoder) {
    coder.encode(identifier as NSString, forKey: "identifier")
    coder.encode(notifyOnEntry, forKey: "notifyOnEntry")
    coder.encode(notifyOnExit, forKey: "notifyOnExit")
  }

  open func copy(with zone: NSZone? = nil) -> Any { self }
}

/// A circular region.
///
///     let home = CLCircularRegion(
///       center: CLLocationCoordinate2D(latitude: 55.6761, longitude: 12.5683), radius: 200,
///       identifier: "home")
///     manager.startMonitoring(for: home)  // didEnterRegion, didExitRegion
open class CLCircularRegion: CLRegion, @unchecked Sendable {
  private let circle: (center: CLLocationCoordinate2D, radius: CLLocationDistance)

  open var center: CLLocationCoordinate2D { circle.center }
  /// Metres.
  open var radius: CLLocationDistance { circle.radius }

  /// `radius`: metres; one above `maximumRegionMonitoringDistance` is refused when monitoring begins.
  public init(center: CLLocationCoordinate2D, radius: CLLocationDistance, identifier: String) {
    circle = (center, radius)
    super.init(identifier: identifier)
  }

  /// Whether a point lies in the circle or on its edge, by the geodesic on the WGS-84 ellipsoid. False if either
  /// coordinate is invalid.
  open func contains(_ coordinate: CLLocationCoordinate2D) -> Bool {
    guard let center = center.point, let other = coordinate.point else { return false }
    return center.distance(to: other) <= radius
  }

  public required init?(coder: NSCoder) {
    guard coder.containsValue(forKey: "radius") else { return nil }
    circle = (
      CLLocationCoordinate2D(
        latitude: coder.decodeDouble(forKey: "latitude"),
        longitude: coder.decodeDouble(forKey: "longitude")), coder.decodeDouble(forKey: "radius")
    )
    super.init(coder: coder)
  }

  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(center.latitude, forKey: "latitude")
    coder.encode(center.longitude, forKey: "longitude")
    coder.encode(radius, forKey: "radius")
  }

  /// Returns an independent copy with the same values.
  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy = CLCircularRegion(center: center, radius: radius, identifier: identifier)
    copy.notifyOnEntry = notifyOnEntry
    copy.notifyOnExit = notifyOnExit
    return copy
  }

  open override var description: String {
    "CLCircularRegion (identifier:'\(identifier)', center:<\(center.latitude),\(center.longitude)>, "
      + "radius:\(radius)m)"
  }
}

extension CLRegion {
  /// Why it is not monitored, if it is not.
  var refusal: String {
    self is CLBeaconRegion
      ? "'\(identifier)' is a beacon: Milepost reads positions, not Bluetooth signals"
      : "'\(identifier)' is no circle whose centre is a point on the earth"
  }
}
