// SPDX-License-Identifier: Apache-2.0

package import LocationModel

// The name of a plan in recordings, JSON and status.

extension ReceiverPlan {
  package var name: String {
    switch self {
    case .off: "off"
    case .continuous: "continuous"
    case .session: "session"
    }
  }

  /// The latest instant at which the receiver is switched on; `nil` while it is on, or if no instant is known.
  package var nextSession: EngineInstant? {
    if case .off(let off) = self { off.until } else { nil }
  }
}

extension ReceiverPlan.Off {
  package var name: String {
    switch self {
    case .nobodyAsks: "nobody_asks"
    case .nobodyRuns: "nobody_runs"
    case .awaitsCellChange: "awaits_cell_change"
    case .awaitsInterval: "awaits_interval"
    case .awaitsPlace: "awaits_place"
    case .awaitsSession: "awaits_session"
    case .awaitsHint: "awaits_hint"
    case .awaitsNetwork: "awaits_network"
    case .positionHolds: "position_holds"
    case .networkServes: "network_serves"
    case .networkMissing: "network_missing"
    case .awaitsMotion: "awaits_motion"
    case .paused: "paused"
    }
  }

  /// The latest instant at which the receiver is switched on, or the next event may come; `nil` if no instant is known.
  package var until: EngineInstant? {
    switch self {
    case .awaitsSession(let instant), .awaitsHint(let instant), .awaitsNetwork(let instant),
      .awaitsInterval(let instant), .positionHolds(let instant, _), .networkMissing(let instant, _):
      instant
    case .nobodyAsks, .nobodyRuns, .awaitsCellChange, .awaitsPlace, .networkServes, .awaitsMotion,
      .paused:
      nil
    }
  }
}
