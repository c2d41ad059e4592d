// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel
import Scenarios
import Scoring

/// How well an app was told of what happened at places.
struct PlaceScores: Sendable, Equatable {
  /// Of its regions, in their order.
  private(set) var regions: [RegionScore]
  /// `nil` where it monitors no visits.
  private(set) var visits: VisitScore?

  /// Whose they are.
  let app: AppID

  /// Of the plan's app.
  init(_ plan: RunPlan, rules: ScoringRules) {
    regions = plan.regions.map { RegionScore($0, rules: rules) }
    visits = plan.monitorsVisits ? VisitScore(rules: rules) : nil
    app = Run.app
  }

  /// Of the first app of a scenario that monitors anything, whenever it begins to.
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

  /// The truth went on to a point.
  mutating func pass(to point: TruePoint) {
    for index in regions.indices { regions[index].pass(to: point) }
  }

  /// What the truth did at the latest point.
  mutating func note(_ event: TruthEvent, at now: EngineInstant) { visits?.note(event, at: now) }

  /// The app was told what happened at a region, or of a visit.
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

  /// Nobody knows where the device is from the latest point on.
  mutating func endSegment(at now: EngineInstant) {
    for index in regions.indices { regions[index].endSegment() }
    visits?.endSegment(at: now)
  }
}

extension AppStep {
  /// What it begins to monitor.
  fileprivate var region: MonitoredRegion? {
    guard case .monitorRegion(let place) = self else { return nil }
    return MonitoredRegion(place.name, centre: place.centre, radius: place.radius)
  }
}

extension Run {
  /// Nobody knows where the device is from now on; `events` are those that show at the end only.
  mutating func endSegment(after events: [TruthEvent]) {
    for event in events { note(event) }
    whereabouts.endSegment()
    places.endSegment(at: now)
  }

  /// What the truth did at the latest point.
  mutating func note(_ event: TruthEvent) {
    whereabouts.note(event)
    places.note(event, at: now)
  }

  /// The plan's app was told what happened at a place. Where visits are all that it is told of, they are its
  /// deliveries.
  mutating func told(_ delivery: Delivery) {
    guard let event = delivery.event else { return }
    places.told(event, at: now)
    guard plan.watch == .visits else { return }
    delivered(Self.app, delivery.fix, by: .significant, isCached: false, saying: event.news)
  }

  /// Whoever is to know learns something of where the device is.
  mutating func learn(_ report: Report, of deliveries: Int) {
    counters.learned += deliveries
    let age = EngineInstant.seconds(from: report.measured, to: now)
    whereabouts.learned(report.place, age: age, at: now)
    for news in report.news { whereabouts.heard(news, at: now) }
  }
}

extension PlaceEvent {
  /// What it says of a stay; `nil` of a region, which says where the device is not.
  fileprivate var news: PlaceNews? {
    switch self {
    case .arrived: .came
    case .departed: .left
    case .entered, .exited: nil
    }
  }
}
