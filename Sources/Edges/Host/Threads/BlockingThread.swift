// SPDX-License-Identifier: Apache-2.0

import Glibc

// Theory
// ======
//
// An edge with a blocking library or system call has a dedicated thread: it blocks in `poll` on its descriptors and on
// a bell, which other threads ring when their request has changed. The request is stored beside the bell, under a lock;
// a bell that rings twice before the thread has looked rings once. Nothing here wakes by itself.
//
// Signals are left to the other threads: a library that writes to a closed socket gets an error, and no SIGPIPE. Only
// signals of a fault in the thread itself come through.

/// A thread that may block for as long as it likes.
package enum BlockingThread {
  private final class Load {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// The reason why there is no thread, in words.
  package struct Missing: Error, Sendable, Equatable, CustomStringConvertible {
    package let description: String
  }

  /// Runs `body` on a new thread, which ends with it, and returns its result.
  package static func run<Answer: Sendable>(
    _ body: @escaping @Sendable () -> Answer
  ) async throws(Missing) -> Answer {
    let result: Result<Answer, Missing> = await withCheckedContinuation { continuation in
      do throws(Missing) {
        try start { continuation.resume(returning: .success(body())) }
      } catch {
        continuation.resume(returning: .failure(error))
      }
    }
    return try result.get()
  }

  /// Runs `body` on a new thread, which ends with it (pthread_create(3)).
  package static func start(_ body: @escaping @Sendable () -> Void) throws(Missing) {
    var thread = pthread_t()
    let load = Unmanaged.passRetained(Load(body))
    let code = pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        BlockingThread.blockSignals()
        Unmanaged<Load>.fromOpaque(context).takeRetainedValue().body()
        return nil
      }, load.toOpaque())
    guard code == 0 else {
      load.release()
      throw Missing(description: "no thread could be started: \(SystemError.text(code))")
    }
    pthread_detach(thread)
  }

  private static func blockSignals() {
    var signals = sigset_t()
    sigfillset(&signals)
    for fault in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT] { sigdelset(&signals, fault) }
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// Seconds of a monotonic clock that stops while the machine sleeps, for deadlines of `poll`.
  package static var now: Double {
    var time = timespec()
    _ = clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
