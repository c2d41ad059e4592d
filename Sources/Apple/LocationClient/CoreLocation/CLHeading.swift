// SPDX-License-Identifier: Apache-2.0

public import Foundation
import LocationModel

/// The direction in which the device points or, without a compass, moves.
///
///     manager.headingFilter = 5  // degrees
///     manager.startUpdatingHeading()  // didUpdateHeading
///     print(manager.heading?.trueHeading ?? -1)
open class CLHeading: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  // Nothing here changes after `init`, which is why `Sendable` is safe.

  /// Degrees from magnetic north, 0 ≤ x < 360; negative if the magnetic declination is unknown, as in most replays.
  public let magneticHeading: CLLocationDirection
  /// Degrees from true north, 0 ≤ x < 360; negative is invalid.
  public let trueHeading: CLLocationDirection
  /// The possible error of the heading, degrees: a course's by speed; 10 for a compass that does not state its own.
  public let headingAccuracy: CLLocationDirection
  /// Always 0: the magnetic field along the device's three axes is not known.
  public let x: CLHeadingComponentValue
  public let y: CLHeadingComponentValue
  public let z: CLHeadingComponentValue
  /// The time of the report, or of the position whose course this is.
  public let timestamp: Date

  init(
    magneticHeading: CLLocationDirection, trueHeading: CLLocationDirection,
    headingAccuracy: CLLocationDirection, timestamp: Date
  ) {
    self.magneticHeading = magneticHeading
    self.trueHeading = trueHeading
    self.headingAccuracy = headingAccuracy
    (x, y, z) = (0, 0, 0)
    self.timestamp = timestamp
    super.init()
  }

  /// Degrees, for a compass that does not state its accuracy [ours]; Core Location's are seldom better.
  private static let compassAccuracy = 10.0

  convenience init(_ heading: Heading, _ timestamp: Date) {
    self.init(
      magneticHeading: heading.magneticNorth ?? -1, trueHeading: heading.trueNorth ?? -1,
      headingAccuracy: heading.accuracy ?? Self.compassAccuracy, timestamp: timestamp)
  }

  public static var supportsSecureCoding: Bool { true }

  public required init?(coder: NSCoder) {
    magneticHeading = coder.decodeDouble(forKey: "magneticHeading")
    trueHeading = coder.decodeDouble(forKey: "trueHeading")
    headingAccuracy = coder.decodeDouble(forKey: "headingAccuracy")
    x = coder.decodeDouble(forKey: "x")
    y = coder.decodeDouble(forKey: "y")
    z = coder.decodeDouble(forKey: "z")
    timestamp = Date(timeIntervalSinceReferenceDate: coder.decodeDouble(forKey: "timestamp"))
    super.init()
  }

  open func encode(with coder: NSCoder) {
    coder.encode(magneticHeading, forKey: "magneticHeading")
    coder.encode(trueHeading, forKey: "trueHeading")
    coder.encode(headingAccuracy, forKey: "headingAccuracy")
    coder.encode(x, forKey: "x")
    coder.encode(y, forKey: "y")
    coder.encode(z, forKey: "z")
    coder.encode(timestamp.timeIntervalSinceReferenceDate, forKey: "timestamp")
  }

  /// Returns itself: it never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  open override var description: String {
    "magneticHeading \(magneticHeading) trueHeading \(trueHeading) accuracy \(headingAccuracy) "
      + "@ \(timestamp)"
  }
}
