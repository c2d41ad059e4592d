// SPDX-License-Identifier: Apache-2.0

/// For how long a receiver is not asked.
package struct RestSpan: Sendable, Equatable, Codable {
  /// Seconds to the next look, as foreseen.
  package var seconds: Double
  /// Seconds to it at most, where silence may put it off; `nil` where it comes as foreseen.
  package var most: Double?

  package init(seconds: Double, most: Double? = nil) {
    self.seconds = seconds
    self.most = most
  }

  /// The same in seconds of another clock, by a function of one to the other.
  package func converted(_ convert: (Double) -> Double) -> Self {
    Self(seconds: convert(seconds), most: most.map(convert))
  }
}
