// SPDX-License-Identifier: Apache-2.0

import LocationModel
import ServiceContract

// The parts of a delivery that several forms share.

extension PendingDelivery {
  /// The app's number and the delivery's, `3-7`: the same at each repetition, so that a server can recognize it.
  var identity: String { "\(app.number)-\(delivery.sequence)" }

  /// The time of the position; if the receiver gave none, that of the service's decision.
  var moment: UTCInstant { delivery.fix.time ?? received }

  /// The time for a form that has only one: of a heartbeat that of the decision, at which the device was known to be
  /// there still. With the position's own time it would be a repeat, which servers drop.
  var onlyMoment: UTCInstant { isHeartbeat ? received : moment }

  /// The time for a stay's place. Its end is told as of the second before: the position that shows it was elsewhere, and
  /// two places at one instant are in no order.
  func moment(of stay: Visit) -> UTCInstant {
    stay.departure?.advanced(bySeconds: -1) ?? stay.arrival ?? moment
  }

  var isHeartbeat: Bool { delivery.occasion == .heartbeat }

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
