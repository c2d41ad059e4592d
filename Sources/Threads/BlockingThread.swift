// SPDX-License-Identifier: Apache-2.0

import Glibc

// Theory
// ======
//
// An edge whose library or system call blocks has a thread of its own: it blocks in `poll` on what it waits for and
// on a bell, which other threads ring when what they want of it has changed. What is wanted stands beside the bell,
// under a lock; a bell that rings twice before the thread has looked rings once. Nothing here wakes by itself.

/// A thread that may block for as long as it likes.
package enum BlockingThread {
  private final class Load {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// Runs `body` on a thread of its own, which ends with it; answers 0, or why there is none, as errno
  /// (pthread_create(3)).
  package static func start(_ body: @escaping @Sendable () -> Void) -> Int32 {
    var thread = pthread_t()
    let load = Unmanaged.passRetained(Load(body))
    let code = pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        Unmanaged<Load>.fromOpaque(context).takeRetainedValue().body()
        return nil
      }, load.toOpaque())
    guard code == 0 else {
      load.release()
      return code
    }
    pthread_detach(thread)
    return 0
  }

  /// Seconds of a clock that only goes forwards, for deadlines of `poll`.
  package static var now: Double {
    var time = timespec()
    _ = clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
