// SPDX-License-Identifier: Apache-2.0

import LocationModel

// Theory
// ======
//
// The deliveries of one app that it has not acknowledged, oldest first:
//
//     acknowledged │ sent, not acknowledged │ not sent yet
//     ─────────────┼────────────────────────┼─────────────►  numbers grow
//               `acknowledged`            `sent`
//
// - A delivery leaves when it is acknowledged; an acknowledgement covers all numbers up to its own. One
//   of a number that was never sent changes nothing: nobody can have seen it.
// - At most `window` are on the way at a time, so that an app that hangs costs a bounded buffer.
// - A new connection, or the death of a process, puts everything that is not acknowledged back to "not
//   sent": it is sent again, in order. What was acknowledged never is.
// - Full (`limit`): the oldest one goes, and the app is told how many it lost. A limit that is lowered
//   counts with the next delivery.

/// What waits for one app.
struct Outbox: Sendable, Equatable {
  struct Entry: Sendable, Equatable {
    let delivery: Delivery
    /// UTC of the host when the engine decided it.
    let received: UTCInstant
    /// How often a handler has failed on it.
    var failures = 0
  }

  /// How many may be on the way without an acknowledgement [ours: a minute of 1 Hz].
  static let window = 64

  /// Deliveries at most.
  var limit: Int
  private(set) var entries: [Entry] = []
  /// How many of `entries`, from the front, are on the way.
  private(set) var sentCount = 0
  /// The number of the last acknowledged delivery; 0 before the first.
  private(set) var acknowledged: UInt64
  /// Deliveries dropped since the app was last told.
  private(set) var lost: UInt64 = 0

  init(limit: Int, acknowledged: UInt64 = 0) {
    self.limit = limit
    self.acknowledged = acknowledged
  }

  /// The newest number that has been sent on this connection, or was acknowledged.
  var sent: UInt64 { sentCount > 0 ? entries[sentCount - 1].delivery.sequence : acknowledged }

  /// Adds a delivery; answers the numbers of those that had to go for it.
  mutating func add(_ entry: Entry) -> [UInt64] {
    entries.append(entry)
    let excess = max(0, entries.count - limit)
    let dropped = entries.prefix(excess).map(\.delivery.sequence)
    entries.removeFirst(excess)
    sentCount = max(0, sentCount - excess)
    lost += UInt64(excess)
    return dropped
  }

  /// The next delivery to send; `nil` where nothing waits or the window is full.
  var next: Entry? {
    sentCount < min(entries.count, Self.window) ? entries[sentCount] : nil
  }

  /// The delivery that `next` answered is on the way.
  mutating func markSent() { sentCount = min(sentCount + 1, entries.count) }

  /// Everything that is not acknowledged is to be sent again.
  mutating func rewind() { sentCount = 0 }

  /// Takes an acknowledgement; `true` where it changed something.
  mutating func acknowledge(upTo number: UInt64) -> Bool {
    guard number > acknowledged, number <= sent else { return false }
    let count = entries.prefix(sentCount).count { $0.delivery.sequence <= number }
    entries.removeFirst(count)
    sentCount -= count
    acknowledged = number
    return true
  }

  /// A handler failed on the oldest delivery; answers how often it has.
  mutating func fail() -> Int {
    guard !entries.isEmpty else { return 0 }
    entries[0].failures += 1
    sentCount = 0
    return entries[0].failures
  }

  /// The app has been told of its losses.
  mutating func toldLosses() { lost = 0 }
}
