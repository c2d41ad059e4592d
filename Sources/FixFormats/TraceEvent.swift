// SPDX-License-Identifier: Apache-2.0

package import LocationModel

/// What a trace says, in the order in which it says it.
package enum TraceEvent: Sendable, Equatable {
  /// A position. `line` is the 1-based line of the file on which its epoch was complete.
  case fix(Fix, line: Int)
  /// The receiver was on, knew the time perhaps, and had no valid position.
  case noFix(time: UTCInstant?, line: Int)
  /// Nothing connects what came before with what follows: a new GPX segment, track or route.
  case segmentEnd(line: Int)
}
