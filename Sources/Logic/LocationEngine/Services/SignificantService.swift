// SPDX-License-Identifier: Apache-2.0

import LocationModel

/// One app's monitoring of significant changes; it outlives the app's process.
struct SignificantService: Sendable, Equatable, Codable {
  var anchor: Anchor?
  /// The start of monitoring, or the last time its app was told or woken; `nil` in what an older
  /// release wrote.
  var since: EngineInstant?

  /// The rule by which a position is significant.
  struct Criteria: Equatable {
    /// Metres from the anchor.
    var distance: Double
    /// Seconds since the anchor.
    var interval: Double
    /// A position coarser than this decides nothing, metres.
    var coarsestAccuracy: Double
    /// An accuracy above this, metres, counts with a standard deviation: so much farther must a position be, and be it
    /// from an anchor. Two such errors add up as independent ones.
    var plainAccuracy = Double.infinity
    /// The usual one, over the distance [ours].
    static let plainShare = 0.1

    init(_ rules: EngineRules) {
      distance = rules.significantDistance
      interval = rules.significantInterval
      coarsestAccuracy = rules.coarsestAccuracy
    }

    /// Metres that a position of this accuracy must be from an anchor.
    func required(from anchor: Anchor?, accuracy: Double?) -> Double {
      let squares = [anchor?.accuracy, accuracy].reduce(0) { sum, accuracy in
        let accuracy = accuracy ?? 0
        return accuracy > plainAccuracy ? sum + accuracy * accuracy : sum
      }
      return distance + Fix.deviation(ofAccuracy: squares.squareRoot())
    }
  }

  /// Whether a position is a significant change for this app, with the deciding numbers.
  ///
  /// The first fresh position after the start of monitoring is always one.
  func judge(_ fix: Fix, at now: EngineInstant, by criteria: Criteria) -> Verdict {
    var verdict = Verdict(
      .delivered, moved: anchor?.moved(to: fix),
      movedRequired: criteria.required(from: anchor, accuracy: fix.horizontalAccuracy),
      since: anchor?.since(now), sinceRequired: criteria.interval,
      accuracy: fix.horizontalAccuracy)
    if let accuracy = fix.horizontalAccuracy, accuracy > criteria.coarsestAccuracy {
      verdict.outcome = .inaccurate
    } else if let moved = verdict.moved, let required = verdict.movedRequired, moved < required {
      verdict.outcome = .tooClose
    } else if let since = verdict.since, since < criteria.interval {
      verdict.outcome = .tooSoon
    }
    return verdict
  }
}
