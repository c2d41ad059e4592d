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
// that could be told before. All remove waiting and given-up events from the outboxes and the store; time and the user
// also from the logs, and the user also from the engine's memory of places. A delivery in the hands of a handler or a
// sink is counted: it may still be taken, but if it is not it does not go there again.
//
// Rows deleted for the user are gone from the files as well: the store writes zeros over them, and leaves no copy in
// its journal. Apps and sinks keep what they received before; recordings and traces stay too.

/// What is at work on an app's deliveries.
struct DeliveriesAtWork {
  /// The last number that a handler or a sink has in hand; 0 if there is none.
  let inHand: UInt64
  /// Whether no process, run or batch lasts that would end the app's work by itself.
  let isIdle: Bool

  init(_ id: AppID, _ processes: Processes, _ sinks: Sinks, _ step: Step) {
    inHand = sinks.inHand(of: id) ?? processes[id]?.handler?.number ?? 0
    isIdle = !step.apps.isResident(id) && !processes.hasProcess(id)
  }
}

extension Outboxes {
  /// Forgets by time alone what was decided before an instant.
  mutating func expire(_ processes: Processes, _ sinks: Sinks, _ step: inout Step) {
    guard step.phase == .serving,
      let before = step.ledger.expires(after: step.settings.keepsFor, at: step.now)
    else { return }
    let wish = Forgetting(before: before)
    for id in step.apps.ids {
      _ = forget(
        of: id, isTrial: false, DeliveriesAtWork(id, processes, sinks, step), &step,
        where: wish.concerns)
    }
    endLogs(of: [nil] + step.apps.ids.map { $0 }, before: before, &step)
    step.ledger.forgetHistory(HistoryExpiry(before: before))
  }

  /// Forgets for a user.
  mutating func forgetDeliveries(
    _ wish: Forgetting, for client: ClientID, _ request: String?, _ processes: Processes,
    _ sinks: Sinks, _ step: inout Step
  ) {
    guard wish.before != nil || wish.within != nil || wish.app != nil else {
      return step.refuse(
        client, .notPossible,
        "say what is to be forgotten: before a time, within a circle, of an app", request)
    }
    var chosen = step.apps.all.map { (id: $0.id, name: $0.name) }
    if let name = wish.app {
      chosen.removeAll { $0.name != name }
      guard !chosen.isEmpty else {
        return step.refuse(
          client, .unknownApp,
          "there is no app '\(name)'; \(step.apps.known("none is registered"))", request)
      }
    }
    var rows: [ForgottenDocument.App] = []
    for (id, name) in chosen.sorted(by: { $0.name < $1.name }) {
      let counts = forget(
        of: id, isTrial: wish.isTrial, DeliveriesAtWork(id, processes, sinks, step), &step,
        where: wish.concerns)
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
        endLogs(
          of: wish.app == nil ? [nil] + ids : ids, before: wish.before ?? step.now.utc, &step)
      }
      let circle = wish.within.flatMap(ForgottenPlaces.Circle.init)
      step.ledger.forgetHistory(
        HistoryExpiry(before: wish.before, within: circle, app: wish.app))
      let since = wish.before.map { before in
        step.now.at.advanced(
          bySeconds: -max(0, UTCInstant.seconds(from: before, to: step.now.utc)))
      }
      step.want(
        .forgetPlaces(
          ForgottenPlaces(
            before: since, beforeUTC: wish.before, within: circle,
            app: wish.app == nil ? nil : chosen.first?.id)))
      if wish.app == nil {
        step.want(World.Order.forget(wish))
        step.want(Clients.Order.forget(wish))
      }
      step.ledger.addRows { $0.scrubs = true }
      step.ledger.needCheckpoint(now: true)
      step.intend(.warnUnstored(client, id: request))
    }
    let document = ForgottenDocument(isTrial: wish.isTrial, apps: rows, logs: endsLogs)
    step.answer(client, .document(json: document.json), request)
  }

  /// Forgets remembered, waiting or given-up places hidden by zones that were not among `before`, here and in the
  /// store, as the engine has done. A delivery decided under the same zone reveals no more than it may.
  mutating func forgetHidden(
    by new: [PrivacyZone], _ processes: Processes, _ sinks: Sinks, _ step: inout Step
  ) {
    for app in step.apps.all {
      let zones = new.filter { !$0.apps.contains(app.name) }
      _ = forget(
        of: app.id, isTrial: false, DeliveriesAtWork(app.id, processes, sinks, step), &step
      ) { delivery, _ in
        zones.contains { $0.hides(delivery) }
      }
      forgetLast(of: app.id) { last in
        new.hiding(last.fix, last: nil).map { !$0.apps.contains(app.name) } ?? false
      }
    }
    for zone in new { step.ledger.forgetHistory(HistoryExpiry(within: zone.surroundings)) }
  }

  private func endLogs(of ids: [AppID?], before: UTCInstant, _ step: inout Step) {
    for case .some(let id) in ids { step.apps.logEnds(of: id, before: before) }
    step.ledger.addRows { change in
      for id in ids { change.forgetLog(LogExpiry(app: id, before: before)) }
    }
  }

  /// Forgets an app's deliveries that are concerned, by their content and the time of their decision.
  private mutating func forget(
    of id: AppID, isTrial: Bool, _ work: DeliveriesAtWork, _ step: inout Step,
    where isConcerned: (Delivery, UTCInstant) -> Bool
  ) -> (pending: Int, givenUp: Int, inHand: Int) {
    guard let row = self[id] else { return (0, 0, 0) }
    func concerns(_ entry: Outbox.Entry) -> Bool { isConcerned(entry.delivery, entry.received) }
    let pending = row.outbox.entries.filter { concerns($0) }
    let inHand = pending.count { $0.delivery.sequence <= work.inHand }
    let dead = row.dead.filter { isConcerned($0.pending.delivery, $0.pending.received) }
    let counts = (pending: pending.count - inHand, givenUp: dead.count, inHand: inHand)
    guard !isTrial, !pending.isEmpty || !dead.isEmpty || row.last.map({ concerns($0) }) == true
    else { return counts }
    let numbers = remove(of: id, where: isConcerned)
    let keys = numbers + dead.map(\.pending.delivery.sequence)
    guard !keys.isEmpty else { return counts }
    step.ledger.addRows { $0.forgetDeliveries(keys.map { DeliveryKey(id, $0) }) }
    step.record(
      id, "forgotten", "\(keys.count) \(keys.count == 1 ? "event is" : "events are") forgotten")
    if inHand > 0 { step.want(.recall(id)) }
    if work.isIdle, inHand == 0 { finishWork(of: id, &step) }
    // Deliveries that were on their way may have made room. An earlier service's runs are not known before it serves.
    if step.phase != .beginning { step.intend(.flush(id)) }
    return counts
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
  func concerns(_ fix: Fix, _ decided: UTCInstant) -> Bool {
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
