// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocationModel

// Theory
// ======
//
// The service has no time-zone database, so the facts that it needs of a zone are written down: the offset at the
// beginning, and each later one with its second, until ten years from now. Changes are found by comparing offsets a
// week apart (none is reverted within a week, not even over Ramadan), then by bisection.

extension CivilZone {
  /// Seconds of ten years.
  private static let reach = 10 * 365.25 * 86_400
  private static let week = 7 * 86_400

  /// The offsets of `zone` from `date` on, ten years back at most.
  init(_ zone: TimeZone, from date: Date, now: Date) {
    let first = max(date, now - Self.reach).timeIntervalSince1970.rounded(.down)
    let last = max(date, now).timeIntervalSince1970 + Self.reach
    var second = Int(min(max(first, -1e11), 1e11))
    let end = Int(min(max(last, -1e11), 1e11))
    var offset = zone.offset(at: second)
    var offsets = [Offset(from: UTCInstant(second: second), seconds: offset)]
    while second < end {
      let next = second + Self.week
      let new = zone.offset(at: next)
      if new != offset {
        offset = new
        offsets.append(
          Offset(
            from: UTCInstant(second: zone.change(to: new, after: second, by: next)), seconds: new))
      }
      second = next
    }
    // In order by construction, and never empty.
    self = CivilZone(name: zone.identifier, offsets: offsets) ?? .utc
  }
}

extension TimeZone {
  /// Seconds east of UTC at a second since 1970.
  fileprivate func offset(at second: Int) -> Int {
    secondsFromGMT(for: Date(timeIntervalSince1970: Double(second)))
  }

  /// The first second of an offset that does not apply at `early` and applies at `late`.
  fileprivate func change(to new: Int, after early: Int, by late: Int) -> Int {
    var (early, late) = (early, late)
    while late - early > 1 {
      let middle = early + (late - early) / 2
      if offset(at: middle) == new { late = middle } else { early = middle }
    }
    return late
  }
}

extension UTCInstant {
  fileprivate init(second: Int) { self.init(microseconds: Int64(second) * 1_000_000) }

  /// To the microsecond, between the years −30,000 and 30,000.
  init(_ date: Date) {
    let seconds = min(max(date.timeIntervalSince1970, -1e12), 1e12)
    self.init(microseconds: Int64((seconds * 1e6).rounded()))
  }
}
