// SPDX-License-Identifier: Apache-2.0

/// The energy of an activity, by component and state, above the baseline.
package struct EnergyReport: Sendable, Equatable, Codable {
  /// Seconds and energy of one state of one component.
  package struct Row: Sendable, Equatable, Codable {
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
  /// The energy that the device takes anyway: suspended floor and idle paging (for a host that never sleeps, the host).
  /// Never attributed to a mode.
  package var baseline: [Row]
  /// Metered seconds.
  package var seconds: Double

  /// Nothing metered yet; several reports are added up from here.
  package static let zero = Self(components: [], baseline: [], seconds: 0)

  /// Adds another report of the same device row by row: several traces, one total. A new row goes behind those of
  /// its component.
  package static func += (a: inout Self, b: Self) {
    add(rows: b.components, to: &a.components)
    add(rows: b.baseline, to: &a.baseline)
    a.seconds += b.seconds
  }

  private static func add(rows: [Row], to sum: inout [Row]) {
    for row in rows {
      if let index = sum.firstIndex(where: {
        $0.component == row.component && $0.state == row.state
      }) {
        sum[index].seconds += row.seconds
        sum[index].energy += row.energy
      } else {
        let last = sum.lastIndex { $0.component == row.component }
        sum.insert(row, at: last.map { $0 + 1 } ?? sum.endIndex)
      }
    }
  }

  /// Joules above the baseline.
  package var total: EnergyRange {
    components.reduce(into: EnergyRange.zero) { $0 += $1.energy }
  }

  /// Joules of the baseline.
  package var baselineTotal: EnergyRange {
    baseline.reduce(into: EnergyRange.zero) { $0 += $1.energy }
  }
}

/// Joules as nominal value with the range allowed by the profile's ranges.
package typealias EnergyRange = Quantity
