// SPDX-License-Identifier: Apache-2.0

import Glibc
import Testing

/// Waits for conditions, with a deadline: real processes take their time.
enum Waiting {
  /// Monotonic seconds.
  static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Lets `seconds` pass; only if the time itself is tested, or between two looks.
  static func pass(_ seconds: Double) { poll(nil, 0, Int32(seconds * 1_000)) }

  /// Waits until `condition` holds; records an issue and returns `false` after `limit` seconds.
  @discardableResult
  static func until(
    _ what: String, limit: Double = 15, sourceLocation: SourceLocation = #_sourceLocation,
    _ condition: () throws -> Bool
  ) rethrows -> Bool {
    let end = now + limit
    while try !condition() {
      guard now < end else {
        Issue.record("not within \(limit) s: \(what)", sourceLocation: sourceLocation)
        return false
      }
      pass(0.02)
    }
    return true
  }
}
