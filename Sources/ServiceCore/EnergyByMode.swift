// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel
import RadioPower
import ServiceContract

// Theory
// ======
//
// The metered energy by the mode for which it was used: at each instant that of the apps which asks for most.
//
//            continuous, of any app     else standard, or one location     else significant, regions, visits
//
// - Who asks for more has the receiver on anyway, and what the others take beside it is small: the receiver is counted
//   once, as in the plan, and so the modes add up to the total.
// - Where nobody asks for anything any more, what still comes (gpsd holds a receiver for a while, a radio has its tail)
//   is the last one's; before anybody asked it is nobody's.
// - Modes change with inputs; what was used is settled then, and where somebody wants to know.

/// Energy above the baseline by mode, since the start of the service.
struct EnergyByMode: Sendable, Equatable {
  /// The app that asks for most now, or did last; `nil` before anybody asked.
  private(set) var leader: Service?
  private var energies: [Service: EnergyRange] = [:]
  private var unasked = EnergyRange.zero
  private var settled = EnergyRange.zero

  /// All up to `total`, what was used since the start, is borne by whom it was for.
  mutating func settle(upTo total: EnergyRange) {
    let part = EnergyRange(
      nominal: max(0, total.nominal - settled.nominal), low: max(0, total.low - settled.low),
      high: max(0, total.high - settled.high))
    settled = total
    if let leader { energies[leader, default: .zero] += part } else { unasked += part }
  }

  /// From now on it is for `service`.
  mutating func lead(_ service: Service) { leader = service }

  /// Modes that took something or were asked for, the one that asks for most first; `nil` is nobody's.
  var rows: [(mode: Service?, energy: EnergyRange)] {
    let asked = [Service.continuous, .standard, .significant].compactMap { mode in
      energies[mode].map { (mode: Service?.some(mode), energy: $0) }
    }
    return unasked.nominal > 0 ? asked + [(mode: nil, energy: unasked)] : asked
  }
}

extension LocationService {
  /// Settles what was used, where the mode is another one now.
  mutating func followMode() {
    guard let mode = engine.leadingService, mode != energyByMode.leader else { return }
    settleEnergy()
    energyByMode.lead(mode)
  }

  /// Looks at a copy of the meter: what it adds up must not depend on who asked it when.
  mutating func settleEnergy() {
    var meter = meter
    energyByMode.settle(upTo: meter.report(at: now.at).total)
  }
}
