// SPDX-License-Identifier: Apache-2.0

import JSONText
import RadioPower

/// Joules in JSON are whole microjoules, rounded part by part, and a sum is the sum of its rounded
/// parts: so the parts in a document add up to its total exactly.
struct Microjoules {
  private let count: Double

  init(_ joules: Double) { count = (joules * 1e6).rounded() }

  init(sumOf joules: [Double]) { count = joules.reduce(0) { $0 + ($1 * 1e6).rounded() } }

  var joules: Double { count / 1e6 }
}

extension EnergyReport {
  /// The total as the sum of the printed `components`.
  var printedTotal: EnergyRange {
    var sum = EnergyRange.zero
    sum.nominal = Microjoules(sumOf: components.map(\.energy.nominal)).joules
    sum.low = Microjoules(sumOf: components.map(\.energy.low)).joules
    sum.high = Microjoules(sumOf: components.map(\.energy.high)).joules
    return sum
  }
}

enum EnergyTables {
  /// `energy_j`, `energy_low_j` and `energy_high_j`.
  static let range = JSONTable<EnergyRange> { energy in
    energy.known(
      "energy_j", decimals: 6,
      about: "Above the baseline; the exact sum of the components' energy_j.", \.nominal)
    energy.known(
      "energy_low_j", decimals: 6, about: "With every number of the profile at its low end.", \.low)
    energy.known(
      "energy_high_j", decimals: 6, about: "With every number of the profile at its high end.",
      \.high)
  }

  static let row = row(in: 0...1e15)

  static let rows = JSONForm<[EnergyReport.Row]>.array(of: row.output)

  /// What an app adds to the others of its device: less than nothing where it makes something shorter that they share.
  static let differences = JSONForm<[EnergyReport.Row]>.array(of: row(in: -1e15...1e15).output)

  private static func row(in range: ClosedRange<Double>) -> JSONTable<EnergyReport.Row> {
    JSONTable { row in
      row.value(
        "component", about: "gnss, cell, wifi, soc, sensor or flash; in a baseline also floor.",
        \.component)
      row.value("state", about: "State or event as the profile names it.", \.state)
      row.known("seconds", in: range, decimals: 6, \.seconds)
      row.known("energy_j", in: range, decimals: 6) { Microjoules($0.energy.nominal).joules }
    }
  }
}
