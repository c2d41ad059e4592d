// SPDX-License-Identifier: Apache-2.0

import GRDB

/// A fault of the database, its place, and the remedy.
package struct StoreError: Error, Equatable, CustomStringConvertible {
  package enum Kind: Sendable, Equatable {
    /// No room: commits fail until there is some.
    case full
    /// Nothing can be written here.
    case readOnly
    /// Another daemon has it.
    case inUse
    /// It is a database, but not one of Milepost's.
    case foreign
    /// Another version of Milepost has written it, with other tables.
    case otherVersion
    /// It was found to be damaged while in use.
    case corrupt
    /// Any other error of the system or SQLite.
    case other
  }

  package let kind: Kind
  package let description: String

  init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }

  /// SQLite's error in plain words; `action` is `read` or `write`.
  init(_ error: DatabaseError, _ action: String, _ path: String) {
    let said = error.message ?? "no message"
    let code = error.resultCode.rawValue
    switch error.resultCode {
    case .SQLITE_FULL:
      self.init(
        .full,
        "cannot \(action) \(path): the disk is full. Make room; until then nothing is kept over a "
          + "restart")
    case .SQLITE_READONLY, .SQLITE_PERM:
      self.init(
        .readOnly,
        "cannot \(action) \(path): it is read-only (\(said)). Make the file system and the file "
          + "writable; until then nothing is kept over a restart")
    case .SQLITE_CORRUPT, .SQLITE_NOTADB:
      self.init(
        .corrupt,
        "cannot \(action) \(path): the database is damaged (\(said)). Start milepostd again: it moves "
          + "a damaged database aside and makes a fresh one")
    case .SQLITE_BUSY, .SQLITE_LOCKED:
      self.init(
        .inUse,
        "cannot \(action) \(path): another program has locked it. End that program, or wait for it")
    case .SQLITE_CANTOPEN:
      self.init(
        .other,
        "cannot open \(path): \(said). It must be a file in a directory that can be written")
    default:
      self.init(
        .other, "cannot \(action) \(path): \(said) (SQLite \(code)). Look at the disk and its log")
    }
  }
}
