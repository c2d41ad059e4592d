// SPDX-License-Identifier: Apache-2.0

// Theory
// ======
//
// A policy that counts on changes of cell looks less often by itself; so it may count on them only while
// a modem really tells them. `CellWatch` is what the daemon knows of that:
//
//             the first cell                                   the policy's senses
//   unknown ───────────────► told         unknown, silent      none: sessions by the clock
//      │                     │  ▲         told                 cells
//      │ trouble     trouble │  │ a cell
//      └───────► silent ◄────┘──┘ (three times at most)
//
// - The engine decides when cells are listened to, as far as they are told. Until they are, the source is
//   listened to as well: it waits for ModemManager or a modem to come, which costs no wake.
// - Without a bus there is nothing to wait for but time; a daemon that never reached one gives up.
// - A modem that comes and goes (a plug that does not hold) would begin the policy anew each time: after
//   its third loss its cells are not counted on any more until a restart.
// - The first cell after listening begins says where the device is and is no change: what happened while
//   nobody listened was covered by the session that ended the listening.
// - The restored engine knows whether cells were told when the last daemon left; that is believed until
//   the modem shows otherwise.

/// Whether a modem tells its cells.
struct CellWatch: Sendable, Equatable {
  /// Losses after which a modem is not counted on any more.
  static let lossLimit = 3

  /// Whether the policy counts on cells.
  private(set) var isTold: Bool
  /// Nothing more is asked of the modem.
  private(set) var isGivenUp = false
  private var losses = 0
  /// The troubles that were said in full already.
  private var said: Set<String> = []

  init(isTold: Bool) { self.isTold = isTold }

  /// Whether the source is to be listened to, where the engine wants cells or does not.
  func listens(engineWants: Bool) -> Bool { !isGivenUp && (engineWants || !isTold) }

  /// A cell came; `true` where that changes what the policy may count on.
  mutating func sawCell() -> Bool {
    guard !isTold, !isGivenUp else { return false }
    isTold = true
    return true
  }

  /// No cells come now; `true` where that changes what the policy may count on.
  mutating func lost(hasBus: Bool) -> Bool {
    guard isTold else {
      if !hasBus && losses == 0 { isGivenUp = true }
      return false
    }
    isTold = false
    losses += 1
    if losses >= Self.lossLimit { isGivenUp = true }
    return true
  }

  /// Whether trouble of that kind is new to the journal.
  mutating func isNew(_ kind: String) -> Bool { said.insert(kind).inserted }
}
