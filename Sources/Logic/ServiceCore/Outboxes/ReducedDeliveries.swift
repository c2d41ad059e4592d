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

extension Outboxes {
  /// Reduces what waits for an app that may know no exact place from now on; `isIdle` if no run is at work on it.
  mutating func reduce(
    _ id: AppID, isIdle: Bool, _ engine: inout LocationEngine, _ step: inout Step
  ) {
    guard let row = self[id] else { return }
    step.want(.recall(id))
    var seen = Reduced(id: id, engine: engine, zones: step.settings.rules.zones, now: step.now)
    // Given-up events are older than waiting ones.
    let dead = row.dead.compactMap { seen.reduced($0) }
    var waiting: [UInt64: Outbox.Entry] = [:]
    var square: Coordinate?
    for entry in row.outbox.entries {
      guard let entry = seen.reduced(entry) else { continue }
      let delivery = entry.delivery
      let isPlain = delivery.event == nil && delivery.occasion != .request
      if isPlain, delivery.fix.coordinate == square { continue }
      if isPlain { square = delivery.fix.coordinate }
      waiting[delivery.sequence] = entry
    }
    engine = seen.engine
    let kept = Set(dead.map(\.pending.delivery.sequence)).union(waiting.keys)
    let numbers = replace(dead: dead, waiting: waiting, of: id)
    step.ledger.addRows { change in
      change.forgetDeliveries(numbers.map { DeliveryKey(id, $0) })
      change.dead += dead
      change.replaced += kept.sorted().map { DeliveryKey(id, $0) }
      change.deliveries += waiting.values.sorted { $0.delivery.sequence < $1.delivery.sequence }
        .map {
          PendingDelivery(
            app: id, delivery: $0.delivery, received: $0.received, failures: $0.failures)
        }
    }
    if !numbers.isEmpty {
      step.record(
        id, "forgotten",
        "\(numbers.count) \(numbers.count == 1 ? "event is" : "events are") forgotten: with reduced "
          + "accuracy each square is told once, and no region or stay of before")
    }
    if isIdle, waiting.isEmpty { finishWork(of: id, &step) }
  }
}

/// What an app with reduced accuracy would have been told.
private struct Reduced {
  let id: AppID
  var engine: LocationEngine
  let zones: [PrivacyZone]
  let now: ServiceTime

  mutating func reduced(_ entry: Outbox.Entry) -> Outbox.Entry? {
    guard let delivery = reduced(entry.delivery, entry.received, entry.since) else { return nil }
    return Outbox.Entry(
      delivery: delivery, received: entry.received, since: entry.since, failures: entry.failures)
  }

  mutating func reduced(_ dead: DeadDelivery) -> DeadDelivery? {
    var dead = dead
    let pending = dead.pending
    guard let delivery = reduced(pending.delivery, pending.received, nil) else { return nil }
    dead.pending.delivery = delivery
    return dead
  }

  private mutating func reduced(
    _ delivery: Delivery, _ received: UTCInstant, _ decided: EngineInstant?
  ) -> Delivery? {
    if zones.contains(where: { delivery.fix == $0.standIn(for: delivery.fix) }) { return delivery }
    if let event = delivery.event {
      guard let name = event.region, zones.contains(where: { $0.name == name }) else { return nil }
    }
    let ago = max(0, UTCInstant.seconds(from: received, to: now.utc))
    let fix = engine.seen(delivery.fix, by: id, at: decided ?? now.at.advanced(bySeconds: -ago))
    var since = delivery.since
    // A heartbeat keeps its time.
    if delivery.occasion == .heartbeat, let exact = delivery.fix.time, let coarse = fix.time {
      since? += UTCInstant.seconds(from: coarse, to: exact)
    }
    return Delivery(
      sequence: delivery.sequence, service: delivery.service, fix: fix,
      isCached: delivery.isCached, moved: nil, since: since, event: delivery.event,
      occasion: delivery.occasion)
  }
}
