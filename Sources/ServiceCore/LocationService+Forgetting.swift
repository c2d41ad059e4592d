// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import Geodesy
import LocationEngine
import LocationModel
import ServiceContract

// Theory
// ======
//
// There are two reasons to forget: time (`keep_days`), and the user (`milepost forget`). Both take events that wait or
// were given up out of the outboxes, the store and the logs, and a user's word also what the engine remembers of
// places. A delivery that a handler or a sink has in hand is theirs: it stays, and is counted.
//
// What is deleted by a user's word is gone from the files as well: the store writes zeros over it, and leaves no copy in
// its journal. What apps and sinks were told before is theirs; so are recordings and traces.

extension LocationService {
  /// What time alone forgets.
  mutating func expire() {
    guard let keeps = settings.keepsFor, phase == .serving, retention.begins(at: now.at) else {
      return
    }
    let before = now.utc.advanced(bySeconds: -keeps)
    let wish = Forgetting(before: before)
    for id in apps.ids { _ = forget(wish, of: id, isTrial: false) }
    endLogs(of: [nil] + apps.ids.map { $0 }, before: before)
  }

  /// What a user wants forgotten.
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
      let counts = forget(wish, of: id, isTrial: wish.isTrial)
      guard counts.pending + counts.givenUp + counts.inHand > 0 else { continue }
      rows.append(
        .init(
          app: name, pending: counts.pending, givenUp: counts.givenUp, inHand: counts.inHand))
    }
    let endsLogs = wish.within == nil
    if !wish.isTrial {
      let ids = chosen.map { Optional($0.id) }
      if endsLogs {
        endLogs(of: wish.app == nil ? [nil] + ids : ids, before: wish.before)
      } else {
        // The history is not searched by place: it goes, with the service's own log.
        endLogs(of: [nil], before: wish.before)
      }
      forgetPlaces(wish, of: wish.app == nil ? nil : chosen.first?.id)
      write { $0.scrubs = true }
      needsCheckpoint(now: true)
      intents.append(.warnUnstored(client, id: request))
    }
    let document = ForgottenDocument(isTrial: wish.isTrial, apps: rows, logs: endsLogs)
    answer(client, .document(json: document.json), request)
  }

  private mutating func endLogs(of ids: [AppID?], before: UTCInstant?) {
    let before = before ?? now.utc
    write { change in
      change.log.removeAll { row in ids.contains(row.app) && row.at < before }
      change.expiredLogs += ids.map { LogExpiry(app: $0, before: before) }
    }
  }

  private mutating func forget(
    _ wish: Forgetting, of id: AppID, isTrial: Bool
  ) -> (pending: Int, givenUp: Int, inHand: Int) {
    guard let app = apps[id] else { return (0, 0, 0) }
    let kept = app.lastInHand
    let pending = app.outbox.entries.filter { wish.concerns($0) }
    let inHand = pending.count { $0.delivery.sequence <= kept }
    let dead = app.dead.filter { wish.concerns($0.pending) }
    let counts = (pending: pending.count - inHand, givenUp: dead.count, inHand: inHand)
    guard !isTrial, !pending.isEmpty || !dead.isEmpty || app.lastDelivery.map(wish.concerns) == true
    else { return counts }
    let numbers = apps.with(id) { app in
      app.dead.removeAll { wish.concerns($0.pending) }
      if let last = app.lastDelivery, wish.concerns(last) { app.lastDelivery = nil }
      return app.outbox.forget(after: kept) { wish.concerns($0) }
    }
    let keys = (numbers ?? []) + dead.map(\.pending.delivery.sequence)
    guard !keys.isEmpty else { return counts }
    write { $0.forgotten += keys.map { DeliveryKey(id, $0) } }
    record(
      id, "forgotten", "\(keys.count) \(keys.count == 1 ? "event is" : "events are") forgotten")
    if !app.isResident, inHand == 0, !app.hasProcess { goOn(id) }
    // What was on its way may have made room for what waits.
    intents.append(.flush(id))
    return counts
  }

  private mutating func forgetPlaces(_ wish: Forgetting, of id: AppID?) {
    let before = wish.before.map { before in
      now.at.advanced(bySeconds: -max(0, UTCInstant.seconds(from: before, to: now.utc)))
    }
    forgetInEngine(
      ForgottenPlaces(
        before: before, beforeUTC: wish.before,
        within: wish.within.flatMap { circle in
          Coordinate(latitude: circle.latitude, longitude: circle.longitude).map {
            .init(centre: $0, radius: circle.radius)
          }
        }, app: id))
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
  /// The number up to which a handler or a sink has its deliveries in hand; 0 where it has none.
  fileprivate var lastInHand: UInt64 {
    switch code {
    case .sink(.passing(let number)): number
    case .handler(.announced(let number)), .handler(.starting(let number)),
      .handler(.running(let number, _)), .handler(.ending(let number)):
      number
    case .connected, .handler, .sink: 0
    }
  }
}

extension Forgetting {
  fileprivate func concerns(_ fix: Fix, _ decided: UTCInstant) -> Bool {
    if let before, decided >= before { return false }
    guard let within,
      let centre = Coordinate(latitude: within.latitude, longitude: within.longitude)
    else { return true }
    return centre.distance(to: fix.coordinate) <= within.radius
  }

  fileprivate func concerns(_ entry: Outbox.Entry) -> Bool {
    concerns(entry.delivery.fix, entry.received)
  }

  fileprivate func concerns(_ pending: PendingDelivery) -> Bool {
    concerns(pending.delivery.fix, pending.received)
  }
}
