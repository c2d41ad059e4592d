// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A file that one process at a time holds, for as long as this value lives.
///
/// The lock is the kernel's (flock(2)): it is gone with the process, and a stale file stands in nobody's
/// way.
package final class FileLock: Sendable {
  package enum Failure: Error, Equatable {
    /// Another process holds it.
    case isTaken
    /// The file cannot be opened or made, or not be locked: errno.
    case unopened(Int32)
    case unlocked(Int32)
  }

  private let descriptor: Int32

  /// Makes the file where it is missing, mode 0600; a symbolic link is not followed.
  package init(_ path: String) throws(Failure) {
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw .unopened(errno) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let code = errno
      close(descriptor)
      throw code == EWOULDBLOCK ? .isTaken : .unlocked(code)
    }
  }

  deinit { close(descriptor) }
}
