// SPDX-License-Identifier: Apache-2.0

import Glibc
import Host

/// Directories, modes and names of the database's files.
enum StoreFiles {
  /// The limit of kept corrupt databases; the newest replaces the last of them.
  static let corruptLimit = 10
  /// The files beside a database that belong to it: that of recent changes, and SQLite's own.
  static let companions = [RecentFile.ending, "-wal", "-shm"]

  /// Makes the directory of `path` and those above it, mode 0700, if they are missing.
  static func prepareDirectory(of path: String) throws {
    let directory = Directory.parent(of: path)
    guard directory != ".", directory != "/" else { return }
    if let unmade = Directory.make(directory) { throw failure("make the directory", unmade) }
  }

  /// Makes the file if it is missing, mode 0600; SQLite's files beside it inherit that.
  static func prepareFile(_ path: String) throws {
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw failure("open", path) }
    close(file)
  }

  /// Gives an existing file mode 0600.
  static func protect(_ path: String) throws {
    guard chmod(path, 0o600) == 0 else { throw failure("set the mode of", path) }
  }

  /// Moves a database and its companions to the next free name; returns it.
  static func moveAside(_ path: String) throws -> String {
    var number = 1
    while number < corruptLimit, access("\(path).corrupt-\(number)", F_OK) == 0 { number += 1 }
    let aside = "\(path).corrupt-\(number)"
    for companion in companions { unlink(aside + companion) }
    guard rename(path, aside) == 0 else { throw failure("move aside", path) }
    for companion in companions where rename(path + companion, aside + companion) != 0 {
      // A remaining companion would be taken for the fresh database's.
      guard errno == ENOENT else { throw failure("move aside", path + companion) }
    }
    return aside
  }

  static func isThere(_ path: String) -> Bool { access(path, F_OK) == 0 }

  static func remove(_ path: String) { unlink(path) }

  /// Copies a file's bytes; the copy has mode 0600.
  static func copy(_ path: String, to copy: String) throws {
    let source = open(path, O_RDONLY | O_CLOEXEC)
    guard source >= 0 else { throw failure("read", path) }
    defer { close(source) }
    let target = open(copy, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard target >= 0 else { throw failure("make", copy) }
    defer { close(target) }
    var offset: off_t = 0
    while true {
      let count = sendfile(target, source, &offset, 1 << 24)
      if count == 0 { return }
      if count < 0, errno != EINTR { throw failure("copy", path) }
    }
  }

  /// Keeps a second daemon from the database, for as long as the result lives.
  static func lock(_ path: String) throws -> FileLock {
    let file = path + ".lock"
    do throws(FileLock.Failure) {
      return try FileLock(file)
    } catch {
      switch error {
      case .unopened(let code): throw failure("open", file, code)
      case .unlocked(let code): throw failure("lock", file, code)
      case .isTaken:
        throw StoreError(
          .inUse,
          "\(path) is in use by another milepostd. End that one, or give this one another state "
            + "directory")
      }
    }
  }

  /// The error for `errno`, with the remedy.
  static func failure(
    _ action: String, _ path: String, _ number: Int32 = errno
  ) -> StoreError {
    let said = SystemError.text(number)
    switch number {
    case EROFS, EACCES, EPERM:
      return StoreError(
        .readOnly,
        "cannot \(action) \(path): \(said). Make it writable, or name another state directory")
    case ENOSPC, EDQUOT:
      return StoreError(.full, "cannot \(action) \(path): \(said). Make room on the disk")
    case EISDIR:
      return StoreError(
        .other,
        "cannot \(action) \(path): it is a directory. Move it away, or name another state directory"
      )
    default:
      return StoreError(.other, "cannot \(action) \(path): \(said). Name another state directory")
    }
  }
}
