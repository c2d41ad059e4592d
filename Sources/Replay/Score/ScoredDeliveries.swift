// SPDX-License-Identifier: Apache-2.0

import LocationModel
import Scoring

// How a replay's own values enter the scorer.

extension ScoredDelivery {
  init(_ delivery: Delivery, at now: EngineInstant) {
    self.init(
      at: now, coordinate: delivery.fix.coordinate, accuracy: delivery.fix.horizontalAccuracy,
      isCached: delivery.isCached)
  }
}

extension TruthSample {
  var point: TruePoint { TruePoint(at: at, coordinate: coordinate) }
}
