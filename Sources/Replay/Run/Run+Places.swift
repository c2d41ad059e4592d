// SPDX-License-Identifier: Apache-2.0

import LocationModel
import Scoring

extension Run {
  /// Nobody knows where the device is from now on; `events` are those that show at the end only.
  mutating func endSegment(after events: [TruthEvent]) {
    for event in events { whereabouts.note(event) }
    whereabouts.endSegment()
    for index in regions.indices { regions[index].endSegment() }
  }

  /// The plan's app was told what happened at a region.
  mutating func told(_ delivery: Delivery) {
    let (identifier, isEntry): (String, Bool)
    switch delivery.event {
    case .entered(let region)?: (identifier, isEntry) = (region, true)
    case .exited(let region)?: (identifier, isEntry) = (region, false)
    case .arrived?, .departed?, nil: return
    }
    guard let index = regions.firstIndex(where: { $0.region.identifier == identifier }) else {
      return
    }
    regions[index].told(isEntry: isEntry, at: now)
  }
}
