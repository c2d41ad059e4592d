// SPDX-License-Identifier: Apache-2.0

import Foundation

// Theory
// ======
//
//   blocked ─► a thread waits for one ─► it comes: the work is done ─► the program ends by that signal
//                                                      └─ another one meanwhile ─► it ends at once
//
// They are blocked before any other thread is started, so that only the waiting one gets them. The program then really
// ends by the signal, which a shell can see.

/// The signals by which a user or a system asks a program to end.
enum EndSignals {
  private static let all = [SIGINT, SIGTERM, SIGHUP]

  static var set: sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in all { sigaddset(&set, signal) }
    return set
  }

  /// Blocks them, in this thread and in those that it starts, until `first` is called.
  static func block() {
    var set = set
    pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  /// Runs `work` when one of them comes, on a separate thread, and then ends the program by it.
  static func first(_ work: @escaping @Sendable () -> Void) {
    block()
    Thread {
      var (set, signal) = (set, Int32())
      guard sigwait(&set, &signal) == 0 else { return }
      for number in all { Foundation.signal(number, SIG_DFL) }
      // Impatient users press it twice.
      pthread_sigmask(SIG_UNBLOCK, &set, nil)
      work()
      kill(getpid(), signal)
    }.start()
  }
}
