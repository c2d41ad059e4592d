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
// The allocator keeps freed memory, in pieces between longer-lived ones. So the end of a flood, of bytes or of clients, is
// noticed, and the memory is given back to the system then.

/// The bytes that may wait for all clients of one kind together.
final class UnreadBudget: Sendable {
  private let most: Int
  private let floodEnded: @Sendable () -> Void
  private let state = Mutex(State())

  private struct State {
    var used = 0
    var clients = 0
    /// The most that was held since the last flood.
    var peak = 0

    /// The bytes, and what the clients themselves take.
    var held: Int { used + clients * UnreadBudget.client }

    /// Takes a change; returns whether it ends a flood.
    mutating func changed() -> Bool {
      peak = max(peak, held)
      guard peak >= UnreadBudget.flood, held <= peak / 4 else { return false }
      peak = held
      return true
    }
  }

  /// The bytes that a client takes by itself, its channel above all; roughly.
  private static let client = 16_384

  /// The bytes from which on it is a flood.
  static let flood = 1 << 20

  /// `floodEnded` is called, on any thread, when three quarters of a flood have been read, or have left.
  init(bytes: Int, floodEnded: @escaping @Sendable () -> Void) {
    most = bytes
    self.floodEnded = floodEnded
  }

  /// The most bytes that may wait for one client now, including those that wait.
  var share: Int { state.withLock { max(0, most - $0.used) } }

  /// The bytes that wait now.
  var bytes: Int { state.withLock { $0.used } }

  func take(bytes: Int) { change { $0.used += bytes } }

  func giveBack(_ bytes: Int) { change { $0.used -= bytes } }

  func entered() { change { $0.clients += 1 } }

  func left() { change { $0.clients -= 1 } }

  private func change(_ body: (inout State) -> Void) {
    let isOver = state.withLock { state in
      body(&state)
      return state.changed()
    }
    if isOver { floodEnded() }
  }
}
