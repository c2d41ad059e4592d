// SPDX-License-Identifier: Apache-2.0

/// A number with the range in which it honestly lies; in a profile all three are finite, at least 0, and
/// `low ≤ nominal ≤ high`. Its unit is stated where it stands.
package struct Quantity: Sendable, Equatable, Codable {
  package var nominal: Double
  package var low: Double
  package var high: Double

  package init(nominal: Double, low: Double, high: Double) {
    self.nominal = nominal
    self.low = low
    self.high = high
  }

  package static let zero = Self(nominal: 0, low: 0, high: 0)

  /// The value that one of the meter's three lanes calculates with.
  subscript(lane: Lane) -> Double {
    switch lane {
    case .nominal: nominal
    case .low: low
    case .high: high
    }
  }

  /// The same multiplied by `count`.
  package func times(_ count: Int) -> Self {
    Self(nominal: nominal * Double(count), low: low * Double(count), high: high * Double(count))
  }

  package static func += (a: inout Self, b: Self) {
    a.nominal += b.nominal
    a.low += b.low
    a.high += b.high
  }
}

/// The three parameter sets with which the same activity is metered.
enum Lane: Int, CaseIterable, Sendable {
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
  /// Fitted to measurements of whole devices by `Tools/fit-meter`; the source says to which.
  case fit
  /// Computed from other numbers; as certain as the weakest of them.
  case calculated = "calc"
  /// An engineer's estimate without a source; printed as such.
  case estimate
}

/// One row of a profile: a number with everything a reader needs to judge it.
package struct ProfileNumber: Sendable, Equatable {
  package let key: ProfileKey
  package let value: Quantity
  package let unit: String
  package let confidence: Confidence
  package let source: String
  /// 1-based line of the file; `nil` if it comes from elsewhere.
  let line: Int?

  package init(
    _ key: ProfileKey, _ value: Quantity, unit: String, confidence: Confidence, source: String,
    line: Int? = nil
  ) {
    self.key = key
    self.value = value
    self.unit = unit
    self.confidence = confidence
    self.source = source
    self.line = line
  }
}

/// The key of a number in a profile: `gnss,track_good,power`.
package struct ProfileKey: Sendable, Hashable, CustomStringConvertible {
  package let component: String
  package let state: String
  package let quantity: String

  package init(_ component: String, _ state: String, _ quantity: String) {
    self.component = component
    self.state = state
    self.quantity = quantity
  }

  package var description: String { "\(component),\(state),\(quantity)" }
}
