// SPDX-License-Identifier: Apache-2.0

/// Units and "unknown" of what sentences say about movement and geometry.
enum Motion {
  /// Metres per second of knots (1,852 m an hour); negative is unknown.
  static func speed(knots: Double?) -> Double? {
    guard let knots, knots >= 0 else { return nil }
    return knots * 1_852 / 3_600
  }

  /// Metres per second of kilometres per hour; negative is unknown.
  static func speed(kilometresPerHour: Double?) -> Double? {
    guard let kilometresPerHour, kilometresPerHour >= 0 else { return nil }
    return kilometresPerHour / 3.6
  }

  /// Degrees, 0 ≤ x < 360; 360 is 0, others are unknown.
  static func course(_ degrees: Double?) -> Double? {
    guard let degrees, degrees >= 0, degrees <= 360 else { return nil }
    return degrees == 360 ? 0 : degrees
  }

  /// A dilution of precision; 0 and 99 or more are receivers' words for "unknown".
  static func dilution(_ value: Double?) -> Double? {
    guard let value, value > 0, value < 99 else { return nil }
    return value
  }
}
