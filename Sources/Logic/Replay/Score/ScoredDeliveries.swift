// SPDX-License-Identifier: Apache-2.0

import LocationModel
import Scoring

extension ScoredDelivery {
  init(_ fix: Fix, isCached: Bool, at now: EngineInstant) {
    self.init(
      at: now, coordinate: fix.coordinate, accuracy: fix.horizontalAccuracy, isCached: isCached)
  }
}
