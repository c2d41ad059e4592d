// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// Numbers of options, with their ranges.
enum Number {
  /// A number above 0.
  static func positive(_ text: String, most: Double = most) throws -> Double {
    guard let value = Double(text), value > 0, value <= most else {
      throw ValidationError("'\(text)' is not a number above 0 and at most \(shortest(most))")
    }
    return value
  }

  /// A number that is 0 or more.
  static func zeroOrMore(_ text: String) throws -> Double { try inside(text, 0...most) }

  /// A number of a closed range.
  static func inside(_ text: String, _ range: ClosedRange<Double>) throws -> Double {
    guard let value = Double(text), range.contains(value) else {
      throw ValidationError(
        "'\(text)' is not a number from \(shortest(range.lowerBound)) to \(shortest(range.upperBound))"
      )
    }
    return value
  }

  /// No length, time or rate of an option exceeds 30 years in seconds.
  private static let most = 1e9

  /// The number as text: without a point if it is whole.
  static func shortest(_ value: Double) -> String {
    value == value.rounded() ? String(Int(value)) : String(value)
  }

  /// A whole number that JSON carries exactly: 0 to 2⁵³ − 1.
  static func seed(_ text: String) throws -> UInt64 {
    guard let value = UInt64(text), value <= 9_007_199_254_740_991 else {
      throw ValidationError("'\(text)' is not a whole number from 0 to 9007199254740991")
    }
    return value
  }

  /// The number of simulated worlds.
  static func worlds(_ text: String) throws -> Int {
    guard let value = Int(text), (1...1_000).contains(value) else {
      throw ValidationError("'\(text)' is not a whole number from 1 to 1000")
    }
    return value
  }

  /// Bytes of an upload: at most 1 GB.
  static func bytes(_ text: String) throws -> Int {
    guard let value = Int(text), (0...1_000_000_000).contains(value) else {
      throw ValidationError("'\(text)' is not a whole number of bytes from 0 to 1000000000")
    }
    return value
  }
}
