// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel

/// The quality of an app's place events.
struct PlaceScores: Sendable, Equatable {
  /// The scores of its regions, in their order.
  private(set) var regions: [RegionScore]
  /// The score of its visits; `nil` if it monitors none.
  private(set) var visits: VisitScore?

  /// The app concerned.
  let app: AppID

  /// The scores of the plan's app; the borders of a trip's places are judged for all modes alike (`BorderKnowledge`).
  init(_ plan: RunPlan, rules: ScoringRules) {
    regions = plan.watch == .places ? [] : plan.regions.map { RegionScore($0, rules: rules) }
    visits = plan.monitorsVisits ? VisitScore(rules: rules) : nil
    app = Run.app
  }

  /// The scores of the first app of a scenario that monitors anything, at whatever time.
  init(_ scenario: Scenario, rules: ScoringRules) {
    let steps = scenario.apps.map { $0.handlers.flatMap(\.steps) }
    let place = steps.firstIndex { $0.contains { $0.region != nil || $0 == .monitorVisits(true) } }
    var found: [MonitoredRegion] = []
    for region in place.map({ steps[$0].compactMap(\.region) }) ?? []
    where !found.contains(region) { found.append(region) }
    regions = found.map { RegionScore($0, rules: rules) }
    visits =
      place.map { steps[$0].contains(.monitorVisits(true)) } == true
      ? VisitScore(rules: rules) : nil
    app = place.map { AppID(UInt32($0 + 1)) } ?? Run.app
  }

  /// Advances the truth to a point.
  mutating func pass(to point: TruePoint) {
    for index in regions.indices { regions[index].pass(to: point) }
  }

  /// Takes an event of the truth at the latest point.
  mutating func note(_ event: TruthEvent, at now: EngineInstant) { visits?.note(event, at: now) }

  /// Notes that the app was told an event at a region, or a visit.
  mutating func told(_ event: PlaceEvent, at now: EngineInstant) {
    switch event {
    case .entered(let region): told(region, isEntry: true, at: now)
    case .exited(let region): told(region, isEntry: false, at: now)
    case .arrived(let visit), .departed(let visit): visits?.told(visit, at: now)
    }
  }

  private mutating func told(_ identifier: String, isEntry: Bool, at now: EngineInstant) {
    guard let index = regions.firstIndex(where: { $0.region.identifier == identifier }) else {
      return
    }
    regions[index].told(isEntry: isEntry, at: now)
  }

  /// Ends the segment: the position is unknown from the latest point on.
  mutating func endSegment(at now: EngineInstant) {
    for index in regions.indices { regions[index].endSegment() }
    visits?.endSegment(at: now)
  }
}

extension AppStep {
  /// The region that it begins to monitor.
  fileprivate var region: MonitoredRegion? {
    guard case .monitorRegion(let place) = self else { return nil }
    return MonitoredRegion(place.name, centre: place.centre, radius: place.radius)
  }
}

extension PlaceEvent {
  /// What it says of a place.
  var news: PlaceNews {
    switch self {
    case .arrived: .came
    case .departed: .left
    case .entered(let region): .crossed(region, isEntry: true)
    case .exited(let region): .crossed(region, isEntry: false)
    }
  }
}
