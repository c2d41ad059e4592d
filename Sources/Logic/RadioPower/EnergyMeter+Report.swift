// SPDX-License-Identifier: Apache-2.0

internal import LocationModel

extension EnergyMeter {
  /// The energy used up to the last `finish`, by component and state. Rows that cost nothing at either end of their
  /// range are left out.
  package func report() -> EnergyReport {
    let lanes = Lane.allCases.map { (usage(in: $0), formula.parameters.values(of: $0)) }
    let (nominal, numbers) = lanes[0]
    var report = EnergyReport(components: [], baseline: [], seconds: nominal.seconds)
    for row in formula.rows {
      let joules = lanes.map { row.joules($0, $1) }
      guard let low = joules.min(), let high = joules.max(), high > 0 else { continue }
      let reported = EnergyReport.Row(
        component: row.component, state: row.state, seconds: row.seconds(nominal, numbers),
        energy: EnergyRange(nominal: joules[0], low: low, high: high))
      if !row.isBaseline {
        report.components.append(reported)
      } else if row.component == "floor" || device.floor == .parts {
        report.baseline.append(reported)
      }
    }
    return report
  }
}
