// SPDX-License-Identifier: Apache-2.0

import LocationModel

// Theory
// ======
//
// Each delivery gives the app one item to upload. The policy decides when; the meter knows the cost of a transfer. A
// radio stays up for its tail behind every transfer, and that costs more than the data: rare uploads save energy, and
// an upload while the tail is open anyway costs little (Balasubramanian et al., "Energy consumption in mobile phones"
// (TailEnder), IMC 2009).
//
//      items     a  b     c           d        e
//      each      ▲  ▲     ▲           ▲        ▲
//      seconds   ├─── T ──▼           ├── T ──▼        all that waits, T after the first of it
//      count     (n = 3)  ▲
//      piggyback ├─── T ──▼~~tail~~   ├── T ──▼~~tail  as seconds; an item that comes while the tail of a
//                                                      transfer that a deadline forced is open goes at once
//
// - All waiting items go in one transfer. No item waits longer than T while the app runs.
// - Only a running app sends. Items due while the app is suspended or not running wait until it runs again for another
//   reason, and go then, together with the item of the delivery that woke it: an upload is never a reason to wake.
//   Waiting items are on the app's disk and survive a purge.
// - Nothing is sent within a gap, about which nothing is known; items due in it go after it.
// - Items left at the end of the trace are not sent, and are counted (`Uplink`).
// - Piggyback counts the tail from the transfer that a deadline forced, and not from those that rode along: otherwise a
//   stream of items would keep the radio up for ever. Its length is the nominal one of the network; a real app would
//   have to estimate it.
//
// A longer T never needs more transfers: those of a shorter one would suffice, and waiting for the first deadline gives
// the fewest possible (interval stabbing). So if transfers are further apart than the tail is long, which T of at least
// promotion and tail ensures, more delay never costs more energy. Below that a batch can cost one promotion more than
// it saves in tail.

/// When an app uploads its deliveries.
package enum UploadPolicy: Sendable, Equatable {
  case none
  /// Each delivery at once.
  case each
  /// All waiting items, this many seconds after the first of them was delivered; above 0.
  case everySeconds(Double)
  /// As soon as this many wait; at least 1.
  case everyCount(Int)
  /// At most this many seconds late; at once if a tail is open; above 0.
  case piggyback(maxDelay: Double)
}

extension UploadPolicy {
  /// Whether time alone decides when items go, not their number.
  var isByTheClock: Bool {
    switch self {
    case .none, .everySeconds: true
    case .each, .everyCount, .piggyback: false
    }
  }
}

extension UploadPolicy: LosslessStringConvertible {
  /// The written forms, for people.
  package static let forms = ["none", "each", "seconds=N", "count=N", "piggyback=N"]

  /// `none`, `each`, `seconds=300`, `count=10`, `piggyback=600`.
  package init?(_ text: String) {
    let parts = text.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
    switch (parts[0], parts.count) {
    case ("none", 1): self = .none
    case ("each", 1): self = .each
    case ("count", 2):
      guard let count = Int(parts[1]), count >= 1 else { return nil }
      self = .everyCount(count)
    case ("seconds", 2), ("piggyback", 2):
      guard let seconds = Double(parts[1]), seconds > 0, seconds <= 1e9 else { return nil }
      self = parts[0] == "seconds" ? .everySeconds(seconds) : .piggyback(maxDelay: seconds)
    default: return nil
    }
  }

  package var description: String {
    func plain(_ seconds: Double) -> String {
      Int(exactly: seconds).map(String.init) ?? String(seconds)
    }
    return switch self {
    case .none: "none"
    case .each: "each"
    case .everySeconds(let seconds): "seconds=\(plain(seconds))"
    case .everyCount(let count): "count=\(count)"
    case .piggyback(let seconds): "piggyback=\(plain(seconds))"
    }
  }
}

/// The items waiting under a policy.
struct UploadQueue: Sendable {
  private let policy: UploadPolicy
  /// Seconds from the request of a transfer to the end of its tail.
  private let openFor: Double
  /// The number of waiting items.
  private(set) var count = 0
  /// The time of the first of them.
  private(set) var oldest: EngineInstant?
  private var forcedAt: EngineInstant?

  init(_ policy: UploadPolicy, openFor: Double) {
    self.policy = policy
    self.openFor = openFor
  }

  /// The time at which waiting items must go; `nil` while none must.
  var due: EngineInstant? {
    guard let oldest else { return nil }
    return switch policy {
    case .none, .everyCount: nil
    case .each: oldest
    case .everySeconds(let delay), .piggyback(let delay): oldest.advanced(bySeconds: delay)
    }
  }

  /// Adds an item. Returns whether to send now; the app runs.
  mutating func addItem(at now: EngineInstant) -> Bool {
    guard policy != .none else { return false }
    count += 1
    oldest = oldest ?? now
    if isDue(at: now) { return true }
    switch policy {
    case .everyCount(let limit): return count >= limit
    case .piggyback:
      guard let forcedAt else { return false }
      return now < forcedAt.advanced(bySeconds: openFor)
    case .none, .each, .everySeconds: return false
    }
  }

  func isDue(at now: EngineInstant) -> Bool { due.map { $0 <= now } ?? false }

  /// Takes all waiting items, to be sent now; returns their number.
  mutating func send(at now: EngineInstant) -> Int {
    defer {
      count = 0
      oldest = nil
    }
    if isDue(at: now) { forcedAt = now }
    return count
  }
}
