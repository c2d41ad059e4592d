// SPDX-License-Identifier: Apache-2.0

import JSONText
package import RadioPower
import Wording

/// `milepost meter`: what an activity log cost. Schema `milepost.energy/1`.
package enum MeterReport {
  package static let schema = "milepost.energy/1"

  /// One document on one line, without a line feed.
  package static func json(_ meter: EnergyMeter) -> [UInt8] {
    let report = meter.report()
    var json = JSONWriter()
    json.object { json in
      json.member("schema", schema)
      json.member("profile", meter.device.name)
      json.member("network", meter.network?.name)
      json.energyMembers(report.printedTotal)
      json.energyRows("components", report.components)
      json.energyRows("baseline", report.baseline)
    }
    return json.bytes
  }

  package static func text(_ meter: EnergyMeter, style: TextStyle) -> String {
    let report = meter.report()
    let network = meter.network.map { ", network \($0.name)" } ?? ", without a cellular network"
    var table = TextTable()
    table.header(["component and state", "time", "energy", "range"])
    for row in report.components { table.row(cells("\(row.component) \(row.state)", row)) }
    table.row(cells("total above the baseline", report.printedTotal, seconds: report.seconds))
    for row in report.baseline {
      table.row(cells("baseline, not counted: \(row.component) \(row.state)", row))
    }
    return style.bold("profile \(meter.device.name)") + network + "\n\n" + table.text(style) + "\n"
      + Paragraph.text(
        "Modelled, not measured; ranges come from those of the profile's numbers. The display and the "
          + "rest of the system are not modelled. Sources: milepost profiles show \(meter.device.name)."
      )
  }

  private static func cells(_ name: String, _ row: EnergyReport.Row) -> [String] {
    cells(name, row.energy, seconds: row.seconds)
  }

  private static func cells(_ name: String, _ energy: EnergyRange, seconds: Double) -> [String] {
    [
      name, "\(Decimal.text(seconds, decimals: 3, trimmed: true)) s",
      Figures.energy(energy.nominal),
      Figures.energyRange(energy.low, energy.high, around: energy.nominal),
    ]
  }
}
