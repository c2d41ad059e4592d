// SPDX-License-Identifier: Apache-2.0

package import ControlProtocol
import Files
import Foundation
import GRDB
import LocationEngine
package import LocationModel
package import ServiceContract
import Synchronization

// Theory
// ======
//
// One SQLite database holds what must outlive the daemon. The daemon makes one `Change` of each step and
// commits it: one transaction, written whole or not at all.
//
//   open ──► lock ──► sound? ──yes──► migrate ──► load ──► commit, commit, …
//                       └──no──► moved aside as NAME.corrupt-N ──► a fresh one, and a warning
//
// A database is written by pages, of 4,096 bytes each, however little changes: three of them for a delivery and its
// acknowledgement, 1 GB a day at 1 Hz. So what comes often (deliveries, acknowledgements, runs, logs, the engine's
// state) is appended to a file beside it, as a record of some tens of bytes, and the database takes in what is left
// of it at once: when the file has grown to `recentLimit`, with a change of another kind, and at the next start.
//
//   commit ──► often? ──yes──► a record in NAME-recent        most of it never reaches the database: what was
//                 │                  │ 1 MiB                  acknowledged by then is not in it any more
//                 └──no──────────────┴──► one transaction: what is recent, then this change; NAME-recent is emptied
//
// Durability: a committed change is in the kernel's hands, in that file or in SQLite's journal (a write-ahead log with
// synchronous NORMAL), so it survives kill -9 of the daemon. A power cut or a crash of the kernel may lose the last
// commits (what was not yet written back, some seconds), never the database's soundness. FULL would cost one fsync
// for each delivery, on cards that wear out; it is asked for where what is recent goes into the database, since the
// file that held it is emptied then.
//
// Numbers are safe from both: a delivery's number is kept in the app's row and outlives the outbox, so
// that an engine from an older snapshot continues above it.
//
// One daemon at a time: NAME.lock is locked (flock) for as long as the store lives; the kernel lets go
// of it when the process dies, so that a stale one stands in nobody's way.
//
// Bounds: the log keeps the newest `logLimit` rows of each app and of the daemon, older ones go; a text
// is cut at `textLimit` characters. The outbox is as long as the daemon lets it be (`dropped`). A removed
// app takes its outbox and its log with it.
//
// A disk that is full or read-only makes `commit` throw; nothing of the change is kept, the store stays
// usable, and a later commit succeeds once there is room. The caller carries the change over.

/// The daemon's memory on disk: apps, the engine's state, deliveries that are not acknowledged, gaps,
/// each app's log and the energy so far.
package final class StateStore: Sendable {
  let queue: DatabaseQueue
  /// Kept, though closed: Dispatch disposes of a queue on its pool of workers, and looks after a pool
  /// that has ever had one every second; that would be the only wake-up of a daemon at rest.
  private let inspected: DatabaseQueue
  private let path: String
  private let lock: FileLock
  private let said: Mutex<[String]>
  private let recent: Mutex<Recent>

  /// Bytes that the file of what is recent may have [ours]: two hours of an app at 1 Hz.
  static let recentLimit = 1 << 20

  /// The changes that were committed and are not in the database.
  private struct Recent: ~Copyable {
    var file: RecentFile
    var changes: RecentChanges
    /// The database's.
    var turn: UInt32
    /// Whether the file could not be emptied when the database took it in: nothing is added to it before it is.
    var isStale = false
    var owed = Scrub.nothing
  }

  /// The work that is left until the files hold nothing of what was deleted; the later covers the earlier.
  private enum Scrub: Int {
    case nothing
    /// The journal is emptied.
    case journal
    /// The whole database is written anew, since an older release left what it deleted.
    case everything
  }

  /// Opens or makes the database; a corrupt one is moved aside (`.corrupt-N`) and said in `warnings`.
  ///
  /// A directory that is made has mode 0700, the database 0600. Throws `StoreError` where another daemon
  /// has it, where it is another program's or a newer version's, and where it cannot be written.
  package init(path: String) throws {
    try StoreFiles.prepareDirectory(of: path)
    lock = try StoreFiles.lock(path)
    let opened = try Self.open(path)
    queue = opened.queue
    inspected = opened.inspected
    self.path = path
    said = Mutex(opened.warning.map { [$0] } ?? [])
    var changes = RecentChanges()
    let file = try RecentFile.opened(of: path, turn: opened.turn) {
      try RecentForm.read($0, into: &changes)
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

  /// The database takes in what is recent: until the next commit nothing lies beside it.
  package func settle() throws {
    try recent.withLock { if !$0.file.isEmpty { try write(nil, nil, behind: &$0) } }
  }

  /// Everything that is stored. A part that cannot be read (an engine of another version, a damaged row) is
  /// left out and said in `warnings`; the rest is there.
  package func load() throws -> StoredState {
    try settle()
    let result = try reporting("read") { try queue.read { try Reading(db: $0).stored() } }
    for text in result.warnings { warn(text) }
    return result.stored
  }

  /// Throws where the disk is full or read-only; nothing of `change` is written then.
  ///
  /// After a change that forgets, the files hold nothing of what went: its page has zeros, and the journal is
  /// empty. Where they may, it answers why, and the change is written all the same.
  ///
  /// Order within a change: removals, additions, authorizations, deliveries, acknowledgements, failures,
  /// drops, what is forgotten (deliveries, logs, history), runs, given up, revived, log, engine, moment, energy,
  /// history. Committing the same change twice stores it once, but for its log and its history.
  @discardableResult
  package func commit(_ change: StoreChange) throws -> String? {
    // Outside of the transaction: encoding takes longest.
    let engine = try change.engine.map(SnapshotForm.encoded)
    return try recent.withLock { recent in
      if try !append(change, engine, to: &recent) { try write(change, engine, behind: &recent) }
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

  /// Answers false where the change is for the database.
  private func append(
    _ change: StoreChange, _ engine: Data?, to recent: inout Recent
  ) throws -> Bool {
    guard RecentChanges.takes(change) else { return false }
    if recent.isStale, (try? recent.file.begin(turn: recent.turn)) != nil { recent.isStale = false }
    guard !recent.isStale, recent.file.size < Self.recentLimit else { return false }
    do {
      try recent.file.append(
        RecentForm.encoded(change, engine: engine, after: recent.changes.engine))
    } catch let error as StoreError where error.kind == .full {
      // The file itself may be what fills the disk.
      return false
    }
    recent.changes.add(change, engine: engine)
    return true
  }

  /// Writes what is recent, and then `change`, in one transaction.
  private func write(
    _ change: StoreChange?, _ engine: Data?, behind recent: inout Recent
  ) throws {
    let turn = recent.file.isEmpty || recent.isStale ? nil : recent.turn &+ 1
    let changes = recent.changes
    try reporting("write") {
      do {
        try transact(changes, change, engine, turn)
      } catch let error as DatabaseError where error.resultCode == .SQLITE_FULL {
        // The journal itself may be what fills the disk: what it holds goes into the database.
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
          try Writing.write(recent, to: db)
          try db.execute(sql: "PRAGMA user_version = \(Int32(bitPattern: turn))")
        }
        if let change { try Writing.write(change, engine: engine, to: db) }
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

  /// The newest entries of a part of the history, oldest first; one more than `range` asks for, where there
  /// are more.
  package func history(in range: HistoryRange) throws -> [HistoryDocument.Entry] {
    // A reader that looks once a second writes nothing: the recent changes stay beside the database.
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
