// SPDX-License-Identifier: Apache-2.0

package import JSONText
package import RadioPower
import ServiceContract

/// `milepost meter`: the energy of an activity log. Schema `milepost.energy/1`.
package enum MeterReport {
  private static let document = JSONDocument<Metered>(
    "milepost.energy/1",
    "milepost meter --json: what an activity log cost."
  ) { metered in
    metered.value("profile", \.profile)
    metered.value("network", \.network)
    metered.include(EnergyTables.range, \.report.printedTotal)
    metered.value(
      "components", EnergyTables.rows, about: "Above the baseline.", \.report.components)
    metered.value(
      "baseline", EnergyTables.rows, about: "What the device takes anyway.", \.report.baseline)
  }

  private struct Metered {
    let profile: String
    let network: String?
    let report: EnergyReport
  }

  package static var schema: JSONSchema { document.schema }

  /// One document on one line.
  package static func json(_ meter: EnergyMeter) -> [UInt8] {
    document.line(
      Metered(
        profile: meter.device.name, network: meter.network?.name, report: meter.report()))
  }

  package static func report(_ meter: EnergyMeter) -> Report {
    let report = meter.report()
    let parts = report.components.map {
      cells("\($0.component) \($0.state)", $0.energy, seconds: $0.seconds)
    }
    let total = cells("total above the baseline", report.printedTotal, seconds: report.seconds)
    let baseline = report.baseline.map {
      cells(
        "baseline, not counted: \($0.component) \($0.state)", $0.energy, seconds: $0.seconds)
    }
    return Report {
      Node.title(
        "profile \(meter.device.name)",
        meter.network.map { ", network \($0.name)" } ?? ", without a cellular network")
      Node.part {
        Node.table(
          Table(
            head: ["component and state", "time", "energy", "all low–high"],
            rows: parts + [total] + baseline))
      }
      Node.part {
        Node.sentence(
          "Modelled, not measured; all low–high is with every number of the profile at its low end, and with "
            + "every one at its high end, without what measured devices differ by, which the ranges of compare and "
            + "replay have. The display and the rest of the system are not modelled. Sources: milepost profiles show \(meter.device.name)."
        )
      }
    }
  }

  private static func cells(_ name: String, _ energy: EnergyRange, seconds: Double) -> [String] {
    [
      name, "\(Decimal.text(seconds, decimals: 3, trimmed: true)) s",
      Figures.energy(energy.nominal),
      Figures.energyRange(energy.low, energy.high, around: energy.nominal),
    ]
  }
}
