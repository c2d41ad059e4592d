// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel
import ServiceContract

// Theory
// ======
//
// The expected outcome of every delivery, kept beside the service from its inputs and outputs, and never from its own
// tables:
//
//                  the engine decides, or one is sent again: the next number
//                                      │
//                                      ▼
//                                   pending ──► gone: acknowledged, for which there is a cause
//                                      │              dropped, since its outbox was full
//                                      └──────► dead ──► sent again under a new number, or discarded
//
// A cause is an acknowledgement by the client to which it was sent, or the good end of the run that was begun for it.
// Changes that a service has not stored when it is killed never happened: then the ledger begins again with the store.
// So it must agree with the outbox after each step and with the store after each commit.

/// The expected outcome of every delivery.
struct Ledger: Sendable {
  struct Account: Sendable {
    var pending: [UInt64] = []
    var dead: [UInt64] = []
    var acknowledged: UInt64 = 0
    var last: UInt64 = 0
    /// The number up to which acknowledgements may be complete.
    var allowed: UInt64 = 0
    /// Runs that ended well.
    var finished: Set<UInt64> = []
    var isHandler = false
    /// New numbers that have been decided and not entered yet.
    var decided: [UInt64] = []
  }

  private(set) var accounts: [UInt32: Account] = [:]
  var deliveries = 0
  var limit = 10_000
  /// The largest number of an app's waiting deliveries when the service began, or its limit was lowered.
  private(set) var restored = 0

  /// Lowers the limit from the next delivery on: waiting deliveries may stay.
  mutating func lower(to limit: Int) {
    self.limit = limit
    restored = max(restored, accounts.values.map(\.pending.count).max() ?? 0)
  }

  /// Begins with the stored state. `counted` are the last numbers of the apps in the stored engine: an event that was
  /// forgotten before there was room to store it has no row, and its number is not given again.
  init(_ stored: StoredState, counted: [UInt32: UInt64] = [:]) {
    for app in stored.apps {
      var account = Account()
      account.acknowledged = app.acknowledged
      account.allowed = app.acknowledged
      account.last = max(app.lastSequence, app.acknowledged, counted[app.id.number] ?? 0)
      accounts[app.id.number] = account
    }
    for row in stored.pending {
      accounts[row.app.number]?.pending.append(row.delivery.sequence)
    }
    restored = accounts.values.map(\.pending.count).max() ?? 0
    for row in stored.dead {
      accounts[row.pending.app.number]?.dead.append(row.pending.delivery.sequence)
    }
  }

  // MARK: Causes

  /// Notes an acknowledgement by a client that was sent everything up to `sent`.
  mutating func acknowledged(_ id: AppID, upTo number: UInt64, sent: UInt64) {
    guard number <= sent else { return }
    let allowed = accounts[id.number]?.allowed ?? 0
    accounts[id.number]?.allowed = max(allowed, number)
  }

  /// Notes that the service is told of the good end of a run.
  mutating func finished(_ id: AppID, _ number: UInt64) {
    accounts[id.number]?.finished.insert(number)
  }

  mutating func decided(_ command: EngineCommand) {
    guard let delivery = command.delivery, let id = command.app, accounts[id.number] != nil else {
      return
    }
    accounts[id.number]?.decided.append(delivery.sequence)
  }

  // MARK: What is to be written

  /// Takes over a batch's decisions and changes; returns a fault.
  mutating func take(_ change: StoreChange?) -> (Violation.Rule, String)? {
    if let change {
      for id in change.removedApps { accounts[id.number] = nil }
      for app in change.addedApps where accounts[app.id.number] == nil {
        accounts[app.id.number] = Account()
      }
      for row in change.deliveries {
        let number = row.delivery.sequence
        guard let account = accounts[row.app.number] else { continue }
        if number > account.last, !account.decided.contains(number) {
          accounts[row.app.number]?.decided.append(number)
        }
      }
    }
    if let wrong = enterDecided() { return wrong }
    guard let change else { return nil }
    for key in change.dropped {
      if let wrong = dropped(key.app, key.number) { return wrong }
    }
    for key in change.forgotten {
      accounts[key.app.number]?.pending.removeAll { $0 == key.number }
      accounts[key.app.number]?.dead.removeAll { $0 == key.number }
    }
    for dead in change.dead { given(up: dead) }
    for last in change.acknowledged {
      if let wrong = settled(last.app, last.number) { return wrong }
    }
    for key in change.revived {
      accounts[key.app.number]?.dead.removeAll { $0 == key.number }
    }
    return nil
  }

  private mutating func enterDecided() -> (Violation.Rule, String)? {
    for (id, account) in accounts where !account.decided.isEmpty {
      var account = account
      for number in account.decided.sorted() {
        guard number == account.last + 1 else {
          return (.numbers, "app \(id): \(account.last) is followed by \(number)")
        }
        account.last = number
        account.pending.append(number)
        deliveries += 1
      }
      account.decided.removeAll(keepingCapacity: true)
      accounts[id] = account
    }
    return nil
  }

  private mutating func dropped(_ id: AppID, _ number: UInt64) -> (Violation.Rule, String)? {
    guard let account = accounts[id.number], let index = account.pending.firstIndex(of: number)
    else { return nil }
    guard index == 0 else { return (.lostEvent, "app \(id.number): \(number) is dropped first") }
    guard account.pending.count > limit else {
      return (.lostEvent, "app \(id.number): \(number) is dropped though there is room")
    }
    accounts[id.number]?.pending.removeFirst()
    return nil
  }

  private mutating func given(up dead: DeadDelivery) {
    let (id, number) = (dead.pending.app.number, dead.pending.delivery.sequence)
    guard let index = accounts[id]?.pending.firstIndex(of: number) else { return }
    accounts[id]?.pending.remove(at: index)
    accounts[id]?.dead.append(number)
    let count = accounts[id]?.dead.count ?? 0
    if count > StoreChange.deadLimit { accounts[id]?.dead.removeFirst() }
    // Its number identifies it.
    accounts[id]?.finished.insert(number)
  }

  private mutating func settled(_ id: AppID, _ number: UInt64) -> (Violation.Rule, String)? {
    guard var account = accounts[id.number], number > account.acknowledged else { return nil }
    guard number <= account.allowed || account.finished.contains(number) else {
      return (.lostEvent, "app \(id.number): \(number) is acknowledged, and nobody has done that")
    }
    if number > account.allowed, let first = account.pending.first, first < number {
      return (
        .lostEvent, "app \(id.number): \(first) goes with \(number), which alone was finished"
      )
    }
    account.pending.removeAll { $0 <= number }
    account.finished = account.finished.filter { $0 > number }
    account.acknowledged = number
    accounts[id.number] = account
    return nil
  }
}

extension EngineCommand {
  /// The delivery in this command, a position or an event; `nil` if there is none.
  fileprivate var delivery: Delivery? {
    switch self {
    case .deliver(_, let delivery), .place(_, .event(let delivery)): delivery
    default: nil
    }
  }
}
