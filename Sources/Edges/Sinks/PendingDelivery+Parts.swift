// SPDX-License-Identifier: Apache-2.0

import LocationModel
import ServiceContract

// The parts of a delivery that several forms share.

extension PendingDelivery {
  /// The app's number and the delivery's, `3-7`: the same at each repetition, so that a server can recognize it.
  var identity: String { "\(app.number)-\(delivery.sequence)" }

  /// The time of the position; if the receiver gave none, that of the service's decision.
  var moment: UTCInstant { delivery.fix.time ?? received }

  /// The same, but not in the future: a receiver that starts may report any date.
  var measured: UTCInstant { min(moment, received) }
}

extension PlaceEvent {
  /// `enter`, `leave`, `arrive` or `depart`.
  var word: String {
    switch self {
    case .entered: "enter"
    case .exited: "leave"
    case .arrived: "arrive"
    case .departed: "depart"
    }
  }
}

extension UTCInstant {
  /// `2026-11-22`, UTC.
  var day: Substring { rfc3339.prefix { $0 != "T" } }
}
