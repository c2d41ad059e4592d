// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import GRDB
import LocationModel
import ServiceContract

// Theory
// ======
//
// The history is the database's entries followed by the recent ones. When the database takes in the recent ones, some
// entries are deleted: those beyond the limit, and those that were too old after one of the additions (`Writing.add`).
// A reader sees only those that would remain, and nothing is written for that:
//
//   database's entries │ addition 1 │ addition 2 │ …        after each addition an entry is too old that lies before
//                      └─ begins 1 ─┴─ begins 2 ─┘          what `StoreChange.historyBegins` says of the newest
//
// So an entry counts if it is not before the latest of the beginnings from its own addition on. The newest entries,
// which establish the time, are never deleted: the database's newest ones suffice to find them.
//
// All beginnings precede the latest entry by at least the time for which the history is kept. A query for a later
// range, such as the last hour, cannot include old entries, so no beginnings are computed for it.

/// The history including its recent part, as the database will have it.
struct RecentHistory {
  private let db: Database
  private let added: [[HistoryDocument.Entry]]
  /// The times of the database's newest entries.
  private let stored: [UTCInstant]
  /// The number up to which all of the database's entries are beyond the limit.
  private let beyond: Int64

  /// `added`: entries grouped as they came, no group empty.
  init(_ added: [[HistoryDocument.Entry]], behind db: Database) throws {
    (self.db, self.added) = (db, added)
    let last = try Int64.fetchOne(db, sql: "SELECT max(number) FROM history") ?? 0
    let count = added.reduce(0) { $0 + $1.count }
    beyond = count == 0 ? .min : last + Int64(count - StoreChange.historyLimit)
    stored = try Int64.fetchAll(
      db, sql: "SELECT at_us FROM history ORDER BY number DESC LIMIT ?",
      arguments: [StoreChange.historyWitnesses]
    ).reversed().map { UTCInstant(microseconds: $0) }
  }

  /// The newest entries of a range, oldest first; one more than requested, if there are more.
  func entries(in range: HistoryRange) throws -> [HistoryDocument.Entry] {
    let newer = added.joined().suffix(StoreChange.historyLimit)
    var within = range
    var kept: [HistoryDocument.Entry]
    if hasTooOld(in: range) {
      let beginnings = beginnings
      within.from = max(range.from, beginnings.first ?? range.from)
      let isKept = zip(added, beginnings).flatMap { entries, begins in
        entries.map { begins <= $0.at }
      }
      kept = zip(newer, isKept.suffix(newer.count)).filter { $1 && range.contains($0) }.map(\.0)
    } else {
      kept = newer.filter { range.contains($0) }
    }
    kept = try Reading(db: db).history(in: within, above: beyond) + kept
    return kept.suffix(max(0, range.count) + 1)
  }

  /// Whether an entry of the range may be too old.
  private func hasTooOld(in range: HistoryRange) -> Bool {
    let latest = added.joined().reduce(stored.max()) { max($0 ?? $1.at, $1.at) }
    guard !added.isEmpty, let latest else { return false }
    return range.from < latest.advanced(bySeconds: -StoreChange.historySeconds)
  }

  /// The time before which the entries of each addition are too old; the first applies to all of the database's.
  private var beginnings: [UTCInstant] {
    var newest = stored
    var beginnings = added.map { entries in
      newest = (newest + entries.map(\.at)).suffix(StoreChange.historyWitnesses)
      return StoreChange.historyBegins(beside: newest) ?? UTCInstant(microseconds: .min)
    }
    for place in beginnings.indices.dropLast().reversed() {
      beginnings[place] = max(beginnings[place], beginnings[place + 1])
    }
    return beginnings
  }
}
