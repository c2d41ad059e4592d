// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A thread that blocks in `poll` on a bell, among others, until it is asked to end; the caller waits for the end.
///
///     none ──start──► runs ──close: rings──► runs, must end ──► none, must end
///
/// Its work leaves its loop when `isToEnd`. If it is closed before its start, it ends right after the start, so that
/// resources are released in one place.
package final class BellThread: Sendable {
  private struct Life {
    var runs = false
    var isToEnd = false
    /// The callers that wait for the end.
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  /// Used in the thread's `poll`; rings for the end, and for other requests of its owner.
  package let bell = Bell()
  private let life = Mutex(Life())

  package init() {}

  /// Whether the work must leave its loop.
  package var isToEnd: Bool { life.withLock { $0.isToEnd } }

  /// Runs `work` on the thread, unless it runs already. If it throws, `work` was not started.
  package func start(_ work: @escaping @Sendable () -> Void) throws(BlockingThread.Missing) {
    guard bell.isThere else {
      throw BlockingThread.Missing(description: "this process has no descriptor left")
    }
    let runsAlready = life.withLock { life in
      defer { life.runs = true }
      return life.runs
    }
    guard !runsAlready else { return }
    do throws(BlockingThread.Missing) {
      try BlockingThread.start {
        work()
        self.hasEnded()
      }
    } catch {
      hasEnded()
      throw error
    }
  }

  /// Ends the thread, and waits for that; also if another caller waits already, or there is none.
  package func close() async {
    await withCheckedContinuation { waiter in
      let isOver = life.withLock { life in
        life.isToEnd = true
        if life.runs { life.waiters.append(waiter) }
        return !life.runs
      }
      if isOver { waiter.resume() } else { bell.ring() }
    }
  }

  private func hasEnded() {
    let waiters = life.withLock { life in
      life.runs = false
      defer { life.waiters = [] }
      return life.waiters
    }
    for waiter in waiters { waiter.resume() }
  }
}
