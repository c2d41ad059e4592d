// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import Geodesy
import LocationEngine
import LocationModel
import ServiceContract

// Theory
// ======
//
// The last days, for `HISTORY`: the device's positions, the receiver's plans, each app's states, and its deliveries. An
// entry is written with other data and is never a reason to write, so the history costs no extra write; waiting entries
// are answered from memory. A kill loses the waiting ones: usually less than half a minute (`Checkpoint`).
//
// A position that the engine believed is kept
//   - that is the first since the receiver was switched on,
//   - that lies at least 25 m from the last kept one and came at least 5 s after it,
//   - that came 300 s after it, wherever it lies,
//   - and the last one before the receiver is switched off. So two entries more than 300 s apart mean that the position
// between them was unknown. An hour's drive is 720 entries at most. All three numbers are ours: 25 m is what a town's
// street needs to be told from the next, 5 s at 50 km/h is 70 m.

/// The part of the past that the store does not have yet.
struct History: Sendable, Equatable {
  typealias Entry = HistoryDocument.Entry

  static let metres = 25.0
  static let seconds = 5.0
  static let longestPause = HistoryDocument.longestPause

  /// Oldest first.
  private(set) var waiting: [Entry] = []
  private var lastKept: Fix?
  private var lastKeptAt: EngineInstant?
  /// The newest believed position, if not kept, and its time.
  private var passed: (fix: Fix, at: UTCInstant)?

  mutating func append(entry: Entry) {
    waiting.append(entry)
    if waiting.count > StoreChange.waitingHistoryLimit { waiting.removeFirst() }
  }

  /// Takes a position that the engine believed.
  mutating func saw(_ fix: Fix, at now: ServiceTime) {
    guard isWorthKeeping(fix, at: now.at) else {
      passed = (fix, now.utc)
      return
    }
    keep(fix, at: now.utc)
    lastKeptAt = now.at
  }

  /// Takes a change of the receiver's plan.
  mutating func follow(plan: ReceiverPlan, text: String, at now: ServiceTime) {
    if !plan.isOn, let passed { keep(passed.fix, at: passed.at) }
    lastKept = nil
    append(entry: Entry(at: now.utc, kind: .receiver, word: plan.name, text: text))
  }

  /// Forgets waiting entries, and those that may yet be kept.
  mutating func forgetEntries(_ expiry: HistoryExpiry) {
    waiting.removeAll { expiry.concerns($0) }
    if let passed, expiry.concerns(Entry(passed.fix, at: passed.at)) { self.passed = nil }
  }

  /// Returns the waiting entries, to be written now.
  mutating func takeWaiting() -> [Entry] {
    defer { waiting = [] }
    return waiting
  }

  private func isWorthKeeping(_ fix: Fix, at now: EngineInstant) -> Bool {
    guard let lastKept, let lastKeptAt else { return true }
    let pause = EngineInstant.seconds(from: lastKeptAt, to: now)
    guard pause < Self.longestPause else { return true }
    return pause >= Self.seconds
      && lastKept.coordinate.distance(to: fix.coordinate) >= Self.metres
  }

  private mutating func keep(_ fix: Fix, at utc: UTCInstant) {
    (lastKept, passed) = (fix, nil)
    append(entry: Entry(fix, at: utc))
  }

  static func == (a: Self, b: Self) -> Bool {
    a.waiting == b.waiting && a.lastKept == b.lastKept && a.lastKeptAt == b.lastKeptAt
      && a.passed?.fix == b.passed?.fix && a.passed?.at == b.passed?.at
  }
}

extension History.Entry {
  fileprivate init(_ fix: Fix, at utc: UTCInstant) {
    self.init(
      at: utc, kind: .position, place: fix.coordinate, accuracy: fix.horizontalAccuracy,
      speed: fix.speed)
  }
}
