// SPDX-License-Identifier: Apache-2.0

import LocationModel

/// One app's monitoring of places: regions in the order of the requests, and visits. It outlives the app's process.
struct PlaceServices: Sendable, Equatable, Codable {
  var regions: [RegionService] = []
  var visits: VisitService?

  /// Whether anything is monitored.
  var isEmpty: Bool { regions.isEmpty && visits == nil }

  func index(of identifier: String) -> Int? {
    regions.firstIndex { $0.region.identifier == identifier }
  }

  /// The instant at which time alone answers a question, or makes a stay long enough.
  func deadline(after now: EngineInstant) -> EngineInstant? {
    var earliest: EngineInstant?
    for region in regions { earliest = .earlier(earliest, region.askedUntil) }
    // A dwell that is over waits for the policy.
    if let ends = visits?.dwellEnds, ends > now { earliest = .earlier(earliest, ends) }
    return earliest
  }
}
