// SPDX-License-Identifier: Apache-2.0

import ControlProtocol

// The daemon's refusals, in Core Location's words.

extension CLError {
  static let forbidden = CLError(
    .denied, "the user allows this app no location; milepost apps authorize changes that")

  static let onlyReduced = CLError(
    .promptDeclined,
    "the user lets this app know where the device is to 5 km; milepost apps authorize with --full changes that"
  )
}

extension ServerMessage.ErrorCode {
  /// Core Location's word for it: what ends the service, and what is trouble on the way.
  var clientCode: CLError.Code {
    switch self {
    case .denied, .unknownApp, .notAnApp: .denied
    case .alreadyConnected, .held, .malformed, .tooLong, .tooMany, .badManifest, .duplicateApp,
      .notPossible, .storage:
      .network
    }
  }
}
