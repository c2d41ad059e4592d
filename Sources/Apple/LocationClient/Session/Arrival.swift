// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import Geodesy
import LocationModel

extension SessionMachine.Arrival {
  /// Whether it is one of several positions that were kept back.
  var isDeferred: Bool {
    if case .location(let delivery) = news { delivery.occasion == .deferral } else { false }
  }

  /// Whether this is the other arrival, sent again.
  func isOne(with other: Self) -> Bool {
    guard number == other.number else { return false }
    return switch (news, other.news) {
    case (.location(let a), .location(let b)): a.isOne(with: b)
    case (.region(let a), .region(let b)):
      (a.identifier, a.event, a.moment) == (b.identifier, b.event, b.moment)
    default: news == other.news
    }
  }
}

extension Delivery {
  /// Whether it may answer a single request: a position of now.
  var isNew: Bool { service != .significant && !isCached }

  /// Whether two deliveries of one number are the same one, sent again.
  func isOne(with other: Delivery) -> Bool {
    // The text form may lose the last digits; 1e-6° is a tenth of a metre.
    let a = fix.coordinate
    let b = other.fix.coordinate
    return service == other.service && fix.time == other.fix.time
      && (a.latitude - b.latitude).magnitude < 1e-6
      && (a.longitude - b.longitude).magnitude < 1e-6
  }
}

extension Heading {
  var direction: Double? { trueNorth ?? magneticNorth }
}
