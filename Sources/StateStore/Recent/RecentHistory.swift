// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import GRDB
import LocationModel
import ServiceContract

// Theory
// ======
//
// The history is what the database has and, behind it, what is recent. When the database takes in what is recent, some
// of it goes: what is beyond the limit, and what was too old after one of the additions (`Writing.add`). A reader is
// told what would be left then, and nothing is written for him:
//
//   database's entries │ addition 1 │ addition 2 │ …        after each addition an entry is too old that lies before
//                      └─ begins 1 ─┴─ begins 2 ─┘          what `StoreChange.historyBegins` says of the newest
//
// So an entry counts where it is not before the latest of the beginnings from its own addition on. The newest entries,
// which say what time it is, never go: they are found from the database's newest ones alone.
//
// All beginnings lie before the latest entry by the time for which the history is kept, at least. A reader who asks for
// what is later than that, as all do who look at the last hour, asks for nothing that is too old: none is looked for.

/// The history with what is recent of it, as the database will have it.
struct RecentHistory {
  private let db: Database
  private let added: [[HistoryDocument.Entry]]
  /// The times of the database's newest entries.
  private let stored: [UTCInstant]
  /// The number up to which all of the database's entries are beyond the limit.
  private let beyond: Int64

  /// `added` are entries as they came together, none of them empty.
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

  /// The newest entries of a range, oldest first; one more than it asks for, where there are more.
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

  /// For each addition before what its entries are too old; for all of the database's by the first.
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
