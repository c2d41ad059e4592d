// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A stay at one place, reported at its start and again at its end.
///
///     func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit) {
///       let isOver = visit.departureDate != .distantFuture
///       print(visit.coordinate, isOver ? "left at \(visit.departureDate)" : "arrived")
///     }
open class CLVisit: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  // Nothing here changes after `init`, which is why `Sendable` is safe.

  /// The arrival; `distantPast` if unknown.
  public let arrivalDate: Date
  /// The departure; `distantFuture` while the device is still there.
  public let departureDate: Date
  /// The place of the stay, WGS 84.
  public let coordinate: CLLocationCoordinate2D
  /// Radius of the 68 % circle, metres; negative if unknown.
  public let horizontalAccuracy: CLLocationAccuracy

  init(
    arrivalDate: Date?, departureDate: Date?, coordinate: CLLocationCoordinate2D,
    horizontalAccuracy: CLLocationAccuracy
  ) {
    self.arrivalDate = arrivalDate ?? .distantPast
    self.departureDate = departureDate ?? .distantFuture
    self.coordinate = coordinate
    self.horizontalAccuracy = horizontalAccuracy
    super.init()
  }

  public static var supportsSecureCoding: Bool { true }

  public required init?(coder: NSCoder) {
    arrivalDate = Date(timeIntervalSinceReferenceDate: coder.decodeDouble(forKey: "arrival"))
    departureDate = Date(timeIntervalSinceReferenceDate: coder.decodeDouble(forKey: "departure"))
    coordinate = CLLocationCoordinate2D(
      latitude: coder.decodeDouble(forKey: "latitude"),
      longitude: coder.decodeDouble(forKey: "longitude"))
    horizontalAccuracy = coder.decodeDouble(forKey: "horizontalAccuracy")
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
