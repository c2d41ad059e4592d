// SPDX-License-Identifier: Apache-2.0

/// What the cheapest schedule that a clairvoyant could choose comes to.
package struct Optimum: Sendable, Equatable {
  /// δ: seconds within which each crossing is delivered.
  package let delay: Double
  /// Deliveries of the schedule, the first one included.
  package let events: Int
  /// Joules above the baseline.
  package let energy: Double
  /// The same where deliveries before a crossing are allowed: what nothing can undercut.
  package let boundEvents: Int
  package let boundEnergy: Double
}
