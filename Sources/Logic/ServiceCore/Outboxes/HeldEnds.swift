// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import LocationModel

// Theory
// ======
//
// The end of a deferral is reported behind the deferred updates. These go out through the outbox, `Outbox.window` at a
// time; the end of the deferral is not one of its entries, and waits here for the last of them:
//
//   outbox:   sent │ 65 66 … 300 │ 301 …        end(after: 300) is said once 300 is on the way
//
// - An app whose deliveries are all on the way is told at once.
// - A dropped or forgotten delivery holds nothing back.
// - A new connection begins without any: the ends belonged to the one before.
// - At most `limit` wait, then the oldest is reported before its deliveries, so that the count stays right.

/// Ends of deferrals that wait for deliveries before them, oldest first.
struct HeldEnds: Sendable, Equatable {
  /// The greatest number that the client library allows to be under way.
  static let limit = 64

  private struct Held: Sendable, Equatable {
    let end: Deferral.End
    /// The last delivery before it.
    let number: UInt64
  }

  private var all: [Held] = []

  var isEmpty: Bool { all.isEmpty }

  /// Holds one behind all deliveries waiting in the outbox.
  mutating func hold(_ end: Deferral.End, behind outbox: Outbox) {
    all.append(Held(end: end, number: outbox.entries.last?.delivery.sequence ?? 0))
  }

  /// Takes out the next one whose deliveries are on the way, or for which there is no room.
  mutating func next(as outbox: Outbox) -> Deferral.End? {
    guard let first = all.first else { return nil }
    let unsent = outbox.firstUnsent?.delivery.sequence ?? .max
    guard unsent > first.number || all.count > Self.limit else { return nil }
    return all.removeFirst().end
  }

  mutating func drop() { all = [] }
}
