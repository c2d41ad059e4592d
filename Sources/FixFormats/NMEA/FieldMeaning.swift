// SPDX-License-Identifier: Apache-2.0

/// Units, validity and "unknown" of what sentences say.
enum FieldMeaning {
  /// Whether a status is a valid one: A, or D (differential) of some old receivers; V and empty are
  /// not, and `nil` is no status at all.
  static func status(_ letter: UInt8?) -> Bool? {
    switch letter {
    case UInt8(ascii: "A"), UInt8(ascii: "D"): true
    case UInt8(ascii: "V"), nil: false
    default: nil
    }
  }

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
