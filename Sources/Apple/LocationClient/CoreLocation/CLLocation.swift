// SPDX-License-Identifier: Apache-2.0

public import Foundation
import Geodesy
package import LocationModel

/// One position, in Core Location's form: unknown values are negative.
///
///     let office = CLLocation(latitude: 55.6761, longitude: 12.5683)
///     if location.horizontalAccuracy >= 0, location.distance(from: office) < 200 { print("there") }
///
/// A subclass may override each property, as test doubles do. The archive format is Milepost's own: it does not read
/// Core Location's archives, nor the other way round.
open class CLLocation: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  // Nothing here changes after `init`, which is why `Sendable` is safe.
  private let values: Values

  /// The stored values; a new number goes here and into `numbers`.
  private struct Values {
    var coordinate: CLLocationCoordinate2D
    var altitude: CLLocationDistance = 0
    var ellipsoidalAltitude: CLLocationDistance = 0
    var horizontalAccuracy: CLLocationAccuracy = 0
    var verticalAccuracy: CLLocationAccuracy = -1
    var course: CLLocationDirection = -1
    var courseAccuracy: CLLocationDirectionAccuracy = -1
    var speed: CLLocationSpeed = -1
    var speedAccuracy: CLLocationSpeedAccuracy = -1
    var timestamp: Date
    var source: CLLocationSourceInformation?

    /// The numbers, by their keys in an archive.
    static let numbers: [(key: String, path: any WritableKeyPath<Values, Double> & Sendable)] = [
      ("latitude", \.coordinate.latitude), ("longitude", \.coordinate.longitude),
      ("altitude", \.altitude), ("ellipsoidalAltitude", \.ellipsoidalAltitude),
      ("horizontalAccuracy", \.horizontalAccuracy), ("verticalAccuracy", \.verticalAccuracy),
      ("course", \.course), ("courseAccuracy", \.courseAccuracy), ("speed", \.speed),
      ("speedAccuracy", \.speedAccuracy),
    ]
  }

  // MARK: What is known

  open var coordinate: CLLocationCoordinate2D { values.coordinate }
  /// Metres above mean sea level; valid only if `verticalAccuracy` is above 0.
  open var altitude: CLLocationDistance { values.altitude }
  /// Metres above the WGS-84 ellipsoid; valid only if `verticalAccuracy` is above 0.
  open var ellipsoidalAltitude: CLLocationDistance { values.ellipsoidalAltitude }
  /// Radius of the 68 % circle, metres; negative if unknown.
  ///
  /// Core Location calls a coordinate with a negative accuracy invalid. Here the receiver reported the coordinate
  /// without stating its accuracy.
  open var horizontalAccuracy: CLLocationAccuracy { values.horizontalAccuracy }
  /// Half of the 68 % interval, metres; negative if altitudes are unknown, 0 if only their accuracy
  /// is.
  open var verticalAccuracy: CLLocationAccuracy { values.verticalAccuracy }
  /// Degrees clockwise from true north; negative if unknown.
  open var course: CLLocationDirection { values.course }
  /// The possible error of `course`, degrees; negative if unknown. The daemon passes on gpsd's value (`epd`); many
  /// receivers give none.
  open var courseAccuracy: CLLocationDirectionAccuracy { values.courseAccuracy }
  /// Metres per second over ground; negative if unknown.
  open var speed: CLLocationSpeed { values.speed }
  /// The possible error of `speed`, metres per second; negative if unknown. The daemon passes on gpsd's value (`eps`);
  /// many receivers give none.
  open var speedAccuracy: CLLocationSpeedAccuracy { values.speedAccuracy }
  /// The time of the fix by the receiver's clock; the time of its arrival if the receiver gave none.
  open var timestamp: Date { values.timestamp }
  /// The storey of a building; always `nil`, since receivers here do not report it.
  open var floor: CLFloor? { nil }
  /// The source of the position; `nil` if unknown, as from the daemon. Positions of a replayed trace are simulated by
  /// software.
  open var sourceInformation: CLLocationSourceInformation? { values.source }

  // MARK: Made by hand

  private init(_ values: Values) {
    self.values = values
    super.init()
  }

  /// 0° north, 0° east, now.
  public override init() {
    values = Values(coordinate: CLLocationCoordinate2D(), timestamp: Date())
    super.init()
  }

  /// A position of which only the coordinate is known.
  public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
    values = Values(
      coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: longitude),
      timestamp: Date())
    super.init()
  }

  public init(
    coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance,
    horizontalAccuracy: CLLocationAccuracy, verticalAccuracy: CLLocationAccuracy, timestamp: Date
  ) {
    values = Values(
      coordinate: coordinate, altitude: altitude, ellipsoidalAltitude: altitude,
      horizontalAccuracy: horizontalAccuracy, verticalAccuracy: verticalAccuracy,
      timestamp: timestamp)
    super.init()
  }

  public init(
    coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance,
    horizontalAccuracy: CLLocationAccuracy, verticalAccuracy: CLLocationAccuracy,
    course: CLLocationDirection, speed: CLLocationSpeed, timestamp: Date
  ) {
    values = Values(
      coordinate: coordinate, altitude: altitude, ellipsoidalAltitude: altitude,
      horizontalAccuracy: horizontalAccuracy, verticalAccuracy: verticalAccuracy, course: course,
      speed: speed, timestamp: timestamp)
    super.init()
  }

  public init(
    coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance,
    horizontalAccuracy: CLLocationAccuracy, verticalAccuracy: CLLocationAccuracy,
    course: CLLocationDirection, courseAccuracy: CLLocationDirectionAccuracy,
    speed: CLLocationSpeed, speedAccuracy: CLLocationSpeedAccuracy, timestamp: Date
  ) {
    values = Values(
      coordinate: coordinate, altitude: altitude, ellipsoidalAltitude: altitude,
      horizontalAccuracy: horizontalAccuracy, verticalAccuracy: verticalAccuracy, course: course,
      courseAccuracy: courseAccuracy, speed: speed, speedAccuracy: speedAccuracy,
      timestamp: timestamp)
    super.init()
  }

  /// The same, with the source of the position.
  public init(
    coordinate: CLLocationCoordinate2D, altitude: CLLocationDistance,
    horizontalAccuracy: CLLocationAccuracy, verticalAccuracy: CLLocationAccuracy,
    course: CLLocationDirection, courseAccuracy: CLLocationDirectionAccuracy,
    speed: CLLocationSpeed, speedAccuracy: CLLocationSpeedAccuracy, timestamp: Date,
    sourceInfo: CLLocationSourceInformation
  ) {
    values = Values(
      coordinate: coordinate, altitude: altitude, ellipsoidalAltitude: altitude,
      horizontalAccuracy: horizontalAccuracy, verticalAccuracy: verticalAccuracy, course: course,
      courseAccuracy: courseAccuracy, speed: speed, speedAccuracy: speedAccuracy,
      timestamp: timestamp, source: sourceInfo)
    super.init()
  }

  /// A fix of the engine, with the timestamp for the app.
  package init(_ fix: Fix, timestamp: Date, source: CLLocationSourceInformation? = nil) {
    let knowsHeight = fix.altitude != nil || fix.ellipsoidalHeight != nil
    values = Values(
      coordinate: CLLocationCoordinate2D(
        latitude: fix.coordinate.latitude, longitude: fix.coordinate.longitude),
      altitude: fix.altitude ?? 0, ellipsoidalAltitude: fix.ellipsoidalHeight ?? 0,
      horizontalAccuracy: fix.horizontalAccuracy ?? -1,
      verticalAccuracy: knowsHeight ? fix.verticalAccuracy ?? 0 : -1, course: fix.course ?? -1,
      courseAccuracy: fix.courseAccuracy ?? -1, speed: fix.speed ?? -1,
      speedAccuracy: fix.speedAccuracy ?? -1, timestamp: timestamp, source: source)
    super.init()
  }

  // MARK: Archives and copies

  public static var supportsSecureCoding: Bool { true }

  /// Reads an archive of `encode(with:)`; returns `nil` if a number is missing.
  public required init?(coder: NSCoder) {
    var read = Values(
      coordinate: CLLocationCoordinate2D(),
      timestamp: Date(timeIntervalSinceReferenceDate: coder.decodeDouble(forKey: "timestamp")),
      source: coder.decodeObject(of: CLLocationSourceInformation.self, forKey: "source"))
    for (key, path) in Values.numbers {
      guard coder.containsValue(forKey: key) else { return nil }
      read[keyPath: path] = coder.decodeDouble(forKey: key)
    }
    values = read
    super.init()
  }

  open func encode(with coder: NSCoder) {
    for (key, path) in Values.numbers { coder.encode(values[keyPath: path], forKey: key) }
    coder.encode(timestamp.timeIntervalSinceReferenceDate, forKey: "timestamp")
    if let source = values.source { coder.encode(source, forKey: "source") }
  }

  /// Returns itself: it never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  // MARK: What follows

  /// The length of the geodesic on the WGS-84 ellipsoid, metres; heights do not count.
  ///
  /// The error is below 1 mm except for points within half a degree of each other's antipode (0.6 %). NaN if one of the
  /// two coordinates is invalid.
  open func distance(from location: CLLocation) -> CLLocationDistance {
    guard let here = coordinate.point, let there = location.coordinate.point else { return .nan }
    return here.distance(to: there)
  }

  open override var description: String {
    "<\(coordinate.latitude),\(coordinate.longitude)> +/- \(horizontalAccuracy)m "
      + "(speed \(speed) mps / course \(course)) @ \(timestamp)"
  }
}

