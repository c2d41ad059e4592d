// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import Foundation
import GRDB
import LocationEngine
import LocationModel
import ServiceContract

/// Reads what is stored, and says what of it makes no sense.
struct Reading {
  let db: Database

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
    if let row = try Row.fetchOne(db, sql: "SELECT * FROM moment") {
      found.stored.moment = StoredMoment(
        engine: EngineInstant(microseconds: row["engine_us"]),
        utc: UTCInstant(microseconds: row["utc_us"]), boot: row["boot"],
        bootClock: row["boot_clock_us"])
    }
    for row in try Row.fetchAll(db, sql: "SELECT component, joules FROM energy") {
      found.stored.energy[row["component"]] = row["joules"]
    }
    return found
  }

  private func readApps(into found: inout Found) throws {
    let sql = """
      SELECT *, max(
        last_sequence,
        coalesce((SELECT max(sequence) FROM pending WHERE pending.app = app.id), 0)) AS last
      FROM app ORDER BY id
      """
    for row in try Row.fetchAll(db, sql: sql) {
      let name: String = row["name"]
      let word: String = row["authorization"]
      let authorization = Authorization(rawValue: word)
      if authorization == nil {
        found.warnings.append(
          "the authorization of \(name) is stored as “\(word)”, which is none: it counts as not "
            + "determined. Authorize it again")
      }
      guard let id = UInt32(exactly: row["id"] as Int64) else {
        found.warnings.append("the app \(name) has a number that no app can have; it is left out")
        continue
      }
      found.stored.apps.append(
        StoredApp(
          id: AppID(id), name: name, manifestJSON: row["manifest"],
          authorization: authorization ?? .notDetermined,
          lastSequence: UInt64(clamping: row["last"] as Int64),
          acknowledged: UInt64(clamping: row["acknowledged"] as Int64),
          run: UInt64(exactly: row["run"] as Int64).flatMap { $0 > 0 ? $0 : nil }))
    }
  }

  private func readEngine(into found: inout Found) throws {
    guard let row = try Row.fetchOne(db, sql: "SELECT version, snapshot FROM engine") else {
      return
    }
    let lost =
      "Apps and undelivered events are kept; run states, anchors and what the filter had learnt are lost, "
      + "and each app that starts again is told its position anew"
    let version: Int = row["version"]
    guard version == SnapshotForm.version else {
      found.warnings.append(
        "the stored engine is of version \(version), this is \(SnapshotForm.version). " + lost)
      return
    }
    do { found.stored.engine = try SnapshotForm.engine(row["snapshot"]) } catch {
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
      guard let pending else { return }
      found.stored.dead.append(
        DeadDelivery(
          pending: pending, at: UTCInstant(microseconds: row["at_us"]), reason: row["reason"]))
    }
  }

  /// Calls `body` with each delivery of a table; `nil` for one that cannot be read.
  private func eachDelivery(_ table: String, _ body: (PendingDelivery?, Row) -> Void) throws {
    let rows = try Row.fetchCursor(db, sql: "SELECT * FROM \(table) ORDER BY app, sequence")
    while let row = try rows.next() {
      guard let app = UInt32(exactly: row["app"] as Int64),
        let delivery = try? SnapshotForm.delivery(row["delivery"])
      else {
        body(nil, row)
        continue
      }
      body(
        PendingDelivery(
          app: AppID(app), delivery: delivery,
          received: UTCInstant(microseconds: row["received_us"]), failures: row["failures"]), row)
    }
  }

  /// The newest entries of a range, oldest first; one more than it asks for, where there are more.
  func history(in range: HistoryRange) throws -> [HistoryDocument.Entry] {
    let rows = try Row.fetchAll(
      db,
      sql: "SELECT * FROM history WHERE at_us >= ? AND at_us < ? ORDER BY number DESC LIMIT ?",
      arguments: [range.from.microseconds, range.to.microseconds, max(0, range.count) + 1])
    return rows.reversed().compactMap { row in
      HistoryDocument.Entry.Kind(rawValue: row["kind"]).map { Self.entry(row, $0) }
    }
  }

  static func entry(_ row: Row, _ kind: HistoryDocument.Entry.Kind) -> HistoryDocument.Entry {
    var entry = HistoryDocument.Entry(at: UTCInstant(microseconds: row["at_us"]), kind: kind)
    (entry.app, entry.word, entry.text) = (row["app"], row["word"], row["text"])
    entry.since = (row["since_us"] as Int64?).map { UTCInstant(microseconds: $0) }
    (entry.latitude, entry.longitude) = (row["latitude"], row["longitude"])
    (entry.accuracy, entry.speed) = (row["accuracy_m"], row["speed_mps"])
    return entry
  }

  func log(of app: AppID?, count: Int) throws -> [LogRow] {
    let rows = try Row.fetchAll(
      db, sql: "SELECT * FROM log WHERE app = ? ORDER BY number DESC LIMIT ?",
      arguments: [app.storedNumber, max(0, count)])
    return rows.reversed().map { row in
      LogRow(
        app: app, at: UTCInstant(microseconds: row["at_us"]), kind: row["kind"], text: row["text"])
    }
  }
}
