// SPDX-License-Identifier: Apache-2.0

package import LocationModel

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

  /// The sums of many reports of one device; restored rows stand in the order of the meter's.
  package mutating func walkSums(_ walk: inout SumWalk) {
    Self.walkRows(&components, &walk, .energy)
    Self.walkRows(&baseline, &walk, .life)
    walk.quantity(&seconds)
  }

  private static func walkRows(
    _ rows: inout [Row], _ walk: inout SumWalk, _ share: SumWalk.Share
  ) {
    var sums = rows.compactMap { row in
      names.firstIndex { $0 == (row.component, row.state) }.map { key in
        SumWalk.Row(
          key: key,
          values: [row.seconds, row.energy.nominal, row.energy.low, row.energy.high])
      }
    }.sorted { $0.key < $1.key }
    walk.rows(&sums, width: 4, limit: names.count, share)
    rows = sums.map { sum in
      Row(
        component: names[sum.key].component, state: names[sum.key].state, seconds: sum.values[0],
        energy: EnergyRange(nominal: sum.values[1], low: sum.values[2], high: sum.values[3]))
    }
  }

  /// All rows that a meter may report, in its order.
  private static let names: [(component: String, state: String)] = {
    let links = LinkShape.all.map { ($0.isCellular ? "cell" : "wifi", $0) }
    func rows(_ component: String) -> [(String, String)] {
      var states: [String] = []
      for (of, shape) in links where of == component {
        for state in shape.states where !states.contains(state) { states.append(state) }
      }
      return states.map { (component, $0) }
    }
    let receiver = Activity.GNSSState.allCases.map(\.rawValue) + ["linger"]
    let processor = [
      "awake_idle", "active", "moving", "launch", "wake", "delivery", "cell_wake",
    ]
    return [("floor", "suspended")] + receiver.map { ("gnss", $0) } + rows("cell")
      + [("wifi", "scan")] + rows("wifi") + processor.map { ("soc", $0) }
      + [("sensor", "motion"), ("flash", "commit")]
  }()

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
