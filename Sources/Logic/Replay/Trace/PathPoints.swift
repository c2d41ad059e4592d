// SPDX-License-Identifier: Apache-2.0

import FixFormats
import Geodesy
import LocationModel

// Theory
// ======
//
// The fixes of a trace become points of a path on the engine's axis, in order of time:
//
// - *Time*: the axis starts at the first point and follows the trace's UTC. A fix up to 60 s older than its predecessor is
//   late and left out. An older one begins another recording: the axis goes on a second later, with a gap. The sum of all
//   recordings has a limit (`TraceSummary.longestReplay`), which the survey watches.
// - From a path that a receiver recorded, unconfirmed or undone *jumps* are removed (`JumpRemoval`), and before them the
//   *coarse* points, where most are finer: a phone records network positions between those of its receiver, and a way
//   through both was never gone. Against MobilityNet's truth of 13 days 95 % of the ways of recordings are right to 374 m
//   with all points, to 213 m with those of 500 m, 95 m with those of 100 m and 100 m with those of 50 m; those of 100 m
//   cover 84 % of the time, all of them 89 %.

/// Turns trace events into the points of the true path.
struct PathPoints: Sendable {
  typealias Point = TruthStream.Point

  /// A step back in time, seconds, that begins another recording instead of a late fix [ours].
  static let anotherRecording = 60.0

  /// The points that are ready and not taken yet, in order of time.
  private(set) var ready: [Point] = []
  /// Points left out because they were late or repeated a time.
  private(set) var lateOrDuplicate = 0
  /// Points left out because the device never was there, or was known to be so roughly only.
  var leftOut: Int { coarse + jumps.lines.count }
  /// Their lines.
  var jumpLines: [Int] { jumps.lines }

  /// Metres: points with a worse accuracy are coarse [measured: see above].
  static let coarse = 100.0

  private let isRecorded: Bool
  private var leavesOutCoarse: Bool
  private var coarse = 0
  private var jumps = JumpRemoval()
  private var axis: (utc: UTCInstant, engine: EngineInstant)?
  private var lastTime: UTCInstant?
  private var reached: EngineInstant?
  private var isSegmentEnded = false
  private var skyLostAt: EngineInstant?

  /// `isRecorded`: the path is a receiver's recording, jumps included, without a truth beside it.
  init(isRecorded: Bool, leavesOutCoarse: Bool = false) {
    self.isRecorded = isRecorded
    self.leavesOutCoarse = isRecorded && leavesOutCoarse
  }

  /// Leaves the coarse points of a recorded path out from now on.
  mutating func leaveOutCoarse() { leavesOutCoarse = isRecorded }

  mutating func takeEvent(_ event: TraceEvent) {
    switch event {
    case .fix(let fix, let line): takeFix(fix, line)
    case .noFix(let time, _): noteLostSky(time)
    case .segmentEnd: isSegmentEnded = lastTime != nil
    }
  }

  /// Ends the trace: all points are ready.
  mutating func finishTrace() { jumps.finish(into: &ready) }

  /// Forgets the ready points, which were taken.
  mutating func removeReady() {
    // Mostly there is one.
    while ready.popLast() != nil {}
  }

  private mutating func noteLostSky(_ time: UTCInstant?) {
    guard skyLostAt == nil, let time, let axis, let lastTime, time > lastTime else { return }
    skyLostAt = axis.engine.advanced(bySeconds: UTCInstant.seconds(from: axis.utc, to: time))
  }

  private mutating func takeFix(_ fix: Fix, _ line: Int) {
    guard let time = fix.time else { return }
    var begins = false
    if let lastTime {
      let step = UTCInstant.seconds(from: lastTime, to: time)
      if step <= 0 && step > -Self.anotherRecording {
        lateOrDuplicate += 1
        return
      }
      if step < 0 {
        restartAxis(at: time)
        begins = true
      }
    } else {
      axis = (time, .zero)
    }
    guard let axis else { return }
    let at = axis.engine.advanced(bySeconds: UTCInstant.seconds(from: axis.utc, to: time))
    // At the end of the axis time stands still.
    if let reached, at <= reached {
      lateOrDuplicate += 1
      return
    }
    (lastTime, reached) = (time, at)
    if leavesOutCoarse, fix.isCoarse {
      coarse += 1
      isSegmentEnded = isSegmentEnded || begins
      return
    }
    let point = Point(
      at: at, time: time, place: LocalFrame(origin: fix.coordinate), fix: fix.asOfPath, line: line,
      startsSegment: isSegmentEnded || begins, skyLostAt: skyLostAt)
    isSegmentEnded = false
    skyLostAt = nil
    guard isRecorded else { return ready.append(point) }
    jumps.takePoint(point, fix, into: &ready)
  }

  private mutating func restartAxis(at time: UTCInstant) {
    guard let reached else { return }
    axis = (time, reached.advanced(bySeconds: 1))
  }
}

extension Fix {
  /// Whether it says too roughly where the device was to be a point of its way.
  var isCoarse: Bool { horizontalAccuracy.map { $0 > PathPoints.coarse } ?? false }
}
