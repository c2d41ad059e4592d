// SPDX-License-Identifier: Apache-2.0

package import ControlProtocol
import Files
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
// Durability: the journal is a write-ahead log with synchronous NORMAL. A committed change is in the
// kernel's hands, so it survives kill -9 of the daemon. A power cut or a crash of the kernel may lose
// the last commits (what was not yet written back, some seconds), never the database's soundness. FULL
// would cost one fsync for each delivery, on cards that wear out.
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
// usable, and a later commit succeeds once there is room. Whoever commits carries the change over.
//
// That the files hold nothing of what was forgotten needs more than a transaction, and may fail behind one that was
// written: a reader from outside holds the journal, or there is no room for the database twice. It is owed then,
// and tried again with the next state of the engine that is written.

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
  private let owed = Mutex(Scrub.nothing)

  /// What has to be done for the files to hold nothing of what was deleted; the later covers the earlier.
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
  }

  /// What was wrong with the database that was found, one text each. `load` may add to it.
  package var warnings: [String] { said.withLock(\.self) }

  private func warn(_ text: String) {
    said.withLock { if !$0.contains(text) { $0.append(text) } }
  }

  /// Everything that is stored. What cannot be read (an engine of another version, a damaged row) is
  /// left out and said in `warnings`; the rest is there.
  package func load() throws -> StoredState {
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
    try reporting("write") {
      do {
        try queue.write { try Writing.write(change, engine: engine, to: $0) }
      } catch let error as DatabaseError where error.resultCode == .SQLITE_FULL {
        // The journal itself may be what fills the disk: what it holds goes into the database.
        try queue.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        try queue.write { try Writing.write(change, engine: engine, to: $0) }
      }
    }
    let wanted: Scrub = change.scrubs ? .everything : change.forgets ? .journal : .nothing
    return owed.withLock { owed in
      if wanted.rawValue > owed.rawValue { owed = wanted }
      guard owed != .nothing, change.forgets || engine != nil else { return nil }
      do {
        try reporting("scrub") { try scrub(owed) }
        owed = .nothing
        return nil
      } catch {
        return "what was forgotten may still be in its files: \(error)"
      }
    }
  }

  private func scrub(_ scrub: Scrub) throws {
    try queue.writeWithoutTransaction { db in
      if scrub == .everything { try db.execute(sql: "VACUUM") }
      _ = try db.checkpoint(.truncate)
    }
  }

  /// The newest rows of an app's log (`nil`: the daemon's), newest last; at most `count`.
  package func log(of app: AppID?, count: Int) throws -> [LogRow] {
    try reporting("read") { try queue.read { try Reading(db: $0).log(of: app, count: count) } }
  }

  /// The newest entries of a part of the history, oldest first; one more than `range` asks for, where there
  /// are more.
  package func history(in range: HistoryRange) throws -> [HistoryDocument.Entry] {
    try reporting("read") { try queue.read { try Reading(db: $0).history(in: range) } }
  }

  private func reporting<T>(_ action: String, _ work: () throws -> T) throws -> T {
    do { return try work() } catch let error as DatabaseError {
      throw StoreError(error, action, path)
    }
  }
}
