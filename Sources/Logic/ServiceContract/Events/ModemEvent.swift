// SPDX-License-Identifier: Apache-2.0

/// A report of a modem while the service listens to its cells; each can be reported to the user.
package enum ModemEvent: Sendable, Equatable, Codable {
  /// The modem camps on another cell than before.
  ///
  /// `previous` is `nil` for the first cell since listening began, or since there was trouble: that is the present
  /// place, and no change. A modem that lost its network and comes back on the same cell reports nothing.
  case cell(CellIdentity, previous: CellIdentity?)
  /// The modem that reports cells has come, or has gone; in words.
  case modem(present: Bool, words: String)
  /// The reason why no cells come. Reported once until it is over or the trouble changes.
  case trouble(Trouble)

  package enum Trouble: Sendable, Equatable, Codable {
    /// The bus cannot be reached, or has gone; retried after `retryAfter` seconds.
    case noBus(reason: String, retryAfter: Double)
    /// ModemManager is not on the bus.
    case noModemManager
    /// ModemManager knows no modem.
    case noModem
    /// The modem does not report its cells, or not yet for want of a SIM card.
    case noCells(modem: String)
    /// The modem is not enabled.
    case notReady(modem: String, state: ModemState)
    /// Location must be set up for the modem, and this user may not.
    case notAllowed(modem: String)
    /// Another program has switched off the reporting of cells.
    case switchedOff(modem: String)
    /// ModemManager answered with an error, or not at all.
    case refused(String)
    /// A location that is no cell; it was skipped.
    case badLocation(String)
  }
}

/// ModemManager's `MMModemState`, with the values that matter here.
package struct ModemState: RawRepresentable, Sendable, Equatable, Codable {
  package let rawValue: Int32

  package init(rawValue: Int32) { self.rawValue = rawValue }

  /// From here on it can be set up and registers with a network (include/ModemManager-enums.h).
  package static let enabled = ModemState(rawValue: 6)

  package var isEnabled: Bool { rawValue >= Self.enabled.rawValue }

  package var words: String {
    switch rawValue {
    case -1: "failed"
    case 1: "being initialised"
    case 2: "locked"
    case 3: "disabled"
    case 4: "being disabled"
    case 5: "being enabled"
    case 6...: "enabled"
    default: "in an unknown state"
    }
  }
}

extension ModemEvent.Trouble {
  /// The trouble as a phrase for people, with a remedy.
  package var words: String {
    switch self {
    case .noBus(let reason, let retryAfter):
      "the system bus cannot be reached: \(reason); next attempt in \(Int(retryAfter)) s; cell "
        + "changes need dbus-daemon or dbus-broker"
    case .noModemManager:
      "ModemManager does not run; with a modem, install it and start its service, without one set "
        + "modem: off"
    case .noModem: "ModemManager knows no modem; mmcli -L lists what it knows"
    case .noCells(let modem):
      "\(modem) tells no cells; mmcli -m \(Self.number(modem)) --location-status shows what it can"
    case .notReady(let modem, let state) where state.rawValue == 2:
      "\(modem) is locked; unlock its SIM card, with mmcli -i SIM --pin PIN"
    case .notReady(let modem, let state) where state.rawValue == 3:
      "\(modem) is disabled; mmcli -m \(Self.number(modem)) -e enables it"
    case .notReady(let modem, let state): "\(modem) is \(state.words)"
    case .notAllowed(let modem):
      "ModemManager does not let this user set up \(modem) to tell its cells; allow "
        + "org.freedesktop.ModemManager1.Device.Control in polkit, or as root: mmcli -m "
        + "\(Self.number(modem)) --location-enable-3gpp --location-set-enable-signal"
    case .switchedOff(let modem):
      "somebody else ended the telling of cells on \(modem); it is set up again when cells are next "
        + "listened to"
    case .refused(let reason): "ModemManager: \(reason)"
    case .badLocation(let text): "the modem's location '\(text)' names no cell; it was skipped"
    }
  }

  /// Its number in `mmcli`: the path's last part.
  private static func number(_ modem: String) -> Substring {
    modem.split(separator: " ").last.map { $0.split(separator: "/").last ?? $0 } ?? ""
  }
}
