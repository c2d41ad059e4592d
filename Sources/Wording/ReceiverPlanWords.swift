// SPDX-License-Identifier: Apache-2.0

package import LocationEngine

extension ReceiverPlan.Off {
  /// Why the receiver is off, in plain words; `seconds` is the time to the next session.
  package func words(nextIn seconds: Double?) -> String {
    let next = seconds.map { Figures.span(max(0, $0)) } ?? Figures.unknown
    return switch self {
    case .nobodyAsks: "nobody asks for locations"
    case .nobodyRuns: "the apps that asked do not run, and nothing wakes them"
    case .awaitsCellChange: "waits for another cell"
    case .awaitsSession: "the next session is in \(next)"
    case .awaitsHint: "the device rests; the next session is in \(next)"
    case .networkServes: ReceiverPlan.off(self).accuracyWords
    case .positionHolds, .networkMissing:
      "\(ReceiverPlan.off(self).accuracyWords); the next session is in \(next)"
    case .awaitsMotion: "waits until the device moves"
    case .paused: "updates are paused"
    }
  }
}
