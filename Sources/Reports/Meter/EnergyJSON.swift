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
  /// The total as the sum of what `components` prints.
  var printedTotal: EnergyRange {
    var sum = EnergyRange.zero
    sum.nominal = Microjoules(sumOf: components.map(\.energy.nominal)).joules
    sum.low = Microjoules(sumOf: components.map(\.energy.low)).joules
    sum.high = Microjoules(sumOf: components.map(\.energy.high)).joules
    return sum
  }
}

extension JSONWriter {
  /// `energy_j`, `energy_low_j` and `energy_high_j`.
  mutating func energyMembers(_ energy: EnergyRange) {
    member("energy_j", energy.nominal, decimals: 6)
    member("energy_low_j", energy.low, decimals: 6)
    member("energy_high_j", energy.high, decimals: 6)
  }

  /// An array of `component state seconds energy_j`.
  mutating func energyRows(_ name: String, _ rows: [EnergyReport.Row]) {
    objects(name, rows) {
      [
        "component": .text($0.component), "state": .text($0.state),
        "seconds": .number($0.seconds, decimals: 6),
        "energy_j": .joules(Microjoules($0.energy.nominal).joules),
      ]
    }
  }
}
