// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// Runs an app's asynchronous code on the replay's own thread. So even on a busy machine the replay waits for no other
/// thread, unless the app itself uses one.
final class ReplayExecutor: TaskExecutor, @unchecked Sendable {
  // `condition` guards `jobs`.
  private let condition = NSCondition()
  private var jobs: [UnownedJob] = []
  private let nudge: @Sendable () -> Void

  /// `nudge` is called after each arrival of a job.
  init(nudge: @escaping @Sendable () -> Void) { self.nudge = nudge }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    condition.withLock {
      jobs.append(job)
      condition.broadcast()
    }
    nudge()
  }

  var hasJobs: Bool { condition.withLock { !jobs.isEmpty } }

  /// Runs the waiting jobs and those that follow from them.
  func runJobs() {
    while let job = condition.withLock({ jobs.isEmpty ? nil : jobs.removeFirst() }) {
      job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }

  /// Blocks until there is a job or `end` is reached; returns `false` after the deadline.
  func wait(until deadline: Date, or end: EndOfMain) -> Bool {
    condition.withLock {
      while jobs.isEmpty && !end.isReached {
        // The end may come from another thread without a job here: check again periodically.
        let next = min(deadline, Date(timeIntervalSinceNow: 0.05))
        if !condition.wait(until: next), Date() >= deadline { return false }
      }
      return true
    }
  }
}

/// Whether an app's main function has returned.
final class EndOfMain: Sendable {
  private let isOver = Atomic(false)

  var isReached: Bool { isOver.load(ordering: .acquiring) }

  func reached() { isOver.store(true, ordering: .releasing) }
}
