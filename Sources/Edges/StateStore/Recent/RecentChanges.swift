// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import Foundation
import LocationModel
import ServiceContract

/// The changes committed since the database was last written, reduced to the net result: a delivery that was
/// acknowledged meanwhile is no longer included.
struct RecentChanges: Sendable {
  /// The deliveries of one app.
  struct Deliveries: Sendable {
    /// The pending deliveries, in the order of their numbers: usually one that the next acknowledgement removes.
    private(set) var pending: [PendingDelivery] = []
    private(set) var last: UInt64 = 0
    /// The number up to which all are acknowledged, and the last number at that time; `nil` if none was.
    private(set) var acknowledged: (number: UInt64, last: UInt64)?
    /// The dropped deliveries among the database's rows.
    private(set) var dropped: Set<UInt64> = []
    private(set) var failures: [UInt64: Int] = [:]
    var run: UInt64?
    var tally: UplinkTally?
  }

  private(set) var apps: [UInt32: Deliveries] = [:]
  private(set) var log: [LogRow] = []
  /// The entries, grouped as they came.
  private(set) var history: [[HistoryDocument.Entry]] = []
  private(set) var engine: Data?
  private(set) var moment: StoredMoment?
  private(set) var energy: [String: Double]?

  /// Whether a change has only parts that are kept here.
  static func takes(_ change: StoreChange) -> Bool {
    change.addedApps.isEmpty && change.removedApps.isEmpty && change.authorizations.isEmpty
      && change.crashes.isEmpty && change.dead.isEmpty && change.revived.isEmpty
      && change.replaced.isEmpty && !change.forgets
  }

  /// `change` must satisfy `takes`; `engine` is its engine's state in the database's form.
  mutating func merge(_ change: StoreChange, engine: Data?) {
    for pending in change.deliveries {
      apps[pending.app.number, default: .init()].append(delivery: pending)
    }
    for last in change.acknowledged {
      apps[last.app.number, default: .init()].acknowledge(upTo: last.number)
    }
    for failure in change.failures {
      apps[failure.app.number, default: .init()].fail(failure.number, failure.count)
    }
    for key in change.dropped {
      apps[key.app.number, default: .init()].drop(key.number)
    }
    for run in change.runs { apps[run.app.number, default: .init()].run = run.number }
    for row in change.tallies { apps[row.app.number, default: .init()].tally = row.tally }
    for var row in change.log {
      row.text = String(row.text.prefix(StoreChange.textLimit))
      log.append(row)
    }
    if !change.history.isEmpty {
      history.append(
        change.history.map { entry in
          var entry = entry
          entry.text = entry.text.map { String($0.prefix(StoreChange.textLimit)) }
          return entry
        })
    }
    self.engine = engine ?? self.engine
    moment = change.moment ?? moment
    energy = change.energy ?? energy
  }
}

extension RecentChanges.Deliveries {
  /// The place of a number among the pending ones: of the first that is not below it.
  private func place(of number: UInt64) -> Int {
    var (low, high) = (0, pending.count)
    while low < high {
      let middle = (low + high) / 2
      if pending[middle].delivery.sequence < number { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private func holds(_ number: UInt64, at place: Int) -> Bool {
    place < pending.count && pending[place].delivery.sequence == number
  }

  fileprivate mutating func append(delivery: PendingDelivery) {
    let number = delivery.delivery.sequence
    let place = place(of: number)
    if holds(number, at: place) {
      pending[place] = delivery
    } else {
      pending.insert(delivery, at: place)
    }
    last = max(last, number)
  }

  fileprivate mutating func acknowledge(upTo number: UInt64) {
    acknowledged = (max(number, acknowledged?.number ?? 0), last)
    let count = number < .max ? place(of: number + 1) : pending.count
    // Usually it is the only one that waits, and the next one takes its place.
    if count == pending.count {
      pending.removeAll(keepingCapacity: pending.capacity <= Self.spare)
    } else {
      pending.removeFirst(count)
    }
  }

  /// The greatest number of places that are kept empty.
  private static let spare = 8

  fileprivate mutating func drop(_ number: UInt64) {
    let place = place(of: number)
    if holds(number, at: place) { pending.remove(at: place) }
    dropped.insert(number)
  }

  fileprivate mutating func fail(_ number: UInt64, _ count: Int) {
    let place = place(of: number)
    if holds(number, at: place) {
      pending[place].failures = count
    } else {
      failures[number] = count
    }
  }
}
