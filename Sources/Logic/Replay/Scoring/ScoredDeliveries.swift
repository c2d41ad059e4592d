// SPDX-License-Identifier: Apache-2.0

import LocationModel

extension ScoredDelivery {
  init(_ fix: Fix, isCached: Bool, at now: EngineInstant) {
    self.init(
      at: now, coordinate: fix.coordinate, accuracy: fix.horizontalAccuracy, isCached: isCached)
  }
}
