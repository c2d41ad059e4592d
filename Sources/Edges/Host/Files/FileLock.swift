// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A file that one process at a time holds, for as long as this value lives.
///
/// The lock is the kernel's (flock(2)): it is gone with the process, and a stale file blocks nothing. It belongs to the
/// open file and not to the descriptor, so a child of this process holds it too between fork(2) and exec(2); hence it
/// is released explicitly, and not by closing alone.
package final class FileLock: Sendable {
  package enum Failure: Error, Equatable {
    /// Another process holds it.
    case isTaken
    /// The file cannot be opened, made or locked: errno.
    case unopened(Int32)
    case unlocked(Int32)
  }

  private let descriptor: Int32

  /// Makes the file if it is missing, mode 0600; a symbolic link is not followed.
  package init(_ path: String) throws(Failure) {
    let opened = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard opened >= 0 else { throw .unopened(errno) }
    guard flock(opened, LOCK_EX | LOCK_NB) == 0 else {
      let code = errno
      close(opened)
      throw code == EWOULDBLOCK ? .isTaken : .unlocked(code)
    }
    // Last of all: from here on `deinit` runs, whatever is thrown.
    descriptor = opened
  }

  /// Waits until this open file is locked, until it is closed; returns the error number on failure.
  package static func wait(for descriptor: Int32) -> Int32? {
    while flock(descriptor, LOCK_EX) != 0 { if errno != EINTR { return errno } }
    return nil
  }

  deinit {
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}
