// SPDX-License-Identifier: Apache-2.0

// The receiver's wasted work. Two kinds are separate, and no second belongs to both:
//
//      off ──▶ acquire ──▶ track ──▶ off        a session with a delivery: not waste
//      off ──▶ acquire ──▶ track ──▶ off        a session without one: all of it unheard
//      off ──▶ acquire ──────────▶ off          a search that ended without a fix, in whatever session
//
// - A session goes from rest to rest. It is heard if any position was delivered in it, even the
//   network's: the meter does not know a delivery's source.
// - A search goes from the first state of acquisition to the next other state. It had a fix if that
//   state tracks or saves power; rest and back-off mean that it had none. A search that the modem
//   interrupts (`blocked`) continues after that.
// - A session or search under way counts as if it ended at the query.

/// The receiver's wasted times, microseconds by index of its state.
struct SessionLedger: Sendable, Equatable {
  typealias State = Activity.GNSSState

  private(set) var fixless = [Int64](repeating: 0, count: State.allCases.count)
  private(set) var unheard = [Int64](repeating: 0, count: State.allCases.count)
  private(set) var fixlessSearches = 0
  private(set) var unheardSessions = 0
  /// The receiver's times at the start of session and search, and the session's vain search time.
  private var session: [Int64]?
  private var search: [Int64]?
  private var sessionFixless = [Int64](repeating: 0, count: State.allCases.count)
  private var isHeard = false

  /// Notes that a position was delivered.
  mutating func delivered() { isHeard = true }

  /// Takes the receiver from one state to another; `time` holds its times by state up to now.
  mutating func pass(from old: State, to new: State, time: [Int64]) {
    if old.isRest, !new.isRest {
      session = time
      isHeard = false
    }
    if search == nil, new.isSearch { search = time }
    if search != nil, !new.isSearch, new != .blocked { endSearch(hasFix: new.tracks, time) }
    if !old.isRest, new.isRest { endSession(time) }
  }

  /// The same as if everything under way ended now.
  func ended(time: [Int64]) -> SessionLedger {
    var ledger = self
    if ledger.search != nil { ledger.endSearch(hasFix: false, time) }
    if ledger.session != nil { ledger.endSession(time) }
    return ledger
  }

  private mutating func endSearch(hasFix: Bool, _ time: [Int64]) {
    defer { search = nil }
    guard let search, !hasFix else { return }
    fixlessSearches += 1
    for index in time.indices { sessionFixless[index] += time[index] - search[index] }
  }

  private mutating func endSession(_ time: [Int64]) {
    guard let session else { return }
    if !isHeard { unheardSessions += 1 }
    for index in time.indices {
      fixless[index] += sessionFixless[index]
      if !isHeard { unheard[index] += time[index] - session[index] - sessionFixless[index] }
      sessionFixless[index] = 0
    }
    self.session = nil
  }
}

extension Activity.GNSSState {
  /// Whether the receiver searches for its first fix.
  fileprivate var isSearch: Bool {
    switch self {
    case .acquireCold, .acquireWarm, .acquireHot, .acquireAssisted: true
    default: false
    }
  }

  fileprivate var tracks: Bool {
    switch self {
    case .trackGood, .trackPoor, .trackStill, .powersave: true
    default: false
    }
  }
}
