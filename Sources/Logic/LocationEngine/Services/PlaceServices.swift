// SPDX-License-Identifier: Apache-2.0

import LocationModel

/// One app's monitoring of places: regions in the order of the requests, and visits. It outlives the app's process.
struct PlaceServices: Sendable, Equatable, Codable {
  var regions: [RegionService] = []
  var visits: VisitService?
  /// The visit of whose arrival a phone has told the app, and not yet of its end.
  var openVisit: Visit?

  /// Whether anything is monitored.
  var isEmpty: Bool { regions.isEmpty && visits == nil }

  func index(of identifier: String) -> Int? {
    regions.firstIndex { $0.region.identifier == identifier }
  }

  /// The instant at which time alone answers a question, or makes a stay long enough. The question of an app that runs
  /// no code waits for the app.
  func deadline(after now: EngineInstant, runsCode: Bool) -> EngineInstant? {
    var earliest: EngineInstant?
    if runsCode { for region in regions { earliest = .earlier(earliest, region.askedUntil) } }
    // A dwell that is over waits for the policy.
    if let ends = visits?.dwellEnds, ends > now { earliest = .earlier(earliest, ends) }
    return earliest
  }
}
