// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationEngine
import LocationModel
import ServiceContract

// Theory
// ======
//
// Reduced accuracy holds for what waits and for what was given up too: the exact places would still leave. Each becomes
// what the app would have been told then, under its number:
//
//   waits:  1 exact   2 exact   3 enters the shop   4 exact        becomes:  1 square   4 the next square
//                     (in the square of 1)
//
// - A square is told once, as from then on.
// - Events of regions and stays were decided by the exact place, and tell it: they are forgotten. The name of a zone
//   tells no more than its user allowed, and stays.
// - The batch on its way is recalled; its events that have left have left.

extension LocationService {
  /// Reduces what waits for an app that may know no exact place from now on.
  mutating func reduceWhatWaits(for id: AppID) {
    guard let app = apps[id] else { return }
    recall(id)
    // Given-up events are older than waiting ones.
    let dead = app.dead.compactMap { reduced($0, of: id) }
    var waiting: [UInt64: Outbox.Entry] = [:]
    var square: Coordinate?
    for entry in app.outbox.entries {
      guard let entry = reduced(entry, of: id) else { continue }
      let delivery = entry.delivery
      let isPlain = delivery.event == nil && delivery.occasion == nil
      if isPlain, delivery.fix.coordinate == square { continue }
      if isPlain { square = delivery.fix.coordinate }
      waiting[delivery.sequence] = entry
    }
    replace(dead, waiting, of: app)
  }

  private mutating func replace(
    _ dead: [DeadDelivery], _ waiting: [UInt64: Outbox.Entry], of app: AppRecord
  ) {
    let gone = apps.with(app.id) { record in
      record.dead = dead
      if let last = record.lastDelivery { record.lastDelivery = waiting[last.delivery.sequence] }
      return record.outbox.change { waiting[$0.delivery.sequence] }
    }
    let kept = Set(dead.map(\.pending.delivery.sequence))
    let numbers =
      (gone ?? []) + app.dead.map(\.pending.delivery.sequence).filter { !kept.contains($0) }
    write { change in
      change.forget(numbers.map { DeliveryKey(app.id, $0) })
      change.dead += dead
      change.replaced += kept.union(waiting.keys).sorted().map { DeliveryKey(app.id, $0) }
      change.deliveries += waiting.values.sorted { $0.delivery.sequence < $1.delivery.sequence }
        .map {
          PendingDelivery(
            app: app.id, delivery: $0.delivery, received: $0.received, failures: $0.failures)
        }
    }
    if !numbers.isEmpty {
      record(
        app.id, "forgotten",
        "\(numbers.count) \(numbers.count == 1 ? "event is" : "events are") forgotten: with reduced "
          + "accuracy each square is told once, and no region or stay of before")
    }
    if !app.isResident, waiting.isEmpty, !app.hasProcess { finishWork(of: app.id) }
  }

  private mutating func reduced(_ entry: Outbox.Entry, of id: AppID) -> Outbox.Entry? {
    guard let delivery = reduced(entry.delivery, entry.received, entry.since, of: id) else {
      return nil
    }
    return Outbox.Entry(
      delivery: delivery, received: entry.received, since: entry.since, failures: entry.failures)
  }

  private mutating func reduced(_ dead: DeadDelivery, of id: AppID) -> DeadDelivery? {
    var dead = dead
    let pending = dead.pending
    guard let delivery = reduced(pending.delivery, pending.received, nil, of: id) else {
      return nil
    }
    dead.pending.delivery = delivery
    return dead
  }

  private mutating func reduced(
    _ delivery: Delivery, _ received: UTCInstant, _ since: EngineInstant?, of id: AppID
  ) -> Delivery? {
    let zones = settings.rules.zones
    if zones.contains(where: { delivery.fix == $0.standIn(for: delivery.fix) }) { return delivery }
    if let event = delivery.event {
      guard let name = event.region, zones.contains(where: { $0.name == name }) else { return nil }
    }
    let ago = max(0, UTCInstant.seconds(from: received, to: now.utc))
    let fix = engine.seen(delivery.fix, by: id, at: since ?? now.at.advanced(bySeconds: -ago))
    return Delivery(
      sequence: delivery.sequence, service: delivery.service, fix: fix,
      isCached: delivery.isCached, moved: nil, since: delivery.since, event: delivery.event,
      occasion: delivery.occasion)
  }
}
