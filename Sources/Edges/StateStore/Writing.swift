// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import Foundation
import GRDB
import LocationEngine
import LocationModel
import ServiceContract

/// Writes one change within its transaction.
struct Writing {
  let db: Database

  static func store(_ change: StoreChange, engine: Data?, to db: Database) throws {
    let writing = Writing(db: db)
    try writing.store(change, engine: engine)
  }

  /// Writes the changes committed since the database was last written.
  static func store(_ recent: RecentChanges, to db: Database) throws {
    let writing = Writing(db: db)
    for (number, app) in recent.apps { try writing.store(app, of: number) }
    try writing.log(recent.log)
    try writing.storeEngine(recent.engine, recent.moment, recent.energy)
    for entries in recent.history { try writing.insert(entries) }
  }

  private func store(_ app: RecentChanges.Deliveries, of number: UInt32) throws {
    if let (acknowledged, last) = app.acknowledged {
      try acknowledge(number, upTo: acknowledged, last: last)
    }
    for sequence in app.dropped { try drop(number, sequence) }
    for (sequence, failures) in app.failures { try fail(number, sequence, failures) }
    for pending in app.pending { try insert(pending) }
    if let begun = app.run {
      try execute(sql: "UPDATE app SET run = ? WHERE id = ?", Int64(clamping: begun), number)
    }
    if let tally = app.tally { try insert(tally, of: number) }
  }

  /// `last` is the number of the last delivery, if the table does not have it.
  private func acknowledge(_ app: UInt32, upTo sequence: UInt64, last: UInt64 = 0) throws {
    let number = Int64(clamping: sequence)
    // The last number is kept before its rows are deleted.
    try execute(
      sql: """
        UPDATE app SET acknowledged = max(acknowledged, ?2), last_sequence = max(
          last_sequence, ?3, coalesce((SELECT max(sequence) FROM pending WHERE app = ?1), 0))
        WHERE id = ?1
        """, app, number, Int64(clamping: last))
    try execute(sql: "DELETE FROM pending WHERE app = ? AND sequence <= ?", app, number)
  }

  private func drop(_ app: UInt32, _ sequence: UInt64) throws {
    try execute(
      sql: "DELETE FROM pending WHERE app = ? AND sequence = ?", app, Int64(clamping: sequence))
  }

  private func revive(_ key: DeliveryKey) throws {
    try execute(
      sql: "DELETE FROM dead WHERE app = ? AND sequence = ?", key.app.number,
      Int64(clamping: key.number)
    )
  }

  private func fail(_ app: UInt32, _ sequence: UInt64, _ failures: Int) throws {
    try execute(
      sql: "UPDATE pending SET failures = ? WHERE app = ? AND sequence = ?", failures, app,
      Int64(clamping: sequence))
  }

  private func store(_ change: StoreChange, engine: Data?) throws {
    for app in change.removedApps { try remove(app) }
    for row in change.addedApps { try insert(row) }
    for new in change.authorizations {
      try execute(
        sql: "UPDATE app SET authorization = ? WHERE id = ?", new.to.rawValue, new.app.number)
    }
    for pending in change.deliveries { try insert(pending) }
    for last in change.acknowledged { try acknowledge(last.app.number, upTo: last.number) }
    for failure in change.failures {
      try fail(failure.app.number, failure.number, failure.count)
    }
    for key in change.dropped { try drop(key.app.number, key.number) }
    for key in change.forgotten {
      // The last number is kept before its rows are deleted.
      try execute(
        sql: "UPDATE app SET last_sequence = max(last_sequence, ?2) WHERE id = ?1", key.app.number,
        Int64(clamping: key.number))
      try drop(key.app.number, key.number)
      try revive(key)
    }
    for expiry in change.expiredLogs {
      try execute(
        sql: "DELETE FROM log WHERE app = ? AND at_us < ?", expiry.app.storedNumber,
        expiry.before.microseconds)
    }
    for expiry in change.expiredHistory { try forgetEntries(expiry) }
    for begun in change.runs {
      try execute(
        sql: "UPDATE app SET run = ? WHERE id = ?", Int64(clamping: begun.number), begun.app.number)
    }
    for row in change.tallies { try insert(row.tally, of: row.app.number) }
    for row in change.crashes {
      try execute(
        sql: "UPDATE app SET crashes = ? WHERE id = ?", try SnapshotForm.encoded(row.crashes),
        row.app.number)
    }
    for dead in change.dead { try insert(dead) }
    for key in change.revived { try revive(key) }
    try log(change.log)
    try storeEngine(engine, change.moment, change.energy)
    try insert(change.history)
  }

  private func storeEngine(
    _ engine: Data?, _ moment: StoredMoment?, _ energy: [String: Double]?
  ) throws {
    if let engine {
      try execute(
        sql: "INSERT OR REPLACE INTO engine (one, version, snapshot) VALUES (1, ?, ?)",
        SnapshotForm.version, engine)
    }
    if let moment {
      try execute(
        sql: """
          INSERT OR REPLACE INTO moment (one, engine_us, utc_us, boot, boot_clock_us)
          VALUES (1, ?, ?, ?, ?)
          """, moment.engine.microseconds, moment.utc.microseconds, moment.boot, moment.bootClock)
    }
    if let energy { try replace(energy) }
  }

  private func remove(_ app: AppID) throws {
    for sql in [
      "DELETE FROM app WHERE id = ?", "DELETE FROM pending WHERE app = ?",
      "DELETE FROM log WHERE app = ?", "DELETE FROM dead WHERE app = ?",
    ] { try execute(sql: sql, app.number) }
  }

