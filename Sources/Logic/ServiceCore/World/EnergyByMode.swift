// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel
import RadioPower
import ServiceContract

// Theory
// ======
//
// The metered energy by the mode that used it: at each instant that of the most demanding app.
//
//            continuous, of any app     else standard, or one location     else significant, regions, visits
//
// - The most demanding app has the receiver on anyway, and the others add little: the receiver is counted once, as in
//   the plan, and so the modes add up to the total.
// - Without any request, the remaining energy (gpsd holds a receiver for a while, a radio has its tail) belongs to the
//   last one; before the first request it belongs to none.
// - Modes change with inputs; the energy is settled then, and on request.

/// Energy above the baseline by mode, since the start of the service.
struct EnergyByMode: Sendable, Equatable {
  /// The mode of the most demanding app, present or last; `nil` before any request.
  private(set) var leader: Service?
  private var energies: [Service: EnergyRange] = [:]
  private var unasked = EnergyRange.zero
  private var settled = EnergyRange.zero

  /// Assigns the energy up to `total`, since the start, to the mode that used it.
  mutating func settle(upTo total: EnergyRange) {
    let part = EnergyRange(
      nominal: max(0, total.nominal - settled.nominal), low: max(0, total.low - settled.low),
      high: max(0, total.high - settled.high))
    settled = total
    if let leader { energies[leader, default: .zero] += part } else { unasked += part }
  }

  /// Makes `service` the mode from now on.
  mutating func lead(_ service: Service) { leader = service }

  /// Modes that used energy or were requested, the most demanding first; `nil` is none.
  var rows: [StatusDocument.Energy.Mode] {
    let asked = [Service.continuous, .standard, .significant].compactMap { mode in
      energies[mode].map { StatusDocument.Energy.Mode(mode: mode, energy: $0) }
    }
    return unasked.nominal > 0 ? asked + [.init(energy: unasked)] : asked
  }
}
