// SPDX-License-Identifier: Apache-2.0

import LocationModel
import ServiceContract

/// What the daemon's log and its explanations say of apps; sentences without a final full stop.
enum LogWords {
  /// `event 2: 2545 m and 301 s after the last` of a significant change;
  /// `no. 7: the first continuous update since the launch` of another service.
  static func text(delivery: Delivery) -> String {
    guard delivery.service == .significant else {
      return
        "no. \(delivery.sequence): the first \(delivery.service.rawValue) update since the launch"
    }
    let event = "event \(delivery.sequence)"
    if let place = delivery.event { return event + ": " + place.words }
    if delivery.isCached { return event + ": the last position that was known" }
    guard let moved = delivery.moved, let since = delivery.since else {
      return event + ": the first position"
    }
    return event + ": \(Figures.whole(moved)) m and \(Figures.whole(since)) s after the last"
  }

  /// `nobody watched from … to …`, but not before `last`; if the clock went back, its duration, as far as known.
  static func text(gap: EngineClock.Gap, notBefore last: UTCInstant? = nil) -> String {
    let (from, to) = (gap.fromUTC.rfc3339, gap.toUTC.rfc3339)
    guard gap.hasClockGoneBack else {
      return "nobody watched from \(max(gap.fromUTC, last ?? gap.fromUTC).rfc3339) to \(to)"
    }
    let length =
      gap.isMeasured
      ? "nobody watched for \(Figures.span(gap.seconds))"
      : "nobody knows for how long nobody watched"
    return "\(length): the clock went back from \(from) to \(to)"
  }

  /// `event 2, attempt 1: acknowledged` of a handler that ended with status 0; `failures` before it.
  static func acknowledged(_ number: UInt64, failures: Int) -> String {
    "event \(number), attempt \(failures + 1): acknowledged"
  }
}
