// SPDX-License-Identifier: Apache-2.0

/// What an activity cost, by component and state, above the baseline.
package struct EnergyReport: Sendable, Equatable {
  /// Seconds and energy of one state of one component.
  package struct Row: Sendable, Equatable {
    /// `gnss`, `cell`, `wifi`, `soc`, `sensor`, `flash`; in the baseline also `floor`.
    package let component: String
    /// The state or the event, as the profile names it: `tail`, `acquire_hot`, `launch`.
    package let state: String
    package var seconds: Double
    /// Joules.
    package var energy: EnergyRange
  }

  /// Above the baseline, in a fixed order; energies add up to `total`.
  package var components: [Row]
  /// What the device takes anyway: suspended floor and idle paging (for a host that never sleeps, the
  /// host). Never attributed to a mode.
  package var baseline: [Row]
  /// Metered seconds.
  package var seconds: Double

  /// Joules above the baseline.
  package var total: EnergyRange {
    components.reduce(into: EnergyRange.zero) { $0 += $1.energy }
  }

  /// Joules of the baseline.
  package var baselineTotal: EnergyRange {
    baseline.reduce(into: EnergyRange.zero) { $0 += $1.energy }
  }
}

/// Joules as nominal value with the range that the profile's ranges allow.
package struct EnergyRange: Sendable, Equatable {
  package var nominal: Double
  package var low: Double
  package var high: Double

  package static let zero = Self(nominal: 0, low: 0, high: 0)

  package static func += (a: inout Self, b: Self) {
    a.nominal += b.nominal
    a.low += b.low
    a.high += b.high
  }
}
