// SPDX-License-Identifier: Apache-2.0

package import LocationModel

/// An event of a trace, in the order of the trace.
package enum TraceEvent: Sendable, Equatable {
  /// A position. `line` is the 1-based line of the file on which its epoch was complete.
  case fix(Fix, line: Int)
  /// The receiver was on, perhaps knew the time, and had no valid position.
  case noFix(time: UTCInstant?, line: Int)
  /// The following events are unrelated to those before: a new GPX segment, track or route.
  case segmentEnd(line: Int)

  /// Its position; `nil` if it is none.
  package var fix: Fix? {
    if case .fix(let fix, _) = self { fix } else { nil }
  }

  /// The time of its position, or of an epoch without one.
  package var time: UTCInstant? {
    if case .noFix(let time, _) = self { time } else { fix?.time }
  }
}
