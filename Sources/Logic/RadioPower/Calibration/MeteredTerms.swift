// SPDX-License-Identifier: Apache-2.0

internal import LocationModel

// The energy of a device is a sum of terms: a number of the profile times the demand (power × seconds, energy ×
// commits), as EnergyFormula states them. Here they become the cost so far of one unit of each number, so that a
// measurement can be solved for the numbers.
//
// Three parts are not linear and are settled thus:
// - durations of promotions and tails decide the link's state: they are the profile's;
// - an impulse of the processor (launch, wake, delivery) is a duration at the active power: its joules are
//   fitted, and the duration follows with whichever active power holds;
// - the cost of a transfer by rate or size is taken from the profile (`given`).

/// The numbers of a device and a network on which a metered energy depends linearly.
struct MeteredTerms: Sendable {
  /// The numbers, in the order of the profiles; those of the network behind those of the device.
  let numbers: [ProfileNumber]
  /// Whether the network profile has each.
  var isOfNetwork: [Bool] { numbers.map { $0.key.component == "cell" } }

  private let slots: [Int]

  init(device: DeviceProfile, network: NetworkProfile?) {
    let formula = EnergyFormula(device: device, network: network)
    var terms: Set<Int> = []
    Self.visit(formula, EnergyUsage()) { slot, _ in terms.insert(slot) }
    let all = formula.parameters.numbers
    let keys = (device.numbers + (network?.numbers ?? [])).map(\.key)
    slots = keys.compactMap { key in
      all.firstIndex { $0?.key == key }.flatMap {
        terms.contains($0) && !key.quantity.hasPrefix("per_") ? $0 : nil
      }
    }
    numbers = slots.compactMap { all[$0] }
  }

  /// The cost so far, joules, of one unit of each number, up to the meter's last `finish`; and the joules that no
  /// number here covers: the cost of transfers by rate or size.
  func amounts(_ meter: EnergyMeter) -> (amounts: [Double], given: Double) {
    let all = meter.formula.parameters.numbers
    var (amounts, given) = (all.map { _ in 0.0 }, 0.0)
    Self.visit(meter.formula, meter.usage) { slot, amount in
      amounts[slot] += amount
      guard let number = all[slot], number.key.quantity.hasPrefix("per_") else { return }
      given += amount * number.value.nominal
    }
    return (slots.map { amounts[$0] }, given)
  }

  /// Visits each term with the slot of its number.
  private static func visit(
    _ formula: EnergyFormula, _ usage: EnergyUsage, _ body: (Int, Double) -> Void
  ) {
    for row in formula.rows {
      if row.component == "soc", let each = row.each {
        body(each, row.amount(usage) * row.power(formula.nominal) * 1e-3)
      } else {
        let seconds = row.seconds(usage, formula.nominal)
        for slot in row.powers { body(slot, seconds * 1e-3) }
      }
      for other in row.more { body(other.slot, other.amount(usage) * 1e-3) }
    }
  }
}
