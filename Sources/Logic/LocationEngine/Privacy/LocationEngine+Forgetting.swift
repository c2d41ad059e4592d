// SPDX-License-Identifier: Apache-2.0

package import Geodesy
package import LocationModel

// The engine's memory of past positions: the last position, the gate's, the policy's, and of each app the anchors of
// its services, the best position of a request, a stay, and its square.
//
// The gate, the policy, the stays and the detectors of standstill do not date a position, or hold it folded into a
// belief: if anything is forgotten, they begin anew. That costs a look, and a stay that is under way counts from then.

/// The positions to forget.
package struct ForgottenPlaces: Sendable, Equatable, Codable {
  /// Positions decided before this; `nil` for all times.
  package var before: EngineInstant?
  /// The same in the receiver's time.
  package var beforeUTC: UTCInstant?
  /// Positions within this circle; `nil` for all over the world.
  package var within: Circle?
  /// Positions of one app; `nil` for all apps and the engine.
  package var app: AppID?

  package struct Circle: Sendable, Equatable, Codable {
    package var centre: Coordinate
    /// Metres.
    package var radius: Double

    package init(centre: Coordinate, radius: Double) {
      self.centre = centre
      self.radius = radius
    }

    package func contains(_ place: Coordinate) -> Bool { centre.distance(to: place) <= radius }
  }

  package init(
    before: EngineInstant? = nil, beforeUTC: UTCInstant? = nil, within: Circle? = nil,
    app: AppID? = nil
  ) {
    self.before = before
    self.beforeUTC = beforeUTC
    self.within = within
    self.app = app
  }

  fileprivate func concerns(_ place: Coordinate) -> Bool { within?.contains(place) ?? true }

  fileprivate func concerns(_ fix: Fix) -> Bool {
    if let beforeUTC, let time = fix.time, time >= beforeUTC { return false }
    return concerns(fix.coordinate)
  }

  fileprivate func concerns(_ anchor: Anchor) -> Bool {
    if let before, anchor.at >= before { return false }
    return concerns(anchor.frame.origin)
  }
}

extension PrivacyZone {
  /// Around its square and its border: half of the square's diagonal is 2.95 times the radius at most.
  package var surroundings: ForgottenPlaces.Circle {
    .init(centre: square.centre, radius: 3.25 * radius)
  }
}

extension LocationEngine {
  /// Forgets the positions that `places` selects. An app that monitors significant changes is told its next position as
  /// the first one.
  package mutating func forget(
    places: ForgottenPlaces, at instant: EngineInstant, into commands: inout [EngineCommand]
  ) {
    let now = max(instant, latest)
    latest = now
    drop(places)
    if isLooking { tellPolicy(.began, at: now, into: &commands) }
    settle(at: now, into: &commands)
  }

  /// Forgets the remembered positions that are hidden from now on.
  mutating func hideHeldPlaces() {
    hiddenIn = hiddenIn.flatMap { name in rules.zones.contains { $0.name == name } ? name : nil }
    for zone in rules.zones { drop(.init(within: zone.surroundings)) }
  }

  private mutating func drop(_ places: ForgottenPlaces) {
    if places.app == nil {
      if let lastKnown, places.concerns(lastKnown) { self.lastKnown = nil }
      gate = FixGate()
      gateInside = FixGate()
      if let terms = rules.platform.phone { daemon?.forgetPlace(terms, at: latest) }
      policy = policy.settings.policy ?? policy
      policy.strategy.take(terms: rules.lateness, at: latest)
    }
    for index in apps.indices where places.app == nil || places.app == apps[index].id {
      apps[index].drop(places)
    }
  }
}

extension EngineApp {
  fileprivate mutating func drop(_ places: ForgottenPlaces) {
    if let anchor = significant?.anchor, places.concerns(anchor) { significant?.anchor = nil }
    if let anchor = standard?.anchor, places.concerns(anchor) { standard?.anchor = nil }
    standard?.deferral?.forget { places.concerns($0) }
    if let fix = standard?.queued, places.concerns(fix) { standard?.queued = nil }
    standard?.still = StillDetector()
    if let fix = single?.best, places.concerns(fix) { single?.forgetBest() }
    if self.places?.visits != nil { self.places?.visits = VisitService() }
    if let visit = self.places?.openVisit, places.concerns(visit.coordinate) {
      self.places?.openVisit = nil
    }
    told?.reduced = nil
  }
}
