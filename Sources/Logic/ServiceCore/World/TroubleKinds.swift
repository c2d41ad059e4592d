// SPDX-License-Identifier: Apache-2.0

import ServiceContract

// The kinds under which troubles are counted, each told once.

extension GPSDEvent.Trouble {
  /// The kind under which it is counted.
  var kind: String {
    switch self {
    case .timeWentBack: "time_went_back"
    case .overlongLine: "overlong_line"
    case .badLine: "bad_line"
    case .unpackDiffers(let field): "unpack_differs_\(field)"
    case .protocolMismatch: "protocol_mismatch"
    case .notReleased: "not_released"
    case .notAsleep: "not_asleep"
    case .reported: "reported"
    }
  }
}

extension ModemEvent.Trouble {
  /// The kind of a trouble, each reported once.
  var kind: String {
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
