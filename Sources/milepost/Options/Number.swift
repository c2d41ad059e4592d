// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// Numbers of options, with their ranges.
enum Number {
  /// A number above 0.
  static func positive(_ text: String) throws -> Double {
    guard let value = Double(text), value > 0, value <= 1e9 else {
      throw ValidationError("'\(text)' is not a number above 0")
    }
    return value
  }

  /// A number that is 0 or more.
  static func zeroOrMore(_ text: String) throws -> Double {
    guard let value = Double(text), value >= 0, value <= 1e9 else {
      throw ValidationError("'\(text)' is not a number of 0 or more")
    }
    return value
  }

  /// A number from 0 to `most`.
  static func share(_ text: String, upTo most: Double) throws -> Double {
    guard let value = Double(text), (0...most).contains(value) else {
      let limit = most == most.rounded() ? String(Int(most)) : String(most)
      throw ValidationError("'\(text)' is not a number from 0 to \(limit)")
    }
    return value
  }

  /// A whole number that JSON carries exactly: 0 to 2⁵³ − 1.
  static func seed(_ text: String) throws -> UInt64 {
    guard let value = UInt64(text), value <= 9_007_199_254_740_991 else {
      throw ValidationError("'\(text)' is not a whole number from 0 to 9007199254740991")
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
