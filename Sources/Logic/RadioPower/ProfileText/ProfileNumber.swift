// SPDX-License-Identifier: Apache-2.0

/// One number of a profile with the range in which it honestly lies; all three finite, at least 0,
/// and `low ≤ nominal ≤ high`. The unit is the row's.
package struct Quantity: Sendable, Equatable {
  package let nominal: Double
  package let low: Double
  package let high: Double

  package init(nominal: Double, low: Double, high: Double) {
    self.nominal = nominal
    self.low = low
    self.high = high
  }

  static let zero = Self(nominal: 0, low: 0, high: 0)

  /// The value that one of the meter's three lanes calculates with.
  subscript(lane: Lane) -> Double {
    switch lane {
    case .nominal: nominal
    case .low: low
    case .high: high
    }
  }

  static func + (a: Self, b: Self) -> Self {
    Self(nominal: a.nominal + b.nominal, low: a.low + b.low, high: a.high + b.high)
  }
}

/// The three parameter sets with which the same activity is metered.
enum Lane: CaseIterable, Sendable {
  case nominal
  case low
  case high
}

/// The confidence in a number.
package enum Confidence: String, Sendable, CaseIterable {
  /// Measured on the device itself.
  case measured
  /// Read in the primary text.
  case read
  /// Read in a quotation of the primary text.
  case readSecondHand = "read-2nd"
  /// From memory of the literature.
  case recalled
  /// Computed from other numbers; as certain as the weakest of them.
  case calculated = "calc"
  /// An engineer's estimate without a source; printed as such.
  case estimate
}

/// One row of a profile file: a number with everything a reader needs to judge it.
package struct ProfileNumber: Sendable, Equatable {
  package let key: ProfileKey
  package let value: Quantity
  package let unit: String
  package let confidence: Confidence
  package let source: String
  /// 1-based line of the file.
  package let line: Int
}

/// The key of a number in a profile: `gnss,track_good,power`.
package struct ProfileKey: Sendable, Hashable, CustomStringConvertible {
  package let component: String
  package let state: String
  package let quantity: String

  init(_ component: String, _ state: String, _ quantity: String) {
    self.component = component
    self.state = state
    self.quantity = quantity
  }

  package var description: String { "\(component),\(state),\(quantity)" }
}
