// SPDX-License-Identifier: Apache-2.0

package import ControlProtocol
import Foundation
import GRDB
import Host
import LocationEngine
package import LocationModel
package import ServiceContract
import Synchronization

// Theory
// ======
//
// One SQLite database holds the data that must outlive the daemon. The daemon makes one `Change` of each step and
// commits it: one transaction, written whole or not at all.
//
//   open ──► lock ──► sound? ──yes──► migrate ──► load ──► commit, commit, …
//                       └──no──► moved aside as NAME.corrupt-N ──► a fresh one, and a warning
//
// SQLite writes whole pages of 4,096 bytes, however little changes: three of them for a delivery and its
// acknowledgement, 1 GB a day at 1 Hz. So frequent changes (deliveries, acknowledgements, runs, logs, the engine's
// state) are appended to a file beside it, as records of some tens of bytes. The database takes in the net result at
// once: when the file has grown to `recentLimit`, with a change of another kind, and at the next start.
//
//   commit ──► often? ──yes──► a record in NAME-recent        most of it never reaches the database: what was
//                 │                  │ 1 MiB                  acknowledged by then is not in it any more
//                 └──no──────────────┴──► one transaction: what is recent, then this change; NAME-recent is emptied
//
// Durability: a committed change is in the kernel's hands, in that file or in SQLite's journal (a write-ahead log with
// synchronous NORMAL), so it survives kill -9 of the daemon. A power cut or a kernel crash may lose the last commits
// (those not yet written back, some seconds), never the database's integrity. FULL would cost one fsync for each
// delivery, on cards that wear out; it is used when the recent changes go into the database, since their file is
// emptied then.
//
// Numbers are safe from both: a delivery's number is kept in the app's row and outlives the outbox, so that an engine
// from an older snapshot continues above it.
//
// One daemon at a time: NAME.lock is locked (flock) for as long as the store lives; the kernel releases it when the
// process dies, so a stale one blocks nothing.
//
// Bounds: the log keeps the newest `logLimit` rows of each app and of the daemon; a text is cut at `textLimit`
// characters. The daemon limits the outbox (`dropped`). A removed app's outbox and log are removed with it.
//
// A disk that is full or read-only makes `commit` throw; nothing of the change is kept, the store stays usable, and a
// later commit succeeds once there is room. The caller keeps the change for later.

