// SPDX-License-Identifier: Apache-2.0

import Glibc
import ServiceCore

/// A runtime directory of one daemon.
///
/// Keepers and their apps belong to the directory. A second daemon on it would take them over from the
/// first, and end those that its own state does not know; so it must notice before it looks at them. The
/// lock is the kernel's: it is gone with the process, and a stale file stands in nobody's way.
final class RuntimeLock: Sendable {
  private let descriptor: Int32

  /// Throws `ConfigurationTrouble` where another daemon has the directory, or no file can be made there.
  init(directory: String) throws {
    let path = directory + "/lock"
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      throw ConfigurationTrouble(
        "\(path): cannot be made: \(String(cString: strerror(errno))); name another directory with "
          + "--runtime")
    }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let isTaken = errno == EWOULDBLOCK
      let reason = String(cString: strerror(errno))
      close(descriptor)
      throw ConfigurationTrouble(
        isTaken
          ? "\(directory): another milepostd keeps its apps there; stop it, or name another directory "
            + "with --runtime"
          : "\(path): cannot be locked: \(reason)")
    }
  }

  deinit { close(descriptor) }
}
