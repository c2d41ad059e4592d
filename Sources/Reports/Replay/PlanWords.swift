// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel
import Replay

extension ReceiverPlan {
  /// Why it is off, as a name in JSON; `nil` while it is on.
  var reason: String? {
    if case .off(let off) = self { off.name } else { nil }
  }

  /// UTC until which it is off at most, as told in `event`; `nil` where no instant is known.
  func until(after event: ReplayEvent) -> UTCInstant? {
    nextSession.map {
      event.time.advanced(bySeconds: EngineInstant.seconds(from: event.at, to: $0))
    }
  }

  /// What it is to do, in words.
  func words(at event: ReplayEvent) -> String {
    switch self {
    case .continuous: return "on, for as long as somebody asks"
    case .session: return "on, for one session"
    case .off(let off):
      return "off: \(off.words)" + (until(after: event).map { " until \($0.rfc3339)" } ?? "")
    }
  }
}

extension ReceiverPlan.Off {
  /// The reason in words.
  package var words: String {
    switch self {
    case .nobodyAsks: "no app asks for locations"
    case .nobodyRuns: "the apps that asked do not run"
    case .awaitsCellChange: "the next change of cell is awaited"
    case .awaitsSession: "the next session is awaited"
    case .awaitsHint: "a hint of a move, or the next session, is awaited"
    case .positionHolds, .networkServes, .networkMissing: ReceiverPlan.off(self).accuracyWords
    case .awaitsMotion: "motion is awaited"
    case .paused: "updates are paused"
    }
  }
}
