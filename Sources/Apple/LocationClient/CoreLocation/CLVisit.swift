// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A stay at one place, reported at its start and again at its end.
///
///     func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit) {
///       let isOver = visit.departureDate != .distantFuture
///       print(visit.coordinate, isOver ? "left at \(visit.departureDate)" : "arrived")
///     }
///
/// A subclass may override each property, as test doubles do.
open class CLVisit: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  // Nothing here changes after `init`, which is why `Sendable` is safe.

  private let values: Values

  private struct Values {
    var arrival = Date.distantPast
    var departure = Date.distantFuture
    var coordinate = CLLocationCoordinate2D()
    var horizontalAccuracy: CLLocationAccuracy = -1
  }

  /// The arrival; `distantPast` if unknown.
  open var arrivalDate: Date { values.arrival }
  /// The departure; `distantFuture` while the device is still there.
  open var departureDate: Date { values.departure }
  /// The place of the stay, WGS 84.
  open var coordinate: CLLocationCoordinate2D { values.coordinate }
  /// Radius of the 68 % circle, metres; negative if unknown.
  open var horizontalAccuracy: CLLocationAccuracy { values.horizontalAccuracy }

  /// A stay of which nothing is known, at 0° north, 0° east.
  public override init() {
    values = Values()
    super.init()
  }

  init(
    arrivalDate: Date?, departureDate: Date?, coordinate: CLLocationCoordinate2D,
    horizontalAccuracy: CLLocationAccuracy
  ) {
    values = Values(
      arrival: arrivalDate ?? .distantPast, departure: departureDate ?? .distantFuture,
      coordinate: coordinate, horizontalAccuracy: horizontalAccuracy)
    super.init()
  }

  public static var supportsSecureCoding: Bool { true }

  public required init?(coder: NSCoder) {
    func date(_ key: String) -> Date {
      Date(timeIntervalSinceReferenceDate: coder.decodeDouble(forKey: key))
    }
    values = Values(
      arrival: date("arrival"), departure: date("departure"),
      coordinate: CLLocationCoordinate2D(
        latitude: coder.decodeDouble(forKey: "latitude"),
        longitude: coder.decodeDouble(forKey: "longitude")),
      horizontalAccuracy: coder.decodeDouble(forKey: "horizontalAccuracy"))
    super.init()
  }

  open func encode(with coder: NSCoder) {
    coder.encode(arrivalDate.timeIntervalSinceReferenceDate, forKey: "arrival")
    coder.encode(departureDate.timeIntervalSinceReferenceDate, forKey: "departure")
    coder.encode(coordinate.latitude, forKey: "latitude")
    coder.encode(coordinate.longitude, forKey: "longitude")
    coder.encode(horizontalAccuracy, forKey: "horizontalAccuracy")
  }

  /// Returns itself: it never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  open override var description: String {
    "<\(coordinate.latitude),\(coordinate.longitude)> +/- \(horizontalAccuracy)m "
      + "from \(arrivalDate) to \(departureDate)"
  }
}