  private func insert(_ row: StoredApp) throws {
    try execute(
      sql: """
        INSERT INTO app (id, name, manifest, authorization, last_sequence, acknowledged)
        VALUES (?, ?, ?, ?, ?, ?)
        ON CONFLICT (id) DO UPDATE SET name = excluded.name, manifest = excluded.manifest,
          authorization = excluded.authorization,
          last_sequence = max(last_sequence, excluded.last_sequence),
          acknowledged = max(acknowledged, excluded.acknowledged)
        """, row.id.number, row.name, row.manifestJSON, row.authorization.rawValue,
      Int64(clamping: row.lastSequence), Int64(clamping: row.acknowledged))
  }

  /// The app's own row is not touched: the pending deliveries hold the last number.
  private func insert(_ pending: PendingDelivery) throws {
    let number = Int64(clamping: pending.delivery.sequence)
    try execute(
      sql: """
        INSERT OR REPLACE INTO pending (app, sequence, delivery, received_us, failures)
        VALUES (?, ?, ?, ?, ?)
        """, pending.app.number, number, try SnapshotForm.encoded(pending.delivery),
      pending.received.microseconds, pending.failures)
  }

  private func insert(_ tally: UplinkTally, of app: UInt32) throws {
    try execute(sql: "UPDATE app SET tally = ? WHERE id = ?", try SnapshotForm.encoded(tally), app)
  }

  /// Moves a delivery to those that were given up; the app keeps the newest `deadLimit`.
  private func insert(_ dead: DeadDelivery) throws {
    let (pending, app) = (dead.pending, dead.pending.app.number)
    let number = Int64(clamping: pending.delivery.sequence)
    try drop(app, pending.delivery.sequence)
    try execute(
      sql: """
        INSERT OR REPLACE INTO dead (app, sequence, delivery, received_us, failures, at_us, reason)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        """, app, number, try SnapshotForm.encoded(pending.delivery), pending.received.microseconds,
      pending.failures, dead.at.microseconds, String(dead.reason.prefix(StoreChange.textLimit)))
    try execute(
      sql: """
        DELETE FROM dead WHERE app = ?1 AND sequence NOT IN (
          SELECT sequence FROM dead WHERE app = ?1 ORDER BY sequence DESC LIMIT ?2)
        """, app, StoreChange.deadLimit)
  }

  private func log(_ rows: [LogRow]) throws {
    var touched: Set<Int64> = []
    for row in rows {
      let app = row.app.storedNumber
      touched.insert(app)
      try execute(
        sql: """
          INSERT INTO log (app, number, at_us, kind, text)
          SELECT ?, coalesce(max(number), 0) + 1, ?, ?, ? FROM log WHERE app = ?
          """, app, row.at.microseconds, row.kind, String(row.text.prefix(StoreChange.textLimit)),
        app
      )
    }
    for app in touched {
      try execute(
        sql: """
          DELETE FROM log
          WHERE app = ?1 AND number <= (SELECT max(number) FROM log WHERE app = ?1) - ?2
          """, app, StoreChange.logLimit)
    }
  }

  /// Entries are checked one by one, since SQLite measures no distances.
  private func forgetEntries(_ expiry: HistoryExpiry) throws {
    let rows = try Row.fetchCursor(
      db, sql: "SELECT * FROM history WHERE at_us < ?",
      arguments: [expiry.before?.microseconds ?? .max])
    var numbers: [Int64] = []
    while let row = try rows.next() {
      // Entries of all kinds, also of one that only a newer release knows; unreadable ones are deleted.
      let entry = try? Reading.entry(row, .position)
      if entry.map(expiry.concerns) ?? true { numbers.append(row["number"]) }
    }
    for number in numbers { try execute(sql: "DELETE FROM history WHERE number = ?", number) }
  }

  /// Deletes the oldest: those beyond the limit, and those that are older than each of the newest by more than the
  /// history's span.
  private func insert(_ entries: [HistoryDocument.Entry]) throws {
    guard !entries.isEmpty else { return }
    for entry in entries {
      try execute(
        sql: """
          INSERT INTO history (
            at_us, kind, app, word, text, since_us, latitude, longitude, accuracy_m, speed_mps)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
          """, entry.at.microseconds, entry.kind.rawValue, entry.app, entry.word,
        entry.text.map { String($0.prefix(StoreChange.textLimit)) }, entry.since?.microseconds,
        entry.latitude, entry.longitude, entry.accuracy, entry.speed)
    }
    try execute(
      sql: "DELETE FROM history WHERE number <= (SELECT max(number) FROM history) - ?",
      StoreChange.historyLimit)
    try execute(
      sql: """
        DELETE FROM history WHERE at_us < (
          SELECT min(at_us) FROM (SELECT at_us FROM history ORDER BY number DESC LIMIT ?)) - ?
        """, StoreChange.historyWitnesses, Int64(StoreChange.historySeconds * 1e6))
  }

  /// A sum that is not finite is no energy, and is left out.
  private func replace(_ energy: [String: Double]) throws {
    try execute(sql: "DELETE FROM energy")
    for (component, joules) in energy where joules.isFinite {
      try execute(sql: "INSERT INTO energy (component, joules) VALUES (?, ?)", component, joules)
    }
  }

  private func execute(sql: String, _ values: (any DatabaseValueConvertible)?...) throws {
    try db.cachedStatement(sql: sql).execute(arguments: StatementArguments(values))
  }
}

extension AppID? {
  /// The log's number for the row's owner: −1 is the daemon.
  var storedNumber: Int64 { map { Int64($0.number) } ?? -1 }
}
