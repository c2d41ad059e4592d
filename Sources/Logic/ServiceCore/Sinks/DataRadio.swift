// SPDX-License-Identifier: Apache-2.0

import LocationModel
import ServiceContract

// Theory
// ======
//
// All sinks share the machine's connection. A radio that has sent something stays on for its tail, and data sent within
// it cost only themselves, without a promotion and a tail:
//
//             a sink begins             the last one ends           the network's tail is over
//   closed ────────────────► busy ───────────────────────► tail ──────────────────────────────► closed
//      ▲                      ▲ └── another begins ──┐       │ a sink begins
//      └──────────────────────┴──────────────────────┴───────┘
//
// - Deferrable data go as soon as the radio is open, whoever opened it; so do transfers unknown here (an app's own):
//   they open nothing.
// - With a connection reported down no sink begins that needs it; an unreported one is tried.

/// Whether the radio of the machine's connection is on for data.
struct DataRadio: Sendable, Equatable {
  private var busy: Set<AppID> = []
  private var tailEnds: EngineInstant?
  /// As reported by the machine; `nil` if it reports nothing.
  var network: NetworkReading?

  mutating func began(_ app: AppID) { busy.insert(app) }

  /// `tail` seconds of the network's tail are still to come; 0 for one that has none.
  mutating func ended(_ app: AppID, at now: EngineInstant, tail: Double) {
    guard busy.remove(app) != nil else { return }
    tailEnds = max(tailEnds ?? now, now.advanced(bySeconds: tail))
  }

  func isOpen(at now: EngineInstant) -> Bool {
    !busy.isEmpty || tailEnds.map { now < $0 } == true
  }
}
