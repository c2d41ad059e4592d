// SPDX-License-Identifier: Apache-2.0

package import LocationModel

/// The times that a store keeps its log rows under: no two have the same, so that the logs of several apps, put
/// together by time, stand as it happened. A row of the same instant as the one before is a microsecond later; after
/// the clock was set back, times begin anew.
package struct LogTimes: Sendable, Equatable {
  /// The instant of the last row, and the time that it was given.
  private var last: Row?
  private struct Row: Equatable { var instant, given: UTCInstant }

  package init() {}

  package mutating func next(at instant: UTCInstant) -> UTCInstant {
    var given = instant
    if let last, (last.instant...last.given).contains(instant) {
      given = UTCInstant(microseconds: last.given.microseconds + 1)
    }
    last = Row(instant: instant, given: given)
    return given
  }

  package mutating func separate(rows: inout [LogRow]) {
    for index in rows.indices { rows[index].at = next(at: rows[index].at) }
  }
}
