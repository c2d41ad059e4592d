// SPDX-License-Identifier: Apache-2.0

package import LocationModel

// Needs of a service besides the inputs: to change rules while running, and to query its apps.

extension LocationEngine {
  /// Whether ending some app in that state would free memory.
  package func hasMemoryToFree(in state: AppState) -> Bool {
    apps.contains { $0.givesMemory(in: state) }
  }

  /// Whether an app is suspended and relies on its socket to wake it.
  package func watchesSocket(_ id: AppID) -> Bool {
    index(of: id).map { apps[$0].state == .suspended && apps[$0].work?.watchesSocket == true }
      == true
  }

  /// Whether background refresh is switched off, in an era that has the switch.
  package var refreshIsOff: Bool { device.refreshIsOff && rules.era.hasRefreshSwitch }

  /// An app's authorization; `nil` for an unknown one.
  package func authorization(of id: AppID) -> Authorization? {
    index(of: id).map { apps[$0].declaration.authorization }
  }

  /// Whether only its state keeps an app without running code from continuous updates by this request: they are allowed,
  /// would hold it in the background, and do not pause.
  package func wouldUpdate(_ id: AppID, by request: StandardRequest) -> Bool {
    guard let app = apps.first(where: { $0.id == id }), !app.state.runsCode else { return false }
    return app.declaration.authorization.allowsLocation && app.standard?.phase != .paused
      && app.isContinuous(allowed: request.allowsBackgroundUpdates, in: rules.era)
      && !app.lifecycle.exitsOnSuspend
  }

  /// All registered apps, in the order of their registration.
  package var appIDs: [AppID] { apps.map(\.id) }

  /// The services that are on for an app, in the order of `Service`; empty for an unknown one.
  package func services(of id: AppID) -> [Service] {
    guard let app = apps.first(where: { $0.id == id }) else { return [] }
    var services: [Service] = []
    let isContinuous = app.isContinuous(in: rules.era)
    let isStandard = app.standard != nil && !isContinuous
    if isStandard || app.single != nil { services.append(.standard) }
    if app.significant != nil { services.append(.significant) }
    if app.standard != nil, isContinuous { services.append(.continuous) }
    return services
  }

  /// The value of `leadingService`, by the apps. Regions and visits go with significant changes: they follow the same
  /// policy.
  var mostDemandingService: Service? {
    var leading: Service?
    for index in apps.indices {
      if apps[index].updates(in: rules.era) {
        if apps[index].isContinuous(in: rules.era) { return .continuous }
        leading = .standard
      } else if apps[index].requests(in: rules.era) || apps[index].hearsHeadings(in: rules.era) {
        leading = .standard
      } else if leading == nil, apps[index].isReachable(in: rules.era, on: device) {
        leading = .significant
      }
    }
    return leading
  }

  /// An app's life; `nil` for an unknown one.
  package func life(of id: AppID) -> AppLifecycle? {
    index(of: id).map { apps[$0].lifecycle }
  }

  /// Lets no handler and no task of an app overrun before `until`. The next input must follow at once: it finds the next
  /// deadline anew.
  package mutating func spare(_ id: AppID, until: EngineInstant) {
    guard let index = index(of: id) else { return }
    apps[index].lifecycle.spare(until: until)
  }

  /// The conditions of an app's life; `nil` for an unknown app.
  package func wishes(of id: AppID, at now: EngineInstant) -> LifeWishes? {
    index(of: id).map { index in
      let app = apps[index]
      return LifeWishes(
        monitorsMotion: app.monitorsMotion, playsAudio: app.plays,
        awaitsFetch: app.work?.fetch?.isDue == true, wasForceQuit: app.wasForceQuit,
        keepsAliveIn: app.work?.keepAlive.map { EngineInstant.seconds(from: now, to: $0.closesAt) },
        watchesSocket: app.work?.watchesSocket == true,
        hasNotifications: app.work?.notifications.next != nil)
    }
  }

  /// The data that distinguish one state of an app's regions and visits from another at an instant.
  package func placeMarks(of id: AppID, at now: EngineInstant) -> PlaceMarks {
    let places = index(of: id).flatMap { apps[$0].places }
    return PlaceMarks(
      regions: places?.regions.map { $0.mark(at: now) } ?? [], visits: places?.visits?.mark(at: now)
    )
  }

