// SPDX-License-Identifier: Apache-2.0

import LocationModel

/// One app's monitoring of significant changes; it outlives the app's process.
struct SignificantService: Sendable, Equatable {
  var anchor: Anchor?

  /// Whether a position is a significant change for this app, with the numbers that decided.
  ///
  /// The first fresh position after the start of monitoring is always one.
  func judge(_ fix: Fix, at now: EngineInstant, by rules: EngineRules) -> Verdict {
    var verdict = Verdict(
      .delivered, moved: anchor?.moved(to: fix), movedRequired: rules.significantDistance,
      since: anchor?.since(now), sinceRequired: rules.significantInterval,
      accuracy: fix.horizontalAccuracy)
    if let accuracy = fix.horizontalAccuracy, accuracy > rules.coarsestAccuracy {
      verdict.outcome = .inaccurate
    } else if let moved = verdict.moved, moved < rules.significantDistance {
      verdict.outcome = .tooClose
    } else if let since = verdict.since, since < rules.significantInterval {
      verdict.outcome = .tooSoon
    }
    return verdict
  }
}
