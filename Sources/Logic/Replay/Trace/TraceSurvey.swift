// SPDX-License-Identifier: Apache-2.0

package import FixFormats
import Geodesy
import LocationModel

/// The first pass over a trace: everything that must be known before it can be replayed.
///
/// Memory is fixed (about 200 KB), whatever the length of the trace.
package struct TraceSurvey: Sendable {
  private var summary = TraceSummary()
  private var previous: (frame: LocalFrame, time: UTCInstant)?
  /// The latest fix, if it had no time.
  private var timeless: LocalFrame?
  private var intervals = IntervalHistogram()
  /// Those of them that are silent stays if they are long enough.
  private var stays = IntervalHistogram()
  /// The first ends of segments, and the longest steps within segments that may be gaps.
  private var segmentEnds: [TraceSummary.Gap] = []
  private var longSteps: [TraceSummary.Gap] = []
  /// Seconds that no kept step falls below.
  private var shortest = Double.infinity
  private var isSegmentEnded = false
  /// The time of the fix before, in the order of the trace.
  private var last: UTCInstant?
  /// The lines on which the first recordings behind another one begin.
  private var recordingLines: [Int] = []
  /// The place up to which the trace lasts longer than a replay may; `nil` if it does not.
  package private(set) var excess: Excess?

  /// A trace whose recordings, one after the other, are longer than the longest replay.
  package struct Excess: Sendable, Equatable {
    /// The line of the fix at which they are.
    package let line: Int
    /// The number of recordings so far, and the lines on which the first of them begin behind another one.
    package let recordings: Int
    package let begin: [Int]
  }

  /// The number of ends of segments, and of other gaps, that are listed; more are counted.
  package static let gapLimit = 1_000

  package init() {}

  /// Takes the next events of the trace.
  package mutating func include(events: [TraceEvent]) {
    for event in events {
      switch event {
      case .fix(let fix, let line): include(fix: fix, line: line)
      case .noFix: summary.noFixEpochs += 1
      case .segmentEnd:
        isSegmentEnded = previous != nil
        timeless = nil
      }
    }
  }

  /// Returns the summary; call after the last event.
  package func finished() -> TraceSummary {
    var result = summary
    result.medianInterval = intervals.median
    let usual = 5 * (result.medianInterval ?? 0)
    result.gapThreshold = min(TraceSummary.longestStep, max(TraceSummary.leastGap, usual))
    let (steps, still) = (
      intervals.above(result.gapThreshold), stays.above(result.gapThreshold)
    )
    let long = intervals.above(TraceSummary.leastGap).seconds
    result.longLegSeconds = max(0, long - (steps.seconds - still.seconds))
    result.gapCount += steps.count - still.count
    result.gapSeconds += steps.seconds - still.seconds
    result.stayCount += still.count
    result.staySeconds += still.seconds
    let gaps = segmentEnds + longSteps.filter { $0.seconds > result.gapThreshold }
    result.gaps = gaps.sorted { $0.line < $1.line }
    return result
  }

  /// Whether the trace is read as one of which nothing else is known, by what was included so far.
  package var isDense: Bool {
    5 * (intervals.median ?? 0) <= TraceSummary.leastGap && !summary.leavesOutCoarse
  }

  private mutating func include(fix: Fix, line: Int) {
    summary.fixes += 1
    if let accuracy = fix.horizontalAccuracy { summary.accuracy.include(accuracy) }
    if fix.isCoarse { summary.coarseFixes += 1 }
    if let speed = fix.speed { summary.speed.include(speed) }
    let here = LocalFrame(origin: fix.coordinate)
    guard let time = fix.time else {
      summary.timelessFixes += 1
      if let timeless { summary.timelessDistance += timeless.distance(to: fix.coordinate) }
      timeless = here
      return
    }
    timeless = nil
    defer { isSegmentEnded = false }
    guard let previous else {
      (summary.start, summary.end) = (time, time)
      self.previous = (here, time)
      last = time
      return
    }
    let step = UTCInstant.seconds(from: previous.time, to: time)
    // Fixes that go on behind a step back are late, and no further steps.
    if let last, time < last { summary.backwardTimes += 1 }
    last = time
    if step <= 0 {
      if step == 0 { summary.duplicateTimes += 1 }
      summary.start = min(summary.start ?? time, time)
      // A short step back is a late fix; a long one begins another recording.
      if step > -PathPoints.anotherRecording { return }
      summary.recordings += 1
      if recordingLines.count < TraceLedger.placesPerFinding, recordingLines.last != line {
        recordingLines.append(line)
      }
    }
    self.previous = (here, time)
    summary.start = min(summary.start ?? time, time)
    summary.end = max(summary.end ?? time, time)
    if step > 0 { summary.duration += step }
    if excess == nil, summary.duration + Double(summary.recordings) > TraceSummary.longestReplay {
      excess = Excess(line: line, recordings: summary.recordings, begin: recordingLines)
    }
    let isStay = SilentStay.holds(step, from: previous.frame, to: fix.coordinate)
    guard step > 0, !isSegmentEnded else {
      if isStay {
        noteStay(step)
        summary.stayCount += 1
        summary.staySeconds += step
      } else if step > 0 {
        noteGap(from: previous.time, time, line, isSegmentEnd: true)
      }
      return
    }
    intervals.include(step)
    if isStay {
      stays.include(step)
      noteStay(step)
    } else if step > TraceSummary.leastGap {
      noteGap(from: previous.time, time, line, isSegmentEnd: false)
    }
  }

  private mutating func noteStay(_ seconds: Double) {
    summary.longestStay = max(summary.longestStay, seconds)
  }

  /// Keeps a step that may be a gap; if there are too many, the shortest within a segment goes.
  private mutating func noteGap(
    from start: UTCInstant, _ end: UTCInstant, _ line: Int, isSegmentEnd: Bool
  ) {
    let gap = TraceSummary.Gap(start: start, end: end, line: line, isSegmentEnd: isSegmentEnd)
    if isSegmentEnd {
      summary.gapCount += 1
      summary.gapSeconds += gap.seconds
      if segmentEnds.count < Self.gapLimit { segmentEnds.append(gap) }
    } else if longSteps.count < Self.gapLimit {
      longSteps.append(gap)
      shortest = min(shortest, gap.seconds)
    } else if gap.seconds > shortest,
      let index = longSteps.indices.min(by: {
        longSteps[$0].seconds < longSteps[$1].seconds
      })
    {
      shortest = longSteps[index].seconds
      if gap.seconds > shortest { longSteps[index] = gap }
    }
  }
}
