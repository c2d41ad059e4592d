// SPDX-License-Identifier: Apache-2.0

package import ControlProtocol
package import LocationModel
package import ServiceContract

// Theory
// ======
//
// A database after a change, without a database: the same rows, and the same order within a
// change (`StateStore.commit`). A test draws random changes and compares it with SQLite.
//
// A change that fails, or is cut off by a kill, is no change: the caller does not apply it.

/// The store's promise as a value.
package struct StoreModel: Sendable, Equatable {
  /// The waiting or given-up deliveries of one app, in the order of their numbers.
  fileprivate struct Rows: Sendable, Equatable {
    var pending: [PendingDelivery] = []
    var dead: [DeadDelivery] = []
  }

  /// In the order of their numbers.
  private var apps: [StoredApp] = []
  private var rows: [UInt32: Rows] = [:]
  /// The newest rows of each log; somewhat more than are kept, so that a new row does not move all others.
  private var logs: [AppID?: [LogRow]] = [:]
  private var rest = StoredState()
  private var history: [HistoryDocument.Entry] = []
  private var logTimes = LogTimes()

  package init() {}

  /// Everything that a service would load now.
  package func load() -> StoredState {
    var stored = rest
    stored.apps = apps.map { app in
      var app = app
      app.lastSequence = max(
        app.lastSequence, rows[app.id.number]?.pending.last?.delivery.sequence ?? 0)
      if app.run == 0 { app.run = nil }
      app.lastLogged = logs[app.id]?.last { $0.kind == "delivered" }?.at
      return app
    }
    for number in rows.keys.sorted() {
      stored.pending += rows[number]?.pending ?? []
      stored.dead += rows[number]?.dead ?? []
    }
    return stored
  }

  /// The newest rows of an app's log (`nil`: the service's), newest last; at most `count`.
  package func log(of app: AppID?, count: Int) -> [LogRow] {
    (logs[app] ?? []).suffix(min(max(0, count), StoreChange.logLimit)).map(\.self)
  }

  /// The newest entries of a part of the history, oldest first; one more than `range` requests, if there are more.
  package func history(in range: HistoryRange) -> [HistoryDocument.Entry] {
    Array(history.filter { range.contains($0) }.suffix(max(0, range.count) + 1))
  }

  /// Writes one change.
  package mutating func apply(_ change: StoreChange) {
    for app in change.removedApps {
      apps.removeAll { $0.id == app }
      rows[app.number] = nil
      logs[app] = nil
    }
    for app in change.addedApps { add(app) }
    for new in change.authorizations { self.change(new.app) { $0.authorization = new.to } }
    for pending in change.deliveries { rows[pending.app.number, default: Rows()].add(pending) }
    for last in change.acknowledged { acknowledge(last.app, last.number) }
    for failure in change.failures {
      rows[failure.app.number]?.change(failure.number) { $0.failures = failure.count }
    }
    for key in change.dropped { rows[key.app.number]?.remove(key.number) }
    for key in change.forgotten {
      self.change(key.app) { $0.lastSequence = max($0.lastSequence, key.number) }
      rows[key.app.number]?.remove(key.number)
      rows[key.app.number]?.dead.removeAll { $0.pending.delivery.sequence == key.number }
    }
    for expiry in change.expiredLogs {
      logs[expiry.app]?.removeAll { $0.at < expiry.before }
    }
    for expiry in change.expiredHistory { history.removeAll { expiry.concerns($0) } }
    for run in change.runs { self.change(run.app) { $0.run = run.number } }
    for row in change.tallies { self.change(row.app) { $0.tally = row.tally } }
    for row in change.crashes { self.change(row.app) { $0.crashes = row.crashes } }
    for dead in change.dead { rows[dead.pending.app.number, default: Rows()].add(dead) }
    for key in change.revived {
      rows[key.app.number]?.dead.removeAll { $0.pending.delivery.sequence == key.number }
    }
    for row in change.log { log(row) }
    remember(change.history)
    rest.engine = change.engine ?? rest.engine
    rest.moment = change.moment ?? rest.moment
    rest.energy = change.energy?.filter { $0.value.isFinite } ?? rest.energy
  }

  // MARK: Questions of a simulator after every step

  package func app(_ id: AppID) -> StoredApp? { index(of: id).map { apps[$0] } }

  /// The deliveries that wait for an app, in the order of their numbers.
  package func pending(of id: AppID) -> [PendingDelivery] { rows[id.number]?.pending ?? [] }

  package func dead(of id: AppID) -> [DeadDelivery] { rows[id.number]?.dead ?? [] }

  package var appIDs: [AppID] { apps.map(\.id) }

  // MARK: Rows

  private func index(of id: AppID) -> Int? { apps.firstIndex { $0.id == id } }

  private mutating func change(_ id: AppID, _ body: (inout StoredApp) -> Void) {
    if let index = index(of: id) { body(&apps[index]) }
  }

  private mutating func add(_ app: StoredApp) {
    guard let index = index(of: app.id) else {
      let place = apps.firstIndex { $0.id.number > app.id.number } ?? apps.count
      apps.insert(app, at: place)
      // Only a separate change begins a run, or states a tally or crashes.
      apps[place].run = nil
      apps[place].tally = nil
      apps[place].crashes = nil
      return
    }
    apps[index].name = app.name
    apps[index].manifestJSON = app.manifestJSON
    apps[index].authorization = app.authorization
    apps[index].lastSequence = max(apps[index].lastSequence, app.lastSequence)
    apps[index].acknowledged = max(apps[index].acknowledged, app.acknowledged)
  }

  private mutating func acknowledge(_ id: AppID, _ number: UInt64) {
    let last = rows[id.number]?.pending.last?.delivery.sequence ?? 0
    change(id) { app in
      app.acknowledged = max(app.acknowledged, number)
      app.lastSequence = max(app.lastSequence, last)
    }
    rows[id.number]?.pending.removeAll { $0.delivery.sequence <= number }
  }

  private mutating func remember(_ entries: [HistoryDocument.Entry]) {
    for var entry in entries {
      entry.text = entry.text.map { String($0.prefix(StoreChange.textLimit)) }
      history.append(entry)
    }
    history.removeFirst(max(0, history.count - StoreChange.historyLimit))
    let newest = history.suffix(StoreChange.historyWitnesses).map(\.at)
    guard let oldest = StoreChange.historyBegins(beside: newest) else { return }
    history.removeAll { $0.at < oldest }
  }

  private mutating func log(_ row: LogRow) {
    var row = row
    row.at = logTimes.next(at: row.at)
    row.text = String(row.text.prefix(StoreChange.textLimit))
    logs[row.app, default: []].append(row)
    guard let count = logs[row.app]?.count, count >= 2 * StoreChange.logLimit else { return }
    logs[row.app]?.removeFirst(count - StoreChange.logLimit)
  }
}

