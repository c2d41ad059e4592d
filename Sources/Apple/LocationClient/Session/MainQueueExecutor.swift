// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// Runs asynchronous handlers on the main queue, where all other handlers are called.
final class MainQueueExecutor: TaskExecutor {
  static let shared = MainQueueExecutor()

  private init() {}

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    DispatchQueue.main.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
