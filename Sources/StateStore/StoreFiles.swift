// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Directories, modes and names of the database's files.
enum StoreFiles {
  /// How many corrupt databases are kept; the newest replaces the last of them.
  static let corruptLimit = 10
  /// What SQLite puts beside a database.
  static let companions = ["-wal", "-shm"]

  /// Makes the directory of `path` and those above it, mode 0700, where they are missing.
  static func prepareDirectory(of path: String) throws {
    guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return }
    try makeDirectory(String(path[..<slash]))
  }

  private static func makeDirectory(_ directory: String) throws {
    if access(directory, F_OK) == 0 || mkdir(directory, 0o700) == 0 { return }
    if errno == ENOENT, let slash = directory.lastIndex(of: "/"), slash != directory.startIndex {
      try makeDirectory(String(directory[..<slash]))
      if mkdir(directory, 0o700) == 0 { return }
    }
    if errno == EEXIST { return }
    throw failure("make the directory", directory)
  }

  /// Makes the file where it is missing, mode 0600; what SQLite puts beside it follows.
  static func prepareFile(_ path: String) throws {
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw failure("open", path) }
    close(file)
  }

  /// Gives a file that was there before mode 0600.
  static func protect(_ path: String) throws {
    guard chmod(path, 0o600) == 0 else { throw failure("set the mode of", path) }
  }

  /// Moves a database and its companions to the next free name; answers it.
  static func moveAside(_ path: String) throws -> String {
    var number = 1
    while number < corruptLimit, access("\(path).corrupt-\(number)", F_OK) == 0 { number += 1 }
    let aside = "\(path).corrupt-\(number)"
    for companion in companions { unlink(aside + companion) }
    guard rename(path, aside) == 0 else { throw failure("move aside", path) }
    for companion in companions where rename(path + companion, aside + companion) != 0 {
      // A companion left behind would be taken for the fresh database's.
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

  /// The error that `errno` names, with what to do.
  static func failure(_ action: String, _ path: String) -> StoreError {
    let number = errno
    let said = String(cString: strerror(number))
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

/// Keeps a second daemon from the database, for as long as this value lives.
final class StoreLock: Sendable {
  private let file: Int32

  init(path: String, of database: String) throws {
    file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw StoreFiles.failure("open", path) }
    guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
      let isTaken = errno == EWOULDBLOCK
      let failure = StoreFiles.failure("lock", path)
      close(file)
      throw isTaken
        ? StoreError(
          .inUse,
          "\(database) is in use by another milepostd. End that one, or give this one another state "
            + "directory") : failure
    }
  }

  deinit { close(file) }
}
