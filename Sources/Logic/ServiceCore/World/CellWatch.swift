// SPDX-License-Identifier: Apache-2.0

// Theory
// ======
//
// A policy that relies on changes of cell looks less often by itself; so it may rely on them only while a
// modem really reports them. `CellWatch` is the daemon's knowledge of that:
//
//             the first cell                                   the policy's senses
//   unknown ───────────────► told         unknown, silent      none: sessions by the clock
//      │                     │  ▲         told                 cells
//      │ trouble     trouble │  │ a cell
//      └───────► silent ◄────┘──┘ (three times at most)
//
// - The engine decides when to listen to cells, as far as they are reported. Until they are, the source
//   is listened to as well: it waits for ModemManager or a modem to come, which costs no wake.
// - Without a bus there is nothing to wait for but time; a daemon that never reached one gives up.
// - A modem that comes and goes (a plug that does not hold) would begin the policy anew each time: after
//   its third loss it is no longer relied on until a restart.
// - The first cell after listening begins is the present place and no change: the session that ended the
//   listening covered the time without it.
// - The restored engine knows whether cells were reported when the last daemon left; that is believed
//   until the modem shows otherwise.

/// Whether a modem reports its cells.
struct CellWatch: Sendable, Equatable {
  /// Losses after which a modem is no longer relied on.
  static let lossLimit = 3

  /// Whether the policy relies on cells.
  private(set) var isTold: Bool
  /// Nothing more is asked of the modem.
  private(set) var isGivenUp = false
  private var losses = 0
  /// The troubles already reported in full.
  private var said: Set<String> = []

  init(isTold: Bool) { self.isTold = isTold }

  /// Whether to listen to the source, with or without the engine's request for cells.
  func listens(engineWants: Bool) -> Bool { !isGivenUp && (engineWants || !isTold) }

  /// Takes a cell; `true` if that changes what the policy may rely on.
  mutating func sawCell() -> Bool {
    guard !isTold, !isGivenUp else { return false }
    isTold = true
    return true
  }

  /// Takes a loss of cells; `true` if that changes what the policy may rely on.
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
