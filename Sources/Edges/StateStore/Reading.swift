// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import Foundation
import GRDB
import LocationEngine
import LocationModel
import ServiceContract

/// Reads the stored rows, and reports those that make no sense.
///
/// A column may hold any type, whatever its declaration (SQLite, "Datatypes In SQLite"), and in a damaged file it does.
/// So each value is read with `read(column:)`, which throws if it is of another type.
struct Reading {
  let db: Database

  /// 36,000 years, microseconds.
  static let furthest = UInt64(1) << 60

  /// A value that Milepost never wrote.
  struct Unreadable: Error {}

  struct Found {
    var stored = StoredState()
    var warnings: [String] = []
  }

  func stored() throws -> Found {
    var found = Found()
    try readApps(into: &found)
    try readEngine(into: &found)
    try readPending(into: &found)
    try readDead(into: &found)
    try readMoment(into: &found)
    try readEnergy(into: &found)
    return found
  }

  private func readMoment(into found: inout Found) throws {
    guard let row = try Row.fetchOne(db, sql: "SELECT * FROM moment") else { return }
    do {
      found.stored.moment = StoredMoment(
        engine: EngineInstant(microseconds: try row.microseconds("engine_us")),
        utc: UTCInstant(microseconds: try row.microseconds("utc_us")),
        boot: try row.read(column: "boot"),
        bootClock: try row.read(column: "boot_clock_us"))
    } catch {
      found.warnings.append(
        "the stored time cannot be read; how long nobody watched is not known this time")
    }
  }

  private func readEnergy(into found: inout Found) throws {
    for row in try Row.fetchAll(db, sql: "SELECT component, joules FROM energy") {
      guard let component = try? row.read(column: "component", as: String.self),
        let joules = try? row.read(column: "joules", as: Double.self), joules.isFinite
      else {
        found.warnings.append("an energy total cannot be read; it begins at 0 again")
        continue
      }
      found.stored.energy[component] = joules
    }
  }

  private func readApps(into found: inout Found) throws {
    let sql = """
      SELECT *, max(
        last_sequence,
        coalesce((SELECT max(sequence) FROM pending WHERE pending.app = app.id), 0)) AS last,
        (SELECT at_us FROM log WHERE log.app = app.id AND kind = '\(LogRow.delivered)'
          ORDER BY number DESC LIMIT 1) AS last_logged
      FROM app ORDER BY id
      """
    for row in try Row.fetchAll(db, sql: sql) {
      do { try readApp(row, into: &found) } catch {
        let name = (try? row.read(column: "name", as: String.self)) ?? "without a name"
        found.warnings.append(
          "the app \(name) is stored in a form that cannot be read; it is left out. Add it again")
      }
    }
  }

  private func readApp(_ row: Row, into found: inout Found) throws {
    let name: String = try row.read(column: "name")
    let word: String = try row.read(column: "authorization")
    guard let id = UInt32(exactly: try row.read(column: "id", as: Int64.self)) else {
      found.warnings.append("the app \(name) has a number that no app can have; it is left out")
      return
    }
    let run = UInt64(exactly: try row.read(column: "run", as: Int64.self))
    var app = StoredApp(
      id: AppID(id), name: name, manifestJSON: try row.read(column: "manifest"),
      authorization: Authorization(rawValue: word) ?? .notDetermined,
      lastSequence: UInt64(clamping: try row.read(column: "last", as: Int64.self)),
      acknowledged: UInt64(clamping: try row.read(column: "acknowledged", as: Int64.self)),
      run: run.flatMap { $0 > 0 ? $0 : nil })
    do { app.tally = try row.read(column: "tally", as: Data?.self).map(SnapshotForm.tally) } catch {
      found.warnings.append("what \(name) has sent so far cannot be read; it counts from 0 again")
    }
    do { app.crashes = try row.read(column: "crashes", as: Data?.self).map(crashes) } catch {
      found.warnings.append("the crashes of \(name) cannot be read; none of them counts any more")
    }
    app.lastLogged = (try? row.microseconds("last_logged")).map(UTCInstant.init(microseconds:))
    if Authorization(rawValue: word) == nil {
      found.warnings.append(
        "the authorization of \(name) is stored as “\(word)”, which is none: it counts as not "
          + "determined. Authorize it again")
    }
    found.stored.apps.append(app)
  }

  /// Throws for times so far off that a difference of two may exceed 64 bits.
  private func crashes(_ data: Data) throws -> StoredCrashes {
    let crashes = try SnapshotForm.crashes(data)
    guard crashes.times.allSatisfy({ $0.microseconds.magnitude <= Self.furthest }) else {
      throw Unreadable()
    }
    return crashes
  }

