// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import Logging
import ModemCells
import RadioPower
import Settings

// Theory
// ======
//
// A policy that counts on changes of cell looks less often by itself; so it may count on them only while
// a modem really tells them. What the daemon knows of that is `CellWatch`:
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
// - While a recording runs, the policy stays as its header states it, for else it would not replay.
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
  /// What was said in full already.
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

extension DaemonConfiguration {
  /// Whether a modem is of use: the other policies take no hints.
  var wantsModem: Bool { modem == .automatic && policy == "milepost" }
}

extension Daemon {
  /// Tells the source what the engine, and what we, want of it.
  func listenToCells() {
    guard modem != nil else { return }
    effects.append(.listen(cells.listens(engineWants: engine.triggers.contains(.cells))))
  }

  func heard(_ event: ModemEvent) {
    switch event {
    case .cell(let cell, let previous):
      if cells.sawCell() {
        log.notice("a modem tells its cells: their changes are taken for hints of a move")
        followSenses()
      }
      guard previous != nil else { break }
      meter.app(.cellWake, at: now)
      if engine.triggers.contains(.cells) {
        tell(.cellChanged(CellHint(rawValue: cell.number)))
      }
    case .modem(present: true, let words):
      // It is found again whenever listening begins.
      log.log(level: cells.isNew("modem") ? .info : .debug, "\(words)")
    case .modem(present: false, let words):
      log.notice("\(words)")
      lostCells(hasBus: true)
    case .trouble(let trouble): troubled(trouble)
    }
  }

  private func troubled(_ trouble: ModemEvent.Trouble) {
    var hasBus = true
    let isOrdinary: Bool
    switch trouble {
    case .noBus:
      hasBus = false
      isOrdinary = true
    case .noModemManager, .noModem: isOrdinary = true
    case .noCells, .notReady, .notAllowed, .switchedOff, .refused, .badLocation: isOrdinary = false
    }
    // A machine without a modem is nothing to warn of, and a modem that stutters must not fill the
    // journal.
    if cells.isNew(trouble.kind) {
      log.log(level: isOrdinary ? .info : .warning, "cells: \(trouble.words)")
    }
    if case .badLocation = trouble { return }
    lostCells(hasBus: hasBus)
  }

  private func lostCells(hasBus: Bool) {
    guard cells.lost(hasBus: hasBus) else { return listenToCells() }
    log.notice("no changes of cell come now: the policy goes on by the clock")
    if cells.isGivenUp {
      log.warning(
        "the modem went \(CellWatch.lossLimit) times; it is not asked again until a restart")
    }
    followSenses()
  }

  /// The policy counts on what is told now.
  private func followSenses() {
    defer { listenToCells() }
    guard recorder == nil else {
      return log.notice("a recording runs: the policy goes on as it began")
    }
    needsSnapshot = true
    do {
      try reconfigureEngine()
    } catch {
      // The configuration was read with the same names at the start.
      log.error("the policy stays as it was: \(words(of: error))")
    }
  }
}

extension ModemEvent.Trouble {
  /// What is said once.
  fileprivate var kind: String {
    switch self {
    case .noBus: "no_bus"
    case .noModemManager: "no_modem_manager"
    case .noModem: "no_modem"
    case .noCells: "no_cells"
    case .notReady: "not_ready"
    case .notAllowed: "not_allowed"
    case .switchedOff: "switched_off"
    case .refused: "refused"
    case .badLocation: "bad_location"
    }
  }
}
