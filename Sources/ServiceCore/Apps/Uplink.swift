// SPDX-License-Identifier: Apache-2.0

import LocationModel
import ServiceContract

// Theory
// ======
//
// All sinks share the machine's connection. A radio that has sent something stays on for its tail, and what
// is sent within it costs the data and no promotion and no tail of its own:
//
//             a sink begins             the last one ends           the network's tail is over
//   closed ────────────────► busy ───────────────────────► tail ──────────────────────────────► closed
//      ▲                      ▲ └── another begins ──┐       │ a sink begins
//      └──────────────────────┴──────────────────────┴───────┘
//
// - What may wait goes as soon as the radio is open, whoever opened it; so do transfers of which nobody knows
//   here (an app's own): they open nothing.
// - A connection that is said to be down lets nobody begin who needs it; of one of which nothing is said it is
//   found out by trying.

/// Whether the radio of the machine's connection is on for somebody's data.
struct Uplink: Sendable, Equatable {
  private var busy: Set<AppID> = []
  private var tailEnds: EngineInstant?
  /// As the machine tells it; `nil` where it tells nothing.
  var network: NetworkReading?

  mutating func began(_ app: AppID) { busy.insert(app) }

  /// Seconds of the network's tail are still to come; 0 of one that has none.
  mutating func ended(_ app: AppID, at now: EngineInstant, tail: Double) {
    guard busy.remove(app) != nil else { return }
    tailEnds = max(tailEnds ?? now, now.advanced(bySeconds: tail))
  }

  func isOpen(at now: EngineInstant) -> Bool {
    !busy.isEmpty || tailEnds.map { now < $0 } == true
  }
}
