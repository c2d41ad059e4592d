// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import Logging
import ModemCells
import RadioPower
import Settings

// What a modem tells, and what the policy may count on then: the theory is in CellWatch.swift.

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
