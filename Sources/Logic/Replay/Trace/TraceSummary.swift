// SPDX-License-Identifier: Apache-2.0

package import FixFormats
package import LocationModel

/// The findings of the first pass.
package struct TraceSummary: Sendable, Equatable {
  /// A stretch without a known position.
  package struct Gap: Sendable, Equatable {
    package let start: UTCInstant
    package let end: UTCInstant
    /// The line of the first fix after it.
    package let line: Int
    package let isSegmentEnd: Bool

    package var seconds: Double { UTCInstant.seconds(from: start, to: end) }
  }

  /// A dense trace of which nothing else is known.
  package static let dense = TraceSummary()

  package var fixes = 0
  package var noFixEpochs = 0
  package var timelessFixes = 0
  /// Fixes with an accuracy worse than 100 m.
  package var coarseFixes = 0
  package var duplicateTimes = 0
  package var backwardTimes = 0
  /// The earliest and the latest time.
  package var start: UTCInstant?
  package var end: UTCInstant?
  /// Seconds from the first to the last fix; of several recordings one after another, their sum.
  package var duration = 0.0
  /// Metres along the fixes without a time, which count only where none has one: a KML says a track twice.
  package var timelessDistance = 0.0
  /// Seconds; the middle one of all intervals within segments.
  package var medianInterval: Double?
  /// The seconds of the steps above the least gap that are no gaps.
  package var longLegSeconds = 0.0
  /// The number of recordings one after another: each long step back in time begins one.
  package var recordings = 1
  /// Seconds above which a step is a gap: the greater of the least gap and five medians, and at most the longest step.
  package var gapThreshold = leastGap
  /// The gap threshold of a dense trace, seconds.
  static let leastGap = 120.0
  /// A week [ours]: two fixes further apart say nothing of an app's life between them, which takes as long to replay as
  /// it lasts.
  static let longestStep = 604_800.0
  /// The longest replay, seconds: 100,000 years [ours: a third of what instants in microseconds can hold, so that all
  /// deadlines behind its end have room].
  package static let longestReplay = 100_000 * year
  /// Seconds: 365.25 days.
  package static let year = 31_557_600.0
  /// All gaps, and the seconds in them.
  package var gapCount = 0
  package var gapSeconds = 0.0
  /// All holes whose two ends are one place, in which the device is taken to have stayed, and the seconds in them.
  package var stayCount = 0
  package var staySeconds = 0.0
  /// The longest of them, seconds; without meaning if there is none.
  package var longestStay = 0.0
  /// The chance that the device was in one place for all of the longest one, 0 to 1.
  package var leastCertainty: Double { SilentStay.certainty(after: longestStay) }
  /// The gaps in their order; of very many the longest.
  package var gaps: [Gap] = []
  package var accuracy = TraceLedger.Extent()
  package var speed = TraceLedger.Extent()

  /// Whether those are no part of the way, since most are finer.
  package var leavesOutCoarse: Bool { coarseFixes > 0 && 2 * coarseFixes <= fixes }

  /// Whether no time is later than the one before: duration and distance are then unknown.
  package var runsBackwards: Bool { duration == 0 && backwardTimes > 0 }
}
