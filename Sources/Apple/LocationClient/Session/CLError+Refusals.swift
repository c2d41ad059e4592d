// SPDX-License-Identifier: Apache-2.0

import ControlProtocol

// What an app is told of the service's refusals: which `CLError`, and its words.

extension CLError {
  static let forbidden = CLError(
    .denied, "the user allows this app no location; milepost apps authorize changes that")

  static let onlyReduced = CLError(
    .promptDeclined,
    "the user lets this app know where the device is to 5 km; milepost apps authorize with --full changes that"
  )
}

extension ServerMessage.ErrorCode {
  /// Core Location's code for it: the end of the service, or a passing failure.
  var clientCode: CLError.Code {
    switch self {
    case .denied, .unknownApp, .notAnApp: .denied
    case .alreadyConnected, .held, .malformed, .tooLong, .tooMany, .badManifest, .duplicateApp,
      .notPossible, .storage:
      .network
    }
  }
}
