// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import RadioPower
import ServiceContract
import Settings

// A modem's reports, and their meaning for the policy: the theory is in CellWatch.swift.

extension LocationService {
  mutating func heard(_ event: ModemEvent) {
    switch event {
    case .cell(let cell, let previous):
      if cells.sawCell() {
        journal(.notice, "a modem tells its cells: their changes are taken for hints of a move")
        followSenses()
      }
      guard previous != nil else { break }
      meter.record(.cellWake, at: now.at)
      if engine.triggers.contains(.cells) {
        tell(.cellChanged(CellHint(rawValue: cell.number)))
      }
    case .modem(present: true, let words):
      // It is found again whenever listening begins.
      journal(cells.isNew("modem") ? .info : .debug, words)
    case .modem(present: false, let words):
      journal(.notice, words)
      lostCells(hasBus: true)
    case .trouble(let trouble): troubled(trouble)
    }
  }

  private mutating func troubled(_ trouble: ModemEvent.Trouble) {
    var hasBus = true
    let isOrdinary: Bool
    switch trouble {
    case .noBus:
      hasBus = false
      isOrdinary = true
    case .noModemManager, .noModem: isOrdinary = true
    case .noCells, .notReady, .notAllowed, .switchedOff, .refused, .badLocation: isOrdinary = false
    }
    // A missing modem needs no warning, and a modem that stutters must not fill the journal.
    if cells.isNew(trouble.kind) {
      journal(isOrdinary ? .info : .warning, "cells: \(trouble.words)")
    }
    if case .badLocation = trouble { return }
    lostCells(hasBus: hasBus)
  }

  private mutating func lostCells(hasBus: Bool) {
    guard cells.lost(hasBus: hasBus) else { return intents.append(.listen) }
    journal(.notice, "no changes of cell come now: the policy goes on by the clock")
    if cells.isGivenUp {
      journal(
        .warning,
        "the modem went \(CellWatch.lossLimit) times; it is not asked again until a restart")
    }
    followSenses()
  }

  /// Makes the policy rely on the present hints.
  private mutating func followSenses() {
    needsCheckpoint()
    reconfigureEngine()
    intents.append(.listen)
  }
}

extension ModemEvent.Trouble {
  /// The kind of a trouble, each reported once.
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
