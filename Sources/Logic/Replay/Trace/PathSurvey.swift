// SPDX-License-Identifier: Apache-2.0

package import FixFormats
import Geodesy
import LocationEngine
import LocationModel

// Theory
// ======
//
// The *way* of a trace has one definition: the legs between the points of its path (`PathPoints`), without its gaps
// (`TruthStream`). A replay adds them up as it lives them, `info` here in its only pass, which does not know the end:
//
// - Whether a long step is a gap depends on the median interval. Such legs are kept by their length.
// - Whether coarse points are left out depends on how many there are. From the first one on a second path goes on without
//   them.
//
// A *leap* is a step that nothing makes: faster than `BelievedPlace.fastest`, beyond what both positions explain. It is
// left where a jump was confirmed and not undone, and is a gap: nobody knows how the device came there.

extension TruthStream.Point {
  /// Whether the step to the next point of the path, `metres` long, is a leap.
  func leaps(to next: TruthStream.Point, metres: Double) -> Bool {
    metres
      > BelievedPlace(fix, around: place, at: at).limit(
        to: next.fix, after: EngineInstant.seconds(from: at, to: next.at))
  }
}

/// What a replay would make of a trace's path, found in one pass. Memory is fixed.
package struct PathSurvey: Sendable {
  private var all = Path(PathPoints(isRecorded: true))
  /// The path without coarse points; `nil` before the first of them, up to which both are one.
  private var fine: Path?

  package init() {}

  /// What is found.
  package struct Findings: Sendable, Equatable {
    /// Metres of way.
    package let way: Double
    /// Metres straight across the gaps within segments.
    package let acrossGaps: Double
    /// The lines of points at which the device cannot have been.
    package let jumps: [Int]
    /// The lines at which leaps end.
    package let leaps: [Int]
  }

  private struct Path: Sendable {
    var points: PathPoints
    private var last: TruthStream.Point?
    private var metres = 0.0
    /// Legs that are gaps if the threshold is below their length.
    private var long = IntervalHistogram()
    private var leaps: [Int] = []

    init(_ points: PathPoints) { self.points = points }

    mutating func takeEvent(_ event: TraceEvent) {
      points.takeEvent(event)
      addReady()
    }

    private mutating func addReady() {
      for index in points.ready.indices { addPoint(points.ready[index]) }
      points.removeReady()
    }

    private mutating func addPoint(_ point: TruthStream.Point) {
      defer { last = point }
      guard let last else { return }
      let seconds = EngineInstant.seconds(from: last.at, to: point.at)
      let length = last.place.distance(to: point.coordinate)
      if last.leaps(to: point, metres: length) {
        leaps.append(point.line)
      } else if SilentStay.holds(seconds, from: last.place, to: point.coordinate) {
        metres += length
      } else if !point.startsSegment {
        if seconds > TraceSummary.leastGap {
          long.include(seconds, metres: length)
        } else {
          metres += length
        }
      }
    }

    mutating func finished(_ threshold: Double) -> Findings {
      points.finishTrace()
      addReady()
      let short = long.metres(upTo: threshold)
      return Findings(
        way: metres + short, acrossGaps: long.metres(upTo: .infinity) - short,
        jumps: points.jumpLines, leaps: leaps)
    }
  }

  /// Takes the next events of the trace.
  package mutating func include(events: [TraceEvent]) {
    for event in events {
      if fine == nil, event.fix?.isCoarse == true {
        fine = all
        fine?.points.leaveOutCoarse()
      }
      all.takeEvent(event)
      fine?.takeEvent(event)
    }
  }

  /// Returns the findings; call after the last event. `summary` is that of the same trace.
  package mutating func finished(_ summary: TraceSummary) -> Findings {
    let threshold = summary.gapThreshold
    if summary.leavesOutCoarse, let found = fine?.finished(threshold) { return found }
    return all.finished(threshold)
  }
}
