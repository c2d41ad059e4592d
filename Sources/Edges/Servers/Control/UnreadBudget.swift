// SPDX-License-Identifier: Apache-2.0

import Synchronization

// Theory
// ======
//
// A limit for each client does not limit their sum: 600 of them that ask and do not read would hold 600 limits. So all
// clients of one kind share a budget, and one may hold as many bytes as are still free (the dynamic threshold of
// Choudhury and Hahne, "Dynamic queue length thresholds for shared-memory packet switches", IEEE/ACM Transactions on
// Networking 6, 1998, with their α = 1):
//
//     n clients that do not read hold  budget / (n + 1)  each, and the same is left for one that comes now
//
// A client for which nothing waits is always sent one message, so one that reads never feels the others.
//
// The allocator keeps freed memory, in pieces between longer-lived ones. So the end of a flood is noticed, and the memory
// is given back to the system then.

/// The bytes that may wait for all clients of one kind together.
final class UnreadBudget: Sendable {
  private let most: Int
  private let floodEnded: @Sendable () -> Void
  private let state = Mutex(State())

  private struct State {
    var used = 0
    /// The most that were used since the last flood.
    var peak = 0
  }

  /// The bytes from which on it is a flood.
  static let flood = 1 << 20

  /// `floodEnded` is called, on any thread, when three quarters of a flood have been read or dropped.
  init(bytes: Int, floodEnded: @escaping @Sendable () -> Void) {
    most = bytes
    self.floodEnded = floodEnded
  }

  /// The most bytes that may wait for one client now, including those that wait.
  var share: Int { state.withLock { max(0, most - $0.used) } }

  /// The bytes that wait now.
  var bytes: Int { state.withLock { $0.used } }

  func take(_ bytes: Int) {
    state.withLock { state in
      state.used += bytes
      state.peak = max(state.peak, state.used)
    }
  }

  func giveBack(_ bytes: Int) {
    guard bytes > 0 else { return }
    let isOver = state.withLock { state in
      state.used -= bytes
      guard state.peak >= Self.flood, state.used <= state.peak / 4 else { return false }
      state.peak = state.used
      return true
    }
    if isOver { floodEnded() }
  }
}
