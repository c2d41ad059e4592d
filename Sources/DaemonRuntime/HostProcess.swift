// SPDX-License-Identifier: Apache-2.0

import Glibc

/// What the kernel knows of a process.
enum HostProcess {
  /// The process group; `nil` where the process is gone.
  static func group(of pid: Int32) -> Int32? {
    let group = getpgid(pid)
    return group < 0 ? nil : group
  }
}
