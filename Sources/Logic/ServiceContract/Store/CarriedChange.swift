// SPDX-License-Identifier: Apache-2.0

package import LocationModel

// Theory
// ======
//
// A change that could not be written is carried over: the next one is appended to it, and both are written in one
// transaction once there is room again. The order within a change (see `commit`) is that of two changes one after the
// other, except for removals and deletions, which come first: so an app's removal takes all changes carried over for it
// along, and deleted data are taken out of the carried-over change (`Expiry`). App numbers are never reused while a
// daemon lives.
//
// Bounds: only deliveries that still wait are carried over, only given-up ones that were not taken back, each in its
// last form, only stored data to be forgotten, the last acknowledgement, authorization, tally and crashes of each app,
// and the newest `logLimit` log rows of each app. So the carried-over change is no longer than the outboxes and the logs.
//
//   the store has    then                    carried over                       the store must hold
//   nothing          5 comes, is dropped     nothing                            nothing
//   5, exact         5 is reduced            5, reduced; it replaces a row      5, reduced
//   5, exact         reduced, then dropped   the drop: its row is still there   nothing

extension StoreChange {
  /// Takes out everything of a removed app; the removal itself stays. An app that was never written needs no removal
  /// either, but it does no harm.
  package mutating func forgetApp(_ app: AppID) {
    addedApps.removeAll { $0.id == app }
    authorizations.removeAll { $0.app == app }
    deliveries.removeAll { $0.app == app }
    acknowledged.removeAll { $0.app == app }
    failures.removeAll { $0.app == app }
    dropped.removeAll { $0.app == app }
    forgotten.removeAll { $0.app == app }
    expiredLogs.removeAll { $0.app == app }
    runs.removeAll { $0.app == app }
    tallies.removeAll { $0.app == app }
    crashes.removeAll { $0.app == app }
    dead.removeAll { $0.pending.app == app }
    revived.removeAll { $0.app == app }
    replaced.removeAll { $0.app == app }
    log.removeAll { $0.app == app }
  }

  /// Adds a later change.
  package mutating func append(later: StoreChange) {
    for app in later.removedApps { forgetApp(app) }
    removedApps += later.removedApps
    addedApps += later.addedApps
    authorizations += later.authorizations
    if !later.replaced.isEmpty {
      let new = newDeliveries.union(newDead)
      replaced += later.replaced.filter { !new.contains($0) }
    }
    deliveries += later.deliveries
    acknowledged += later.acknowledged
    failures += later.failures
    dropped += later.dropped
    forgetDeliveries(later.forgotten)
    for expiry in later.expiredLogs { forgetLog(expiry) }
    for expiry in later.expiredHistory { forgetHistory(expiry) }
    scrubs = scrubs || later.scrubs
    runs += later.runs
    tallies += later.tallies
    crashes += later.crashes
    dead += later.dead
    revived += later.revived
    log += later.log
    history += later.history
    engine = later.engine ?? engine
    moment = later.moment ?? moment
    energy = later.energy ?? energy
  }

  /// The part that must still be written later. `isWaiting` decides whether a delivery is still in its app's outbox.
  package func carriedOver(
    _ isWaiting: (_ app: AppID, _ number: UInt64) -> Bool
  ) -> StoreChange {
    var rest = self
    // A delivery that was never written needs no drop.
    let unwritten = newDeliveries
    rest.deliveries = Self.last(
      of: deliveries.filter { isWaiting($0.app, $0.delivery.sequence) }, by: \.key)
    rest.dropped = dropped.filter { !unwritten.contains($0) }
    rest.forgotten = forgotten.filter { !unwritten.contains($0) }
    rest.failures = Self.last(of: failures.filter { isWaiting($0.app, $0.number) }, by: \.key)
    rest.runs = Self.last(of: runs, by: \.app)
    rest.tallies = Self.last(of: tallies, by: \.app)
    rest.crashes = Self.last(of: crashes, by: \.app)
    rest.acknowledged = Self.last(of: acknowledged, by: \.app)
    rest.authorizations = Self.last(of: authorizations, by: \.app)
    // One that was given up and taken back since then was never given up for the store.
    let given = newDead
    let back = Set(revived)
    rest.dead = Self.last(of: dead.filter { !back.contains($0.pending.key) }, by: \.pending.key)
    rest.revived = revived.filter { !given.contains($0) }
    let there = Set(rest.deliveries.map(\.key) + rest.dead.map(\.pending.key))
    rest.replaced = replaced.filter { there.contains($0) }
    rest.history = history.suffix(StoreChange.waitingHistoryLimit)
    var counts: [AppID?: Int] = [:]
    rest.log = log.reversed().filter { row in
      counts[row.app, default: 0] += 1
      return counts[row.app, default: 0] <= StoreChange.logLimit
    }.reversed()
    return rest
  }

  /// The deliveries of which the store has no row.
  private var newDeliveries: Set<DeliveryKey> { Set(deliveries.map(\.key)).subtracting(replaced) }

  /// The given-up deliveries of which the store has no row as such.
  private var newDead: Set<DeliveryKey> { Set(dead.map(\.pending.key)).subtracting(replaced) }

  /// The last element of each key, in the order of the elements.
  private static func last<Element, Key: Hashable>(
    of elements: [Element], by key: (Element) -> Key
  ) -> [Element] {
    var seen: Set<Key> = []
    return elements.reversed().filter { seen.insert(key($0)).inserted }.reversed()
  }
}
