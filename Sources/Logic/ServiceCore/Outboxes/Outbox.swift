// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
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
// - A delivery leaves when it is acknowledged; an acknowledgement covers all numbers up to its own. An acknowledgement
//   of a number never sent changes nothing: no process can have seen it.
// - A handler works on one delivery, which is settled by its own number, whatever was sent: an earlier service may have
//   begun the run.
// - At most `window` are on the way at a time, so an app that hangs costs a bounded buffer; positions that were kept back
//   go all at once, since the app takes them together: `UpdateDeferral.limit` at most.
// - A new connection, or the death of a process, puts everything that is not acknowledged back to "not
//   sent": it is sent again, in order. An acknowledged one never is.
// - Full (`limit`): the oldest one goes, and the app is told the number of its losses. A lowered limit counts with the
//   next delivery.

/// The deliveries that wait for one app.
struct Outbox: Sendable, Equatable {
  struct Entry: Sendable, Equatable {
    let delivery: Delivery
    /// UTC of the host when the engine decided it.
    let received: UTCInstant
    /// The time of its decision on the engine's axis; `nil` for an earlier service's if the host's clock was set since,
    /// so that it is unknown.
    var since: EngineInstant?
    /// The number of its handler's failures.
    var failures = 0
  }

  /// The greatest number on the way without an acknowledgement [ours: a minute of 1 Hz].
  static let window = 64

  /// The greatest number of deliveries.
  var limit: Int
  private(set) var entries: [Entry] = []
  /// The number of `entries`, from the front, that are on the way.
  private(set) var sentCount = 0
  /// The number of the last acknowledged delivery; 0 before the first.
  private(set) var acknowledged: UInt64 = 0
  /// Deliveries dropped since the app was last told.
  private(set) var lost: UInt64 = 0

  /// The newest number sent on this connection, or acknowledged.
  var sent: UInt64 { sentCount > 0 ? entries[sentCount - 1].delivery.sequence : acknowledged }

  /// Whether a delivery waits here. A binary search: a full disk asks for thousands at a time.
  func holds(_ number: UInt64) -> Bool {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      let found = entries[middle].delivery.sequence
      if found == number { return true }
      if found < number { low = middle + 1 } else { high = middle }
    }
    return false
  }

  /// Adds a delivery; returns the numbers of those dropped for it.
  mutating func append(entry: Entry) -> [UInt64] {
    entries.append(entry)
    guard entries.count > limit else { return [] }
    let excess = entries.count - max(0, limit)
    let dropped = entries.prefix(excess).map(\.delivery.sequence)
    entries.removeFirst(excess)
    sentCount = max(0, sentCount - excess)
    lost += UInt64(excess)
    return dropped
  }

  /// Takes in deliveries left by an earlier service, oldest first; there may be more than `limit`.
  mutating func restore(_ entry: Entry) { entries.append(entry) }

  /// The next delivery to send; `nil` if nothing waits or the window is full.
  var next: Entry? { hasNext ? entries[sentCount] : nil }

  /// Whether there is a next one to send.
  var hasNext: Bool {
    guard sentCount < entries.count else { return false }
    return sentCount < Self.window || entries[sentCount].delivery.occasion == .deferral
  }

  /// The crossings of regions that an acknowledgement of this number covers.
  func crossings(upTo number: UInt64) -> [Delivery] {
    entries.prefix { $0.delivery.sequence <= number }.compactMap { entry in
      entry.delivery.event?.region == nil ? nil : entry.delivery
    }
  }

  /// The oldest delivery that is not on the way, with or without room for it.
  var firstUnsent: Entry? { sentCount < entries.count ? entries[sentCount] : nil }

  /// Marks the delivery in `next` as on the way.
  mutating func markSent() { sentCount = min(sentCount + 1, entries.count) }

  /// Marks everything unacknowledged to be sent again.
  mutating func rewind() { sentCount = 0 }

  /// Marks this delivery, and all after it, as unsent.
  mutating func rewind(to number: UInt64) {
    sentCount = entries.prefix(sentCount).count { $0.delivery.sequence < number }
  }

  /// Takes an acknowledgement; `true` if it changed something.
  mutating func acknowledge(upTo number: UInt64) -> Bool {
    guard number > acknowledged, number <= sent else { return false }
    var count = 0
    while count < sentCount, entries[count].delivery.sequence <= number { count += 1 }
    if count == entries.count { entries.empty() } else { entries.removeFirst(count) }
    sentCount -= count
    acknowledged = number
    return true
  }

  /// Whether nothing waits, and nothing was lost of which the app has not been told.
  var isIdle: Bool { entries.isEmpty && lost == 0 }

  /// Settles the delivery of this number after a handler's run, successful or not: it leaves, with all before it.
  /// Returns the entry; `nil` if it no longer waits.
  mutating func settleDelivery(_ number: UInt64) -> Entry? {
    sentCount = 0
    guard let index = entries.firstIndex(where: { $0.delivery.sequence == number }) else {
      return nil
    }
    let entry = entries[index]
    entries.removeFirst(index + 1)
    acknowledged = max(acknowledged, number)
    return entry
  }

  /// Counts a handler's failure on the delivery of this number; returns the entry, with that failure counted.
  mutating func fail(_ number: UInt64) -> Entry? {
    sentCount = 0
    guard let index = entries.firstIndex(where: { $0.delivery.sequence == number }) else {
      return nil
    }
    entries[index].failures += 1
    return entries[index]
  }

  /// Takes out the entries to forget, also those on the way; returns their numbers.
  mutating func forget(where isForgotten: (Entry) -> Bool) -> [UInt64] {
    change { isForgotten($0) ? nil : $0 }
  }

  /// Replaces each entry, also one on the way, by `successor`; one without leaves. Returns the numbers of these.
  mutating func change(into successor: (Entry) -> Entry?) -> [UInt64] {
    var numbers: [UInt64] = []
    var rest: [Entry] = []
    var sent = sentCount
    for (index, entry) in entries.enumerated() {
      if let next = successor(entry) {
        rest.append(next)
        continue
      }
      numbers.append(entry.delivery.sequence)
      if index < sentCount { sent -= 1 }
    }
    (entries, sentCount) = (rest, sent)
    return numbers
  }

  /// Notes that the app has been told of its losses.
  mutating func toldLosses() { lost = 0 }
}

extension Outbox.Entry {
  /// The message that hands it over.
  var message: ServerMessage { .handing(delivery, received: received) }
}

extension Delivery {
  /// The reason for which it wakes an app.
  var wakeReason: WakeReason {
    switch event {
    case .entered?, .exited?: .region
    case .arrived?, .departed?: .visit
    case nil: .location
    }
  }
}
