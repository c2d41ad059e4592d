// SPDX-License-Identifier: Apache-2.0

import Geodesy
import JSONText
import LocationModel
import ServiceContract
import ServiceCore

/// One line of a status: a name of up to 13 columns and a text, broken if it is long.
enum LiveRow {
  static func fact(_ name: String, _ text: String) -> Node { .fact(name, text, column: 15) }

  /// `45.52310, 13.56880 ± 5 m`
  static func place(_ fix: Fix) -> String {
    let place =
      Decimal.text(fix.coordinate.latitude, decimals: 5) + ", "
      + Decimal.text(fix.coordinate.longitude, decimals: 5)
    return place + (fix.horizontalAccuracy.map { " ± " + Figures.distance($0) } ?? "")
  }

  static func receiver(_ receiver: StatusDocument.Receiver) -> String {
    let plan =
      switch receiver.plan {
      case .off: "off"
      case .continuous: "on"
      case .session: "on for a session"
      }
    let until = receiver.until.map { ", next on at \($0.rfc3339)" } ?? ""
    return "\(plan) since \(receiver.since.rfc3339)\(until): \(receiver.reason)"
  }
}
