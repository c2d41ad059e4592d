// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import Geodesy
import LocationEngine
import LocationModel
import ServiceContract

// Theory
// ======
//
// There are three reasons to forget: time (`keep_days`), the user (`milepost forget`), and a zone that now hides places
// that could be told before (`forgetHidden`). All remove waiting and given-up events from the outboxes and the store;
// time and the user also from the logs, and the user also from the engine's memory of places. A delivery in the hands
// of a handler or a sink is counted: it may still be taken, but if it is not it does not go there again.
//
// Rows deleted for the user are gone from the files as well: the store writes zeros over them, and leaves no copy in
// its journal. Apps and sinks keep what they received before; recordings and traces stay too.

extension LocationService {
  /// Forgets by time alone.
  mutating func expire() {
    guard let keeps = settings.keepsFor, phase == .serving, retention.begins(at: now.at) else {
      return
    }
    let before = now.utc.advanced(bySeconds: -keeps)
    let wish = Forgetting(before: before)
    for id in apps.ids { _ = forget(of: id, isTrial: false, where: wish.concerns) }
    endLogs(of: [nil] + apps.ids.map { $0 }, before: before)
    forgetHistory(HistoryExpiry(before: before))
  }

  /// Forgets for a user.
  mutating func forget(_ wish: Forgetting, _ client: ClientID, _ request: String?) {
    guard wish.before != nil || wish.within != nil || wish.app != nil else {
      return refuse(
        client, .notPossible,
        "say what is to be forgotten: before a time, within a circle, of an app", request)
    }
    var chosen = apps.all.map { (id: $0.id, name: $0.name) }
    if let name = wish.app {
      chosen.removeAll { $0.name != name }
      guard !chosen.isEmpty else {
        let known = apps.all.map(\.name).sorted().joined(separator: ", ")
        return refuse(
          client, .unknownApp,
          "there is no app '\(name)'; \(known.isEmpty ? "none is registered" : "known: \(known)")",
          request)
      }
    }
    var rows: [ForgottenDocument.App] = []
    for (id, name) in chosen.sorted(by: { $0.name < $1.name }) {
      let counts = forget(of: id, isTrial: wish.isTrial, where: wish.concerns)
      guard counts.pending + counts.givenUp + counts.inHand > 0 else { continue }
      rows.append(
        .init(
          app: name, pending: counts.pending, givenUp: counts.givenUp, inHand: counts.inHand))
    }
    // Logs hold no places.
    let endsLogs = wish.within == nil
    if !wish.isTrial {
      let ids = chosen.map { Optional($0.id) }
      if endsLogs {
        endLogs(of: wish.app == nil ? [nil] + ids : ids, before: wish.before ?? now.utc)
      }
      let circle = wish.within.flatMap(ForgottenPlaces.Circle.init)
      forgetHistory(HistoryExpiry(before: wish.before, within: circle, app: wish.app))
      forgetPlaces(wish, within: circle, of: wish.app == nil ? nil : chosen.first?.id)
      write { $0.scrubs = true }
      needsCheckpoint(now: true)
      intents.append(.warnUnstored(client, id: request))
    }
    let document = ForgottenDocument(isTrial: wish.isTrial, apps: rows, logs: endsLogs)
    answer(client, .document(json: document.json), request)
  }

  private mutating func endLogs(of ids: [AppID?], before: UTCInstant) {
    write { change in
      for id in ids { change.forget(LogExpiry(app: id, before: before)) }
    }
  }

  /// Forgets an app's deliveries that are concerned, by their content and the time of their decision.
  private mutating func forget(
    of id: AppID, isTrial: Bool, where isConcerned: (Delivery, UTCInstant) -> Bool
  ) -> (pending: Int, givenUp: Int, inHand: Int) {
    guard let app = apps[id] else { return (0, 0, 0) }
    func concerns(_ entry: Outbox.Entry) -> Bool { isConcerned(entry.delivery, entry.received) }
    func concerns(_ dead: DeadDelivery) -> Bool {
      isConcerned(dead.pending.delivery, dead.pending.received)
    }
    let pending = app.outbox.entries.filter { concerns($0) }
    let inHand = pending.count { $0.delivery.sequence <= app.lastInHand }
    let dead = app.dead.filter { concerns($0) }
    let counts = (pending: pending.count - inHand, givenUp: dead.count, inHand: inHand)
    guard !isTrial,
      !pending.isEmpty || !dead.isEmpty || app.lastDelivery.map({ concerns($0) }) == true
    else { return counts }
    let numbers = apps.with(id) { app in
      app.dead.removeAll { concerns($0) }
      if let last = app.lastDelivery, concerns(last) { app.lastDelivery = nil }
      return app.outbox.forget { concerns($0) }
    }
    let keys = (numbers ?? []) + dead.map(\.pending.delivery.sequence)
    guard !keys.isEmpty else { return counts }
    write { $0.forget(keys.map { DeliveryKey(id, $0) }) }
    record(
      id, "forgotten", "\(keys.count) \(keys.count == 1 ? "event is" : "events are") forgotten")
    if inHand > 0 { recall(id) }
    if !app.isResident, inHand == 0, !app.hasProcess { finishWork(of: id) }
    // Deliveries that were on their way may have made room. An earlier service's runs are not known before it serves.
    if phase != .beginning { intents.append(.flush(id)) }
    return counts
  }