/// The daemon's memory on disk: apps, the engine's state, unacknowledged deliveries, gaps, each app's log and the
/// energy so far.
package final class StateStore: Sendable {
  let queue: DatabaseQueue
  /// Kept, though closed: Dispatch disposes of a queue on its pool of workers, and checks a pool that has ever had one
  /// every second; that would be the only wakeup of an idle daemon.
  private let inspected: DatabaseQueue
  private let path: String
  private let lock: FileLock
  private let said: Mutex<[String]>
  private let recent: Mutex<Recent>

  /// The size limit of the recent file, bytes [ours]: two hours of an app at 1 Hz.
  static let recentLimit = 1 << 20

  /// The committed changes that are not in the database.
  private struct Recent: ~Copyable {
    var file: RecentFile
    var changes: RecentChanges
    /// The turn of the database.
    var turn: UInt32
    /// Whether the file could not be emptied when the database took it in: nothing is added to it before it is.
    var isStale = false
    var owed = Scrub.nothing
    var logTimes = LogTimes()
  }

  /// The work left until the files hold nothing of deleted data; the later case covers the earlier.
  private enum Scrub: Int {
    case nothing
    /// The journal must be emptied.
    case journal
    /// The whole database must be rewritten, since another program may have left deleted data in it.
    case everything
  }

  /// Opens or makes the database; a corrupt one is moved aside (`.corrupt-N`) and reported in `warnings`.
  ///
  /// A new directory has mode 0700, the database 0600. Throws `StoreError` if another daemon has it, if it is another
  /// program's or another version's, and if it cannot be written.
  package init(path: String) throws {
    try StoreFiles.prepareDirectory(of: path)
    lock = try StoreFiles.lock(path)
    let opened = try Self.openDatabase(path)
    queue = opened.queue
    inspected = opened.inspected
    self.path = path
    said = Mutex(opened.warning.map { [$0] } ?? [])
    var changes = RecentChanges()
    let file = try RecentFile.opened(of: path, turn: opened.turn) {
      try RecentForm.read(record: $0, into: &changes)
    }
    let loss = file.loss
    recent = Mutex(Recent(file: file, changes: changes, turn: opened.turn))
    if let loss { warn(loss) }
  }

  /// The faults of the database that was found, one text each. `load` may add to it.
  package var warnings: [String] { said.withLock(\.self) }

  private func warn(_ text: String) {
    said.withLock { if !$0.contains(text) { $0.append(text) } }
  }

  /// Moves the recent changes into the database: until the next commit none lie beside it.
  package func settleRecent() throws {
    try recent.withLock { if !$0.file.isEmpty { try flush(nil, nil, behind: &$0) } }
  }

  /// Everything that is stored. An unreadable part (an engine of another version, a damaged row) is left out and
  /// reported in `warnings`; the rest is there.
  package func load() throws -> StoredState {
    try settleRecent()
    let result = try reporting("read") { try queue.read { try Reading(db: $0).stored() } }
    for text in result.warnings { warn(text) }
    return result.stored
  }

  /// Throws if the disk is full or read-only; nothing of `change` is written then.
  ///
  /// After a change that deletes, the files hold nothing of the deleted data: its page has zeros, and the journal is
  /// empty. If they may still hold some, the reason is returned, and the change is written all the same.
  ///
  /// Order within a change: removals, additions, authorizations, deliveries, acknowledgements, failures, drops,
  /// deletions (deliveries, logs, history), runs, tallies, crashes, given up, revived, log, engine, moment, energy,
  /// history. Committing the same change twice stores it once, except for its log and its history. No two rows of the
  /// log keep the same time (`LogTimes`).
  @discardableResult
  package func commit(_ change: StoreChange) throws -> String? {
    // Outside of the transaction: encoding takes longest.
    let engine = try change.engine.map(SnapshotForm.encoded)
    return try recent.withLock { recent in
      var change = change
      if !change.log.isEmpty { recent.logTimes.separate(rows: &change.log) }
      if try !append(change: change, engine, to: &recent) {
        try flush(change, engine, behind: &recent)
      }
      let wanted: Scrub = change.scrubs ? .everything : change.forgets ? .journal : .nothing
      if wanted.rawValue > recent.owed.rawValue { recent.owed = wanted }
      guard recent.owed != .nothing, change.forgets || engine != nil else { return nil }
      do {
        try scrub(&recent)
        return nil
      } catch {
        return "what was forgotten may still be in its files: \(error)"
      }
    }
  }

  private func scrub(_ recent: inout Recent) throws {
    if recent.isStale {
      try recent.file.begin(turn: recent.turn)
      recent.isStale = false
    }
    let scrub = recent.owed
    try reporting("scrub") {
      try queue.writeWithoutTransaction { db in
        if scrub == .everything { try db.execute(sql: "VACUUM") }
        _ = try db.checkpoint(.truncate)
      }
    }
    recent.owed = .nothing
  }

  /// Returns false if the change is for the database.
  private func append(
    change: StoreChange, _ engine: Data?, to recent: inout Recent
  ) throws -> Bool {
    guard RecentChanges.takes(change) else { return false }
    if recent.isStale, (try? recent.file.begin(turn: recent.turn)) != nil { recent.isStale = false }
    guard !recent.isStale, recent.file.size < Self.recentLimit else { return false }
    do {
      try recent.file.append(
        record: RecentForm.encoded(change, engine: engine, after: recent.changes.engine))
    } catch let error as StoreError where error.kind == .full {
      // The file itself may have filled the disk.
      return false
    }
    recent.changes.merge(change, engine: engine)
    return true
  }

  /// Writes the recent changes, and then `change`, in one transaction.
  private func flush(
    _ change: StoreChange?, _ engine: Data?, behind recent: inout Recent
  ) throws {
    let turn = recent.file.isEmpty || recent.isStale ? nil : recent.turn &+ 1
    let changes = recent.changes
    try reporting("write") {
      do {
        try transact(changes, change, engine, turn)
      } catch let error as DatabaseError where error.resultCode == .SQLITE_FULL {
        // The journal itself may have filled the disk: its content goes into the database.
        try queue.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        try transact(changes, change, engine, turn)
      }
    }
    if let turn {
      (recent.changes, recent.turn) = (RecentChanges(), turn)
      do { try recent.file.begin(turn: turn) } catch { recent.isStale = true }
    }
  }

  private func transact(
    _ recent: RecentChanges, _ change: StoreChange?, _ engine: Data?, _ turn: UInt32?
  ) throws {
    try queue.writeWithoutTransaction { db in
      if turn != nil { try db.execute(sql: "PRAGMA synchronous = FULL") }
      defer { try? db.execute(sql: "PRAGMA synchronous = NORMAL") }
      try db.inTransaction(.immediate) {
        if let turn {
          try Writing.store(recent, to: db)
          try db.execute(sql: "PRAGMA user_version = \(Int32(bitPattern: turn))")
        }
        if let change { try Writing.store(change, engine: engine, to: db) }
        return .commit
      }
    }
  }

  /// The newest rows of an app's log (`nil`: the daemon's), newest last; at most `count`.
  package func log(of app: AppID?, count: Int) throws -> [LogRow] {
    let count = min(max(0, count), StoreChange.logLimit)
    return try recent.withLock { recent in
      let rows = try reporting("read") {
        try queue.read { try Reading(db: $0).log(of: app, count: count) }
      }
      return (rows + recent.changes.log.filter { $0.app == app }).suffix(count)
    }
  }

  /// The newest entries of a part of the history, oldest first; one more than `range` requests, if there are more.
  package func history(in range: HistoryRange) throws -> [HistoryDocument.Entry] {
    // A reader that polls once a second writes nothing: the recent changes stay beside the database.
    try recent.withLock { recent in
      try reporting("read") {
        try queue.read { try RecentHistory(recent.changes.history, behind: $0).entries(in: range) }
      }
    }
  }

  private func reporting<T>(_ action: String, _ work: () throws -> T) throws -> T {
    do { return try work() } catch let error as DatabaseError {
      throw StoreError(error, action, path)
    }
  }
}
