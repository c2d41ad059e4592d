// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Whether a batch was recalled: ordered by the task that waits for it, and asked between two requests by the thread that
/// sends them.
final class Recall: Sendable {
  private let flag = Atomic(false)

  func order() { flag.store(true, ordering: .relaxed) }

  var isOrdered: Bool { flag.load(ordering: .relaxed) }

  /// Throws if it was.
  func check() throws(SinkError) { if isOrdered { throw .recalled } }
}
