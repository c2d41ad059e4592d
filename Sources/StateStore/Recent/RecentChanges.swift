// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import Foundation
import LocationModel
import ServiceContract

/// The changes committed since the database was last written, as what the database lacks: a delivery that was
/// acknowledged meanwhile is not in it any more.
struct RecentChanges: Sendable {
  /// The deliveries of one app.
  struct Deliveries: Sendable {
    /// By their numbers.
    var pending: [UInt64: PendingDelivery] = [:]
    var last: UInt64 = 0
    /// Up to where all are acknowledged, and the last number that there was then; `nil` where none was.
    var acknowledged: (number: UInt64, last: UInt64)?
    /// The changes of rows that the database has.
    var dropped: Set<UInt64> = []
    var failures: [UInt64: Int] = [:]
    var run: UInt64?
    var tally: UplinkTally?
  }

  private(set) var apps: [UInt32: Deliveries] = [:]
  private(set) var log: [LogRow] = []
  /// Entries as they came together.
  private(set) var history: [[HistoryDocument.Entry]] = []
  private(set) var engine: Data?
  private(set) var moment: StoredMoment?
  private(set) var energy: [String: Double]?

  /// Whether a change has nothing but what is kept here.
  static func takes(_ change: StoreChange) -> Bool {
    change.addedApps.isEmpty && change.removedApps.isEmpty && change.authorizations.isEmpty
      && change.dead.isEmpty && change.revived.isEmpty && !change.forgets
  }

  /// `change` is one that `takes` takes; `engine` is its engine's state as the database keeps it.
  mutating func add(_ change: StoreChange, engine: Data?) {
    for pending in change.deliveries {
      let number = pending.delivery.sequence
      apps[pending.app.number, default: .init()].pending[number] = pending
      apps[pending.app.number, default: .init()].last = max(
        apps[pending.app.number]?.last ?? 0, number)
    }
    for last in change.acknowledged {
      apps[last.app.number, default: .init()].acknowledge(upTo: last.number)
    }
    for failure in change.failures {
      apps[failure.app.number, default: .init()].fail(failure.number, failure.count)
    }
    for key in change.dropped {
      apps[key.app.number, default: .init()].pending[key.number] = nil
      apps[key.app.number, default: .init()].dropped.insert(key.number)
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
  fileprivate mutating func acknowledge(upTo number: UInt64) {
    acknowledged = (max(number, acknowledged?.number ?? 0), last)
    // As a rule it is the only one that waits.
    for key in pending.keys where key <= number { pending[key] = nil }
  }

  fileprivate mutating func fail(_ number: UInt64, _ count: Int) {
    if pending[number] != nil {
      pending[number]?.failures = count
    } else {
      failures[number] = count
    }
  }
}
