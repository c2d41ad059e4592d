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

/// The history with what is recent of it, as the database will have it.
struct RecentHistory {
  private let db: Database
  private let added: [[HistoryDocument.Entry]]
  /// For each addition, and for all of the database's entries by the first: before what they are too old.
  private let beginnings: [UTCInstant]
  /// Of the database's entries, the number up to which all are beyond the limit.
  private let beyond: Int64

  /// `added` are entries as they came together, none of them empty.
  init(_ added: [[HistoryDocument.Entry]], behind db: Database) throws {
    (self.db, self.added) = (db, added)
    let last = try Int64.fetchOne(db, sql: "SELECT max(number) FROM history") ?? 0
    let count = added.reduce(0) { $0 + $1.count }
    beyond = count == 0 ? .min : last + Int64(count - StoreChange.historyLimit)
    let stored = try Int64.fetchAll(
      db, sql: "SELECT at_us FROM history ORDER BY number DESC LIMIT ?",
      arguments: [StoreChange.historyWitnesses])
    var newest = stored.reversed().map { UTCInstant(microseconds: $0) }
    var beginnings = added.map { entries in
      newest = (newest + entries.map(\.at)).suffix(StoreChange.historyWitnesses)
      return StoreChange.historyBegins(beside: newest) ?? UTCInstant(microseconds: .min)
    }
    for place in beginnings.indices.dropLast().reversed() {
      beginnings[place] = max(beginnings[place], beginnings[place + 1])
    }
    self.beginnings = beginnings
  }

  /// The newest entries of a range, oldest first; one more than it asks for, where there are more.
  func entries(in range: HistoryRange) throws -> [HistoryDocument.Entry] {
    var stored = range
    if let first = beginnings.first { stored.from = max(range.from, first) }
    let newer = zip(added, beginnings).flatMap { entries, begins in
      entries.map { (entry: $0, isKept: begins <= $0.at) }
    }.suffix(StoreChange.historyLimit)
    let kept = newer.filter { $0.isKept && range.contains($0.entry) }.map(\.entry)
    return (try Reading(db: db).history(in: stored, above: beyond) + kept)
      .suffix(max(0, range.count) + 1)
  }
}
