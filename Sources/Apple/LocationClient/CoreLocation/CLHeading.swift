// SPDX-License-Identifier: Apache-2.0

public import Foundation
import LocationModel

/// The direction in which the device points or, without a compass, moves.
///
///     manager.headingFilter = 5  // degrees
///     manager.startUpdatingHeading()  // didUpdateHeading
///     print(manager.heading?.trueHeading ?? -1)
///
/// A subclass may override each property, as test doubles do.
open class CLHeading: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  // Nothing here changes after `init`, which is why `Sendable` is safe.

  private let values: Values

  private struct Values {
    var magnetic: CLLocationDirection = -1
    var `true`: CLLocationDirection = -1
    var accuracy: CLLocationDirection = -1
    var x: CLHeadingComponentValue = 0
    var y: CLHeadingComponentValue = 0
    var z: CLHeadingComponentValue = 0
    var timestamp: Date
  }

  /// Degrees from magnetic north, 0 ≤ x < 360; negative if the magnetic declination is unknown, as in most replays.
  open var magneticHeading: CLLocationDirection { values.magnetic }
  /// Degrees from true north, 0 ≤ x < 360; negative is invalid.
  open var trueHeading: CLLocationDirection { values.true }
  /// The possible error of the heading, degrees: a course's by speed; 10 for a compass that does not state its own.
  open var headingAccuracy: CLLocationDirection { values.accuracy }
  /// Always 0: the magnetic field along the device's three axes is not known.
  open var x: CLHeadingComponentValue { values.x }
  open var y: CLHeadingComponentValue { values.y }
  open var z: CLHeadingComponentValue { values.z }
  /// The time of the report, or of the position whose course this is.
  open var timestamp: Date { values.timestamp }

  /// An invalid heading, now.
  public override init() {
    values = Values(timestamp: Date())
    super.init()
  }

  init(
    magneticHeading: CLLocationDirection, trueHeading: CLLocationDirection,
    headingAccuracy: CLLocationDirection, timestamp: Date
  ) {
    values = Values(
      magnetic: magneticHeading, true: trueHeading, accuracy: headingAccuracy, timestamp: timestamp)
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
    values = Values(
      magnetic: coder.decodeDouble(forKey: "magneticHeading"),
      true: coder.decodeDouble(forKey: "trueHeading"),
      accuracy: coder.decodeDouble(forKey: "headingAccuracy"),
      x: coder.decodeDouble(forKey: "x"), y: coder.decodeDouble(forKey: "y"),
      z: coder.decodeDouble(forKey: "z"),
      timestamp: Date(timeIntervalSinceReferenceDate: coder.decodeDouble(forKey: "timestamp")))
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