  private func readEngine(into found: inout Found) throws {
    guard let row = try Row.fetchOne(db, sql: "SELECT version, snapshot FROM engine") else {
      return
    }
    let lost =
      "Apps and undelivered events are kept; run states, anchors and what the filter had learnt are lost, "
      + "and each app that starts again is told its position anew"
    let version = try? row.read(column: "version", as: Int.self)
    guard version == SnapshotForm.version else {
      found.warnings.append(
        "the stored engine is of version \(version.map(String.init) ?? "?"), this is \(SnapshotForm.version). "
          + lost)
      return
    }
    do { found.stored.engine = try SnapshotForm.engine(row.read(column: "snapshot")) } catch {
      found.warnings.append("the stored engine cannot be read (\(error)). " + lost)
    }
  }

  private func readPending(into found: inout Found) throws {
    var unreadable = 0
    try eachDelivery("pending") { pending, _ in
      if let pending { found.stored.pending.append(pending) } else { unreadable += 1 }
    }
    if unreadable > 0 {
      found.warnings.append(
        "\(unreadable) undelivered events cannot be read and are left out; they stay in the database"
      )
    }
  }

  private func readDead(into found: inout Found) throws {
    try eachDelivery("dead") { pending, row in
      guard let pending, let at = try? row.microseconds("at_us"),
        let reason = try? row.read(column: "reason", as: String.self)
      else { return }
      found.stored.dead.append(
        DeadDelivery(pending: pending, at: UTCInstant(microseconds: at), reason: reason))
    }
  }

  /// Calls `body` with each delivery of a table; `nil` for one that cannot be read.
  private func eachDelivery(_ table: String, _ body: (PendingDelivery?, Row) -> Void) throws {
    let rows = try Row.fetchCursor(db, sql: "SELECT * FROM \(table) ORDER BY app, sequence")
    while let row = try rows.next() {
      body(try? pending(row), row)
    }
  }

  private func pending(_ row: Row) throws -> PendingDelivery {
    let delivery = try SnapshotForm.delivery(row.read(column: "delivery"))
    guard delivery.fix.time.map({ $0.microseconds.magnitude <= Self.furthest }) ?? true else {
      throw Unreadable()
    }
    guard let app = UInt32(exactly: try row.read(column: "app", as: Int64.self)) else {
      throw Unreadable()
    }
    return PendingDelivery(
      app: AppID(app), delivery: delivery,
      received: UTCInstant(microseconds: try row.microseconds("received_us")),
      failures: try row.read(column: "failures"))
  }

  /// The newest entries of a range, oldest first; one more than requested, if there are more. Entries up to `number` do
  /// not count.
  func history(in range: HistoryRange, above number: Int64) throws -> [HistoryDocument.Entry] {
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT * FROM history WHERE at_us >= ? AND at_us < ? AND number > ?
        ORDER BY number DESC LIMIT ?
        """,
      arguments: [range.from.microseconds, range.to.microseconds, number, max(0, range.count) + 1])
    return rows.reversed().compactMap { row in
      guard let word: String = try? row.read(column: "kind"),
        let kind = HistoryDocument.Entry.Kind(rawValue: word)
      else { return nil }
      return try? Self.entry(row, kind)
    }
  }

  /// Throws if a value does not suit its column.
  static func entry(
    _ row: Row, _ kind: HistoryDocument.Entry.Kind
  ) throws -> HistoryDocument.Entry {
    var entry = HistoryDocument.Entry(
      at: UTCInstant(microseconds: try row.microseconds("at_us")), kind: kind)
    (entry.app, entry.word) = (try row.read(column: "app"), try row.read(column: "word"))
    entry.text = try row.read(column: "text")
    entry.since =
      try row.read(column: "since_us", as: Int64?.self) == nil
      ? nil : UTCInstant(microseconds: row.microseconds("since_us"))
    (entry.latitude, entry.longitude) = (
      try row.read(column: "latitude"), try row.read(column: "longitude")
    )
    (entry.accuracy, entry.speed) = (
      try row.read(column: "accuracy_m"), try row.read(column: "speed_mps")
    )
    return entry
  }

  func log(of app: AppID?, count: Int) throws -> [LogRow] {
    let rows = try Row.fetchAll(
      db, sql: "SELECT * FROM log WHERE app = ? ORDER BY number DESC LIMIT ?",
      arguments: [app.storedNumber, max(0, count)])
    return rows.reversed().compactMap { row in
      try? LogRow(
        app: app, at: UTCInstant(microseconds: row.microseconds("at_us")),
        kind: row.read(column: "kind"),
        text: row.read(column: "text"))
    }
  }
}

extension Row {
  /// The value of a column; throws if it is of another type, or NULL although `Value` is not optional.
  fileprivate func read<Value: DatabaseValueConvertible & StatementColumnConvertible>(
    column: String, as type: Value.Type = Value.self
  ) throws -> Value {
    try decode(type, forColumn: column)
  }

  /// Microseconds on an axis; throws if they lie so far off that a difference of two may exceed 64 bits.
  fileprivate func microseconds(_ column: String) throws -> Int64 {
    let value: Int64 = try read(column: column)
    guard value.magnitude <= Reading.furthest else { throw Reading.Unreadable() }
    return value
  }
}