  /// Forgets remembered, waiting or given-up places hidden by zones that were not among `before`, here and in the
  /// store, as the engine has done. A delivery decided under the same zone reveals no more than it may.
  mutating func forgetHidden(since before: [PrivacyZone]) {
    let new = settings.rules.zones.filter { !before.contains($0) }
    guard !new.isEmpty else { return }
    for app in apps.all {
      let zones = new.filter { !$0.apps.contains(app.name) }
      _ = forget(of: app.id, isTrial: false) { delivery, _ in
        zones.contains { $0.hides(delivery) }
      }
    }
    func isHidden(_ fix: Fix?) -> Bool { fix.map { new.hiding($0, last: nil) != nil } ?? false }
    if isHidden(facts.lastFix) { facts.lastFix = nil }
    for id in Array(listeners.keys) where isHidden(listeners[id]?.lastFix) {
      listeners[id]?.lastFix = nil
    }
    apps.changeAll { app in
      guard let last = app.lastDelivery, !app.outbox.holds(last.delivery.sequence),
        let zone = new.hiding(last.delivery.fix, last: nil), !zone.apps.contains(app.name)
      else { return }
      app.lastDelivery = nil
    }
    for zone in new { forgetHistory(HistoryExpiry(within: zone.surroundings)) }
  }

  private mutating func forgetPlaces(
    _ wish: Forgetting, within circle: ForgottenPlaces.Circle?, of id: AppID?
  ) {
    let before = wish.before.map { before in
      now.at.advanced(bySeconds: -max(0, UTCInstant.seconds(from: before, to: now.utc)))
    }
    forgetInEngine(
      ForgottenPlaces(before: before, beforeUTC: wish.before, within: circle, app: id))
    guard id == nil else { return }
    if let fix = facts.lastFix, let at = facts.lastFixReceived, wish.concerns(fix, at) {
      facts.lastFix = nil
    }
    for (listener, app) in listeners {
      guard let fix = app.lastFix, wish.concerns(fix, fix.time ?? now.utc) else { continue }
      listeners[listener]?.lastFix = nil
    }
  }
}

extension AppRecord {
  /// The last number that a handler or a sink has in hand; 0 if there is none.
  fileprivate var lastInHand: UInt64 {
    if case .sink(.passing(let number)) = code { number } else { handlerRun ?? 0 }
  }
}

extension ForgottenPlaces.Circle {
  fileprivate init?(_ circle: Forgetting.Circle) {
    guard let centre = Coordinate(latitude: circle.latitude, longitude: circle.longitude) else {
      return nil
    }
    self.init(centre: centre, radius: circle.radius)
  }
}

extension Forgetting {
  fileprivate func concerns(_ fix: Fix, _ decided: UTCInstant) -> Bool {
    if let before, decided >= before { return false }
    return within.flatMap(ForgottenPlaces.Circle.init)?.contains(fix.coordinate) ?? true
  }

  fileprivate func concerns(_ delivery: Delivery, _ decided: UTCInstant) -> Bool {
    concerns(delivery.fix, decided)
  }
}

extension PrivacyZone {
  /// Whether a delivery reveals a hidden place. The stand-in in a delivery of the zone's name does not.
  fileprivate func hides(_ delivery: Delivery) -> Bool {
    let fix = delivery.fix
    if fix == standIn(for: fix) { return false }
    let stay = delivery.event?.visit?.coordinate
    return hides(fix, isInside: false) || stay.map { square.distance(to: $0) == 0 } == true
  }
}
