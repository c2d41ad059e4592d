// SPDX-License-Identifier: Apache-2.0

package import Glibc

/// A bell that wakes a thread in `poll`; any thread may ring it.
package struct Bell: ~Copyable, Sendable {
  private let descriptor: Int32

  package init() { descriptor = eventDescriptor() }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// `false` if the process had no descriptor left: it never rings then, and `poll` skips it.
  package var isThere: Bool { descriptor >= 0 }

  /// For `poll`.
  package var entry: pollfd { pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0) }

  package func ring() {
    guard isThere else { return }
    var one: UInt64 = 1
    // It fails only if it rings already.
    _ = write(descriptor, &one, 8)
  }

  /// Stops it if `poll` found it ringing, so that it can ring again.
  package func answer(_ entry: pollfd) {
    guard entry.revents != 0 else { return }
    var rings: UInt64 = 0
    _ = read(descriptor, &rings, 8)
  }
}