extension StoreModel.Rows {
  fileprivate mutating func add(_ row: PendingDelivery) {
    let number = row.delivery.sequence
    let place = pending.lastIndex { $0.delivery.sequence <= number }
    if let place, pending[place].delivery.sequence == number {
      pending[place] = row
    } else {
      pending.insert(row, at: place.map { $0 + 1 } ?? 0)
    }
  }

  fileprivate mutating func change(_ number: UInt64, _ body: (inout PendingDelivery) -> Void) {
    guard let index = pending.firstIndex(where: { $0.delivery.sequence == number }) else { return }
    body(&pending[index])
  }

  fileprivate mutating func remove(_ number: UInt64) {
    pending.removeAll { $0.delivery.sequence == number }
  }

  fileprivate mutating func add(_ row: DeadDelivery) {
    let number = row.pending.delivery.sequence
    remove(number)
    var row = row
    row.reason = String(row.reason.prefix(StoreChange.textLimit))
    dead.removeAll { $0.pending.delivery.sequence == number }
    let place = dead.lastIndex { $0.pending.delivery.sequence < number }
    dead.insert(row, at: place.map { $0 + 1 } ?? 0)
    if dead.count > StoreChange.deadLimit { dead.removeFirst(dead.count - StoreChange.deadLimit) }
  }
}
