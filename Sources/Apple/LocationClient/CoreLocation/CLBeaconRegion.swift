// SPDX-License-Identifier: Apache-2.0

public import Foundation

// Beacons as values, so that sources which have them among other regions build. None is ever heard: Milepost reads
// positions, not Bluetooth signals.

public typealias CLBeaconMajorValue = UInt16
public typealias CLBeaconMinorValue = UInt16

/// Identifies Bluetooth beacons.
open class CLBeaconIdentityConstraint: NSObject, @unchecked Sendable {
  // Nothing here changes after `init`, which is why `Sendable` is safe.
  public let uuid: UUID
  /// `nil` is any.
  public let major: CLBeaconMajorValue?
  public let minor: CLBeaconMinorValue?

  public convenience init(uuid: UUID) { self.init(uuid, nil, nil) }
  public convenience init(uuid: UUID, major: CLBeaconMajorValue) { self.init(uuid, major, nil) }
  public convenience init(uuid: UUID, major: CLBeaconMajorValue, minor: CLBeaconMinorValue) {
    self.init(uuid, major, minor)
  }

  init(_ uuid: UUID, _ major: CLBeaconMajorValue?, _ minor: CLBeaconMinorValue?) {
    (self.uuid, self.major, self.minor) = (uuid, major, minor)
    super.init()
  }
}

/// The surroundings of Bluetooth beacons. They cannot be monitored: `monitoringDidFailFor` says so, and
/// `isMonitoringAvailable(for:)` is false.
open class CLBeaconRegion: CLRegion, @unchecked Sendable {
  private let constraint: CLBeaconIdentityConstraint

  open var beaconIdentityConstraint: CLBeaconIdentityConstraint { constraint }
  open var uuid: UUID { constraint.uuid }
  open var major: NSNumber? { constraint.major.map { NSNumber(value: $0) } }
  open var minor: NSNumber? { constraint.minor.map { NSNumber(value: $0) } }

  public init(beaconIdentityConstraint: CLBeaconIdentityConstraint, identifier: String) {
    constraint = beaconIdentityConstraint
    super.init(identifier: identifier)
  }

  public convenience init(uuid: UUID, identifier: String) {
    self.init(beaconIdentityConstraint: .init(uuid, nil, nil), identifier: identifier)
  }

  public convenience init(uuid: UUID, major: CLBeaconMajorValue, identifier: String) {
    self.init(beaconIdentityConstraint: .init(uuid, major, nil), identifier: identifier)
  }

  public convenience init(
    uuid: UUID, major: CLBeaconMajorValue, minor: CLBeaconMinorValue, identifier: String
  ) {
    self.init(beaconIdentityConstraint: .init(uuid, major, minor), identifier: identifier)
  }

  /// The name before iOS 13.
  public convenience init(proximityUUID: UUID, identifier: String) {
    self.init(uuid: proximityUUID, identifier: identifier)
  }

  public required init?(coder: NSCoder) {
    guard
      let text = coder.decodeObject(of: NSString.self, forKey: "uuid"),
      let uuid = UUID(uuidString: text as String)
    else { return nil }
    func number(_ key: String) -> UInt16? {
      coder.containsValue(forKey: key) ? UInt16(exactly: coder.decodeInteger(forKey: key)) : nil
    }
    constraint = CLBeaconIdentityConstraint(uuid, number("major"), number("minor"))
    super.init(coder: coder)
  }

  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(uuid.uuidString as NSString, forKey: "uuid")
    if let major = constraint.major { coder.encode(Int(major), forKey: "major") }
    if let minor = constraint.minor { coder.encode(Int(minor), forKey: "minor") }
  }
}