  /// An app's pending notifications.
  package func notificationSchedule(of id: AppID) -> NotificationSchedule {
    index(of: id).flatMap { apps[$0].work?.notifications } ?? NotificationSchedule()
  }

  /// The hints on which the policy relies.
  package var senses: Senses { policy.settings.senses }

  /// Takes the next number of an app's deliveries, for one that the engine does not decide; `nil` for an
  /// unknown app.
  package mutating func takeSequence(of id: AppID) -> UInt64? {
    guard let index = index(of: id) else { return nil }
    apps[index].deliveries += 1
    return apps[index].deliveries
  }

  /// Whether the user sees the app among those that ran: it runs, or left requests behind when the system ended it.
  package func canBeSwipedAway(_ id: AppID) -> Bool {
    guard let app = apps.first(where: { $0.id == id }) else { return false }
    return app.state != .notRunning
      || !app.wasForceQuit && (app.monitors || app.hasWork || app.deliveries > 0)
  }

  /// Whether an event may start the app, which is not running now.
  package func mayRelaunch(_ id: AppID) -> Bool {
    guard let app = apps.first(where: { $0.id == id }) else { return false }
    return app.state == .notRunning
      && app.refusal(of: .location, in: rules.era, on: device) == nil
  }

  /// Continues under other rules or another policy; anchors, apps and their states stay.
  ///
  /// A policy of the same name, rules and settings continues. Another one begins anew, as if the first app had just
  /// started to monitor; of the same name it keeps what it has learned of the device. The life cycle's times hold for
  /// all apps from now on; what is under way keeps its end.
  package mutating func reconfigure(
    rules: EngineRules, policy: SignificantPolicy, at instant: EngineInstant,
    into commands: inout [EngineCommand]
  ) {
    let now = max(instant, latest)
    latest = now
    apply(latenessTerms: rules.lateness, at: now, into: &commands)
    guard
      rules != self.rules || policy.name != self.policy.name
        || policy.strategy.stated != self.policy.strategy.stated
    else { return }
    let isHidingMore = rules.zones != self.rules.zones
    self.rules = rules
    for index in apps.indices { apps[index].follow(rules: rules) }
    let before = self.policy.strategy
    self.policy = policy
    self.policy.strategy.learn(from: before)
    self.policy.strategy.take(terms: rules.lateness, at: now)
    if isHidingMore { hideHeldPlaces() }
    if isLooking {
      tellPolicy(.began, at: now, into: &commands)
    }
    settle(at: now, into: &commands)
  }
}

extension LocationEngine {
  /// The present price of a look to the policy; `nil` if it weighs none.
  package var lookWorth: LookWorth? { policy.strategy.worth(rules) }

  /// Continues under other terms of lateness; everything else stays.
  package mutating func apply(
    latenessTerms terms: LatenessTerms, at instant: EngineInstant,
    into commands: inout [EngineCommand]
  ) {
    guard terms != rules.lateness else { return }
    let now = max(instant, latest)
    latest = now
    rules.lateness = terms
    policy.strategy.take(terms: terms, at: now)
    settle(at: now, into: &commands)
  }
}

/// The conditions of an app's life besides its states.
package struct LifeWishes: Sendable, Hashable {
  package var monitorsMotion: Bool
  package var playsAudio: Bool
  /// Whether a requested fetch waits for another app's.
  package var awaitsFetch: Bool
  package var wasForceQuit: Bool
  /// Seconds until the app's keep-alive handler must be called; `nil` if it has none.
  package var keepsAliveIn: Double?
  package var watchesSocket: Bool
  package var hasNotifications: Bool
}

/// The states of an app's regions and visits, as far as they affect what follows.
package struct PlaceMarks: Sendable, Hashable {
  var regions: [RegionMark]
  var visits: VisitMark?
}

/// The side of a region, and the age of a crossing under way, seconds.
struct RegionMark: Sendable, Hashable {
  var state: RegionState
  var crosses: Double?
}

/// The progress of a stay: the phase, the place, and the duration, seconds.
struct VisitMark: Sendable, Hashable {
  var phase: Int
  var north: Double?
  var lasts: Double?
  /// While it may have left: seconds since then, the next place, and seconds there.
  var away: Double?
  var next: Double?
  var nextLasts: Double?
}
