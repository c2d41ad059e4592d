// SPDX-License-Identifier: Apache-2.0

import LocationModel
import Scoring

// Conversions of a replay's values for the scorer.

extension ScoredDelivery {
  init(_ fix: Fix, isCached: Bool, at now: EngineInstant) {
    self.init(
      at: now, coordinate: fix.coordinate, accuracy: fix.horizontalAccuracy, isCached: isCached)
  }
}

extension TruthSample {
  var point: TruePoint { TruePoint(at: at, coordinate: coordinate) }
}
