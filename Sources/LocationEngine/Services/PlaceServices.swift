// SPDX-License-Identifier: Apache-2.0

import LocationModel

/// One app's monitoring of places: regions in the order in which they were asked for, and visits. It outlives
/// the app's process.
struct PlaceServices: Sendable, Equatable, Codable {
  var regions: [RegionService] = []
  var visits: VisitService?

  /// Whether anything is monitored.
  var isEmpty: Bool { regions.isEmpty && visits == nil }

  func index(of identifier: String) -> Int? {
    regions.firstIndex { $0.region.identifier == identifier }
  }

  /// When time alone answers a question, or makes a stay long enough.
  func deadline(after now: EngineInstant) -> EngineInstant? {
    var earliest: EngineInstant?
    for region in regions { earliest = .earlier(earliest, region.askedUntil) }
    // One that is over waits for what the policy does.
    if let ends = visits?.dwellEnds, ends > now { earliest = .earlier(earliest, ends) }
    return earliest
  }
}