/// The known facts about the source of a position.
open class CLLocationSourceInformation: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  // Nothing here changes after `init`, which is why `Sendable` is safe.

  /// Whether software, such as a replay, made the position.
  public let isSimulatedBySoftware: Bool
  /// Whether another device measured the position.
  public let isProducedByAccessory: Bool

  public init(
    softwareSimulationState isSoftware: Bool, andExternalAccessoryState isAccessory: Bool
  ) {
    isSimulatedBySoftware = isSoftware
    isProducedByAccessory = isAccessory
    super.init()
  }

  public static var supportsSecureCoding: Bool { true }

  public required init?(coder: NSCoder) {
    isSimulatedBySoftware = coder.decodeBool(forKey: "software")
    isProducedByAccessory = coder.decodeBool(forKey: "accessory")
    super.init()
  }

  open func encode(with coder: NSCoder) {
    coder.encode(isSimulatedBySoftware, forKey: "software")
    coder.encode(isProducedByAccessory, forKey: "accessory")
  }

  open func copy(with zone: NSZone? = nil) -> Any { self }
}

/// The storey of a building.
open class CLFloor: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  /// 0 is the ground floor.
  public let level: Int

  init(level: Int) {
    self.level = level
    super.init()
  }

  public static var supportsSecureCoding: Bool { true }

  public required init?(coder: NSCoder) {
    level = coder.decodeInteger(forKey: "level")
    super.init()
  }

  open func encode(with coder: NSCoder) { coder.encode(level, forKey: "level") }

  open func copy(with zone: NSZone? = nil) -> Any { self }
}

extension CLLocationCoordinate2D {
  /// The point; `nil` if the numbers are none.
  var point: Coordinate? { Coordinate(latitude: latitude, longitude: longitude) }

  init(_ point: Coordinate) { self.init(latitude: point.latitude, longitude: point.longitude) }
}
