// SPDX-License-Identifier: Apache-2.0

/// The one place that decides which numbers are values and which are a program's word for "unknown".
enum FieldMeaning {
  /// Metres, metres per second or a count: no value of a fix is this large, by far.
  static let limit = 1e9

  static func finite(_ value: Double?) -> Double? {
    value.flatMap { $0.magnitude < limit ? $0 : nil }
  }

  /// An accuracy or one sigma, metres: above 0.
  static func accuracy(_ value: Double?) -> Double? {
    finite(value).flatMap { $0 > 0 ? $0 : nil }
  }

  /// The error of a direction, degrees: above 0; beyond 180 there is no direction.
  static func courseAccuracy(_ degrees: Double?) -> Double? {
    accuracy(degrees).flatMap { $0 <= 180 ? $0 : nil }
  }

  /// A dilution of precision; 0 and 99 or more are receivers' words for none.
  static func dilution(_ value: Double?) -> Double? {
    accuracy(value).flatMap { $0 < 99 ? $0 : nil }
  }

  /// A speed; a negative one (Core Location's −1) is none.
  static func speed(_ value: Double?) -> Double? {
    finite(value).flatMap { $0 >= 0 ? $0 : nil }
  }

  /// Degrees, 0 ≤ x < 360; 360 is 0, others are none.
  static func course(_ degrees: Double?) -> Double? {
    guard let degrees, degrees >= 0, degrees <= 360 else { return nil }
    return degrees == 360 ? 0 : degrees
  }
}
