// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import ServiceContract
import Wording

// The machine's source of energy, and the price of lateness by that and by the configuration. The meaning of it for the
// looks is the engine's (LatenessTerms.swift).
//
//   external_power = yes, no     as stated
//   automatic                    as last reported; before the first report as reported to the service before
//                                this one; a machine without reports counts as on a battery, for looks that are
//                                too rare are noticed sooner than a battery that empties too soon

extension LocationService {
  mutating func powered(_ isExternal: Bool?) {
    facts.isOnExternalPower = isExternal ?? false
    followLateness()
  }

  /// By the configuration, and the machine's report.
  var lateness: LatenessTerms {
    var terms = settings.rules.lateness
    terms.isOnExternalPower = settings.externalPower ?? facts.isOnExternalPower
    return terms
  }

  /// Continues the engine with the present price of lateness, if it has changed.
  mutating func followLateness() {
    guard engine.rules.lateness != lateness else { return }
    needsCheckpoint()
    reconfigureEngine()
    guard let worth = engine.lookWorth else { return }
    journal(.notice, worth.words())
  }
}
