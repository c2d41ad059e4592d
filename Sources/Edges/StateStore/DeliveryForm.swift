// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocationModel

/// Writes deliveries as `SnapshotForm` does, but encodes the shared fix of a thousand apps only once.
///
/// One fix goes to many apps, and encoding it takes most of the time of writing a delivery.
struct DeliveryForm {
  private var fix: Fix?
  private var text = ""

  mutating func encoded(_ delivery: Delivery) throws -> Data {
    let numbers = [delivery.moved, delivery.since].compactMap(\.self)
    guard numbers.allSatisfy(\.isFinite), delivery.event == nil, delivery.occasion == nil else {
      return try SnapshotForm.encoded(delivery)
    }
    if fix != delivery.fix {
      text = String(decoding: try SnapshotForm.encoded(delivery.fix), as: UTF8.self)
      fix = delivery.fix
    }
    var json = "{\"sequence\":\(delivery.sequence),\"service\":\"\(delivery.service.rawValue)\""
    json += ",\"isCached\":\(delivery.isCached)"
    if let moved = delivery.moved { json += ",\"moved\":\(moved)" }
    if let since = delivery.since { json += ",\"since\":\(since)" }
    json += ",\"fix\":\(text)}"
    return Data(json.utf8)
  }
}
