// SPDX-License-Identifier: Apache-2.0

import LocationModel
import ServiceContract

// The parts of a delivery that several forms share.

extension PendingDelivery {
  /// The app's number and the delivery's, `3-7`: the same at each repetition, so that a server can recognize it.
  var identity: String { "\(app.number)-\(delivery.sequence)" }

  /// The same of one of its positions: the second one has a number of its own.
  func identity(ofPosition index: Int) -> String {
    index == 0 ? identity : "\(identity)-\(index + 1)"
  }

  /// The time of the position, but not in the future: a receiver that starts may report any date.
  var measured: UTCInstant { min(moment, received) }
}

extension PendingDelivery {
  /// `position`, `heartbeat`, or the word of the event.
  var word: String { delivery.event?.word ?? (isHeartbeat ? "heartbeat" : "position") }
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
