// SPDX-License-Identifier: Apache-2.0

import LocationModel
import ServiceContract

// What several forms say of a delivery in the same way.

extension PendingDelivery {
  /// The app's number and the delivery's, `3-7`: the same each time that it is sent, so that a server can know it.
  var identity: String { "\(app.number)-\(delivery.sequence)" }

  /// When the device was there; where the receiver gave no time, when the service decided to tell it.
  var moment: UTCInstant { delivery.fix.time ?? received }
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

  /// The name of the region whose border was crossed.
  var region: String? {
    switch self {
    case .entered(let region), .exited(let region): region
    case .arrived, .departed: nil
    }
  }

  /// The stay that has begun or ended.
  var stay: Visit? {
    switch self {
    case .arrived(let visit), .departed(let visit): visit
    case .entered, .exited: nil
    }
  }
}

extension UTCInstant {
  /// `2026-11-22`, UTC.
  var day: Substring { rfc3339.prefix { $0 != "T" } }
}
