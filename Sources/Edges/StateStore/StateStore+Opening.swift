// SPDX-License-Identifier: Apache-2.0

import GRDB
package import ServiceContract

extension StateStore {
  /// Names Milepost's databases in SQLite's header: "Mlps".
  static let applicationID: Int32 = 0x4D6C_7073

  struct Opened {
    var queue: DatabaseQueue
    /// The closed connection with which the file was inspected.
    var inspected: DatabaseQueue
    /// The count of intakes of recent changes, starting at a random number.
    var turn: UInt32
    var warning: String?
  }

  /// Opens a sound database, or moves a corrupt one aside and opens a fresh one.
  static func openDatabase(_ path: String) throws -> Opened {
    do {
      do { return try soundQueue(path, warning: nil) } catch let damage as Damage {
        let aside = try StoreFiles.moveAside(path)
        let warning =
          "\(path) was corrupt (\(damage.text)) and is now \(aside). A fresh one was made. Lost are the "
          + "registered apps, what they monitored, undelivered events, logs and energy totals: "
          + "register the apps again, or put back a copy of the database"
        return try soundQueue(path, warning: warning)
      }
    } catch let damage as Damage {
      throw StoreError(
        .corrupt, "\(path): a fresh database is corrupt (\(damage.text)). Look at the disk")
    } catch let error as DatabaseError {
      throw StoreError(error, "write", path)
    }
  }

  /// The faults that make a database useless.
  private struct Damage: Error {
    var text: String
  }

  private static func soundQueue(_ path: String, warning: String?) throws -> Opened {
    try StoreFiles.prepareFile(path)
    do {
      // First inspected unchanged: a refused database is not modified.
      let found = try DatabaseQueue(path: path)
      try check(found, path)
      try found.close()
      try StoreFiles.protect(path)
      var configuration = Configuration()
      configuration.journalMode = .wal
      configuration.label = "state"
      // Outside readers (the sqlite3 shell, a backup) may hold a lock for a moment.
      configuration.busyMode = .timeout(2)
      configuration.prepareDatabase { db in
        // A deleted row is overwritten with zeros in its page, so that a free page reveals nothing.
        try db.execute(
          sql: """
            PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = 16777216;
            PRAGMA secure_delete = ON
            """)
      }
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      try migrator.migrate(queue)
      let turn = try queue.read { try Int32.fetchOne($0, sql: "PRAGMA user_version") ?? 0 }
      return Opened(
        queue: queue, inspected: found, turn: UInt32(bitPattern: turn), warning: warning)
    } catch let error as DatabaseError
      where error.resultCode == .SQLITE_CORRUPT || error.resultCode == .SQLITE_NOTADB
    {
      throw Damage(text: error.message ?? "SQLite \(error.resultCode.rawValue)")
    }
  }

  private static func check(_ queue: DatabaseQueue, _ path: String) throws {
    try queue.read { db in
      if let found = try String.fetchOne(db, sql: "PRAGMA quick_check(1)"), found != "ok" {
        throw Damage(text: found)
      }
      let owner = try Int32.fetchOne(db, sql: "PRAGMA application_id") ?? 0
      let tables = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master") ?? 0
      guard owner == applicationID || owner == 0 && tables == 0 else {
        throw StoreError(
          .foreign,
          "\(path) is a database of another program. Move it away, or name another state directory")
      }
      if try migrator.hasBeenSuperseded(db) {
        throw StoreError(
          .otherVersion,
          "\(path) was written by another version of milepostd. Run that one, or move the database away"
        )
      }
    }
  }

  /// Each version of the tables, in order; a published one is never changed.
  private static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("tables") { db in
      // A database never begins with the turn of a deleted one whose file was left.
      try db.execute(
        sql: """
          PRAGMA application_id = \(applicationID);
          PRAGMA user_version = \(Int32.random(in: 1...(.max)));
          CREATE TABLE app (
            id INTEGER PRIMARY KEY, name TEXT NOT NULL, manifest TEXT NOT NULL,
            authorization TEXT NOT NULL, last_sequence INTEGER NOT NULL,
            acknowledged INTEGER NOT NULL, run INTEGER NOT NULL DEFAULT 0, tally BLOB,
            crashes BLOB);
          CREATE TABLE engine (
            one INTEGER PRIMARY KEY CHECK (one = 1), version INTEGER NOT NULL,
            snapshot BLOB NOT NULL);
          CREATE TABLE pending (
            app INTEGER NOT NULL, sequence INTEGER NOT NULL, delivery BLOB NOT NULL,
            received_us INTEGER NOT NULL, failures INTEGER NOT NULL,
            PRIMARY KEY (app, sequence)) WITHOUT ROWID;
          CREATE TABLE dead (
            app INTEGER NOT NULL, sequence INTEGER NOT NULL, delivery BLOB NOT NULL,
            received_us INTEGER NOT NULL, failures INTEGER NOT NULL, at_us INTEGER NOT NULL,
            reason TEXT NOT NULL, PRIMARY KEY (app, sequence)) WITHOUT ROWID;
          -- app is -1 for the daemon; number counts the rows of one app.
          CREATE TABLE log (
            app INTEGER NOT NULL, number INTEGER NOT NULL, at_us INTEGER NOT NULL,
            kind TEXT NOT NULL, text TEXT NOT NULL, PRIMARY KEY (app, number)) WITHOUT ROWID;
          CREATE TABLE history (
            number INTEGER PRIMARY KEY AUTOINCREMENT, at_us INTEGER NOT NULL, kind TEXT NOT NULL,
            app TEXT, word TEXT, text TEXT, since_us INTEGER, latitude REAL, longitude REAL,
            accuracy_m REAL, speed_mps REAL);
          CREATE INDEX history_at ON history (at_us);
          CREATE TABLE energy (component TEXT PRIMARY KEY, joules REAL NOT NULL) WITHOUT ROWID;
          CREATE TABLE moment (
            one INTEGER PRIMARY KEY CHECK (one = 1), engine_us INTEGER NOT NULL,
            utc_us INTEGER NOT NULL, boot TEXT NOT NULL, boot_clock_us INTEGER NOT NULL);
          """)
    }
    return migrator
  }
}

extension StateStore {
  /// Reads a database that cannot be opened for writing, from a copy in a writable directory.
  ///
  /// The copy is deleted afterwards. A missing database is empty. Throws if it cannot be read, or is not one of
  /// Milepost's.
  package static func read(path: String, copyingTo directory: String) throws -> StoredState {
    guard StoreFiles.isThere(path) else { return StoredState() }
    let copy = directory + "/milepost-copy.sqlite"
    defer {
      for ending in [""] + StoreFiles.companions + [".lock"] { StoreFiles.remove(copy + ending) }
    }
    // Recent changes first: if the database takes them in meanwhile, they are found there, and not lost between the
    // two.
    for ending in [RecentFile.ending, "", "-wal", "-shm"] where StoreFiles.isThere(path + ending) {
      try StoreFiles.copy(path + ending, to: copy + ending)
    }
    return try StateStore(path: copy).load()
  }
}
