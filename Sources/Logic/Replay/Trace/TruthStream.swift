// SPDX-License-Identifier: Apache-2.0

import FixFormats
import Geodesy
import LocationModel

// Theory
// ======
//
// The trace (or its `.truth.csv`) becomes a path that can be asked every second.
//
// - Its *points* are the fixes that are neither jumps nor coarse, in order of time (`PathPoints`).
// - *Legs*: within a segment the device moves straight and evenly from point to point; its speed is that
//   of `SpeedOverGround`. Heights change evenly too; the course is that of the last point (`Fix.partWay`).
// - *Gaps*: a segment's end, or a step above the threshold (max(120 s, 5 × median interval), at most a week). Nothing is
//   known of them, and they have no samples. A hole whose two ends are one place is no gap (`SilentStay`), a step that
//   nothing makes is one (`PathSurvey`).
// - *Void epochs*: from the first one after a fix until the next fix there is no sky.
//
// Samples lie on whole seconds from the start of each segment; the segment's last point is a sample too. They come up
// to five minutes behind the events, since later points show how the device moves (`MotionClassifier`).
//
// A leg of up to 120 s, the least gap threshold, has a sample every second. A longer one, as in sparse traces only, has
// at most as many: each is a *stride* of several whole seconds, and the last one takes the rest. There are no
// measurements in between; a run that needs the seconds of a stride makes them (`Stride`). So every fix costs the same,
// whatever the time before it. Of very many such legs some are left out (`SparseDetail`).

/// Turns trace events into true positions, one a second.
struct TruthStream: Sendable {
  /// Points left out because the device never was there, or was known to be so roughly only.
  var leftOut: Int { points.leftOut }
  /// Points left out because they were late or repeated a time.
  var lateOrDuplicate: Int { points.lateOrDuplicate }

  /// The greatest number of samples of a leg [ours: a second each in a leg of the least gap threshold].
  private static let mostSamples = 120.0

  private let gapThreshold: Double
  private let detail: SparseDetail?
  private var start: EngineInstant?
  /// The end of the latest segment, while what follows is left out.
  private var leftOutSince: EngineInstant?
  private var points: PathPoints
  private var segment: Segment?
  private var speeds: SpeedOverGround
  private var ways: MotionClassifier

  struct Point: Sendable {
    var at: EngineInstant
    var time: UTCInstant
    /// The frame around the position.
    var place: LocalFrame
    /// What the trace says of it.
    var fix: Fix
    var line: Int
    var startsSegment: Bool
    /// The time at which the sky was lost on the way here.
    var skyLostAt: EngineInstant?

    var coordinate: Coordinate { place.origin }

    func hasSky(at instant: EngineInstant) -> Bool { skyLostAt.map { instant < $0 } ?? true }

    /// The place at a part of the way to the next point, 0 to 1.
    func place(at fraction: Double, to next: Point) -> LocalFrame {
      if fraction >= 1 { return next.place }
      return LocalFrame(
        origin: coordinate.interpolated(to: next.coordinate, fraction: fraction))
    }
  }

  private struct Segment: Sendable {
    let start: EngineInstant
    var last: Point
    var lastSample: EngineInstant
    /// The first whole second, from the start on, behind the last sample.
    var nextTick: EngineInstant
    /// Metres from the last sample along the path to `last`.
    var pending = 0.0
    var speed = 0.0

    init(_ first: Point) {
      start = first.at
      last = first
      lastSample = first.at
      nextTick = first.at.advanced(bySeconds: 1)
    }

    /// The last whole second from the start on that is not behind an instant.
    func tick(upTo instant: EngineInstant) -> EngineInstant {
      let second: Int64 = 1_000_000
      let whole = (instant.microseconds - start.microseconds).flooredQuotient(second)
      return EngineInstant(microseconds: start.microseconds + whole * second)
    }

    /// Takes the samples of the straight leg to a point; a segment is large, and so goes on in place.
    mutating func sample(
      legTo point: Point, length: Double, seconds: Double, _ speeds: inout SpeedOverGround,
      into steps: inout TruthSteps
    ) {
      speed = speeds.leg(of: length, in: seconds, completing: &steps)
      pending += length
      let stride = max(1, (seconds / TruthStream.mostSamples).rounded(.up))
      // Whatever the two instants are, there are no more samples than these.
      var left = Int(TruthStream.mostSamples) + 1
      while nextTick <= point.at, left > 0 {
        left -= 1
        if stride > 1 {
          let lastTick = tick(upTo: point.at)
          nextTick = nextTick.advanced(bySeconds: stride - 1)
          if EngineInstant.seconds(from: nextTick, to: lastTick) < stride { nextTick = lastTick }
        }
        let along = EngineInstant.seconds(from: last.at, to: nextTick)
        let travelled = max(0, pending - (seconds - along) / seconds * length)
        speeds.addSample(
          TruthSample(
            at: nextTick, time: last.time.advanced(bySeconds: along),
            place: last.place(at: along / seconds, to: point),
            speed: speed, elapsed: EngineInstant.seconds(from: lastSample, to: nextTick),
            travelled: travelled, hasSky: nextTick == point.at || point.hasSky(at: nextTick),
            isTick: true, path: last.fix.partWay(along / seconds, to: point.fix)),
          into: &steps)
        lastSample = nextTick
        pending -= travelled
        nextTick = nextTick.advanced(bySeconds: 1)
      }
      last = point
    }
  }

  /// `isRecorded`: the path is a receiver's recording, jumps and repeats included, without a truth beside it. Without a
  /// detail all of it is lived.
  init(_ summary: TraceSummary, isRecorded: Bool, detail: SparseDetail? = nil) {
    gapThreshold = summary.gapThreshold
    self.detail = detail
    points = PathPoints(isRecorded: isRecorded, leavesOutCoarse: summary.leavesOutCoarse)
    speeds = SpeedOverGround(joinsRepeats: isRecorded)
    ways = MotionClassifier(isRecorded: isRecorded)
  }

  mutating func takeEvent(_ event: TraceEvent, into steps: inout TruthSteps) {
    points.takeEvent(event)
    addReady(to: &steps)
    ways.look(at: &steps, upTo: speeds.known(of: steps))
  }

  /// Ends the trace; appends the last sample.
  mutating func finish(into steps: inout TruthSteps) {
    points.finishTrace()
    addReady(to: &steps)
    close(into: &steps)
    ways.look(at: &steps, upTo: speeds.known(of: steps))
    ways.finishSegment(&steps)
  }

  private mutating func addReady(to steps: inout TruthSteps) {
    for index in points.ready.indices { addPoint(points.ready[index], to: &steps) }
    points.removeReady()
  }

  private mutating func addPoint(_ point: Point, to steps: inout TruthSteps) {
    let start = self.start ?? point.at
    self.start = start
    if let detail, !detail.lives(at: EngineInstant.seconds(from: start, to: point.at)) {
      leftOutSince = leftOutSince ?? segment?.last.at
      return close(into: &steps)
    }
    if let since = leftOutSince {
      leftOutSince = nil
      steps.append(gapFrom: since, to: point.at, isLeftOut: true)
      return begin(at: point, into: &steps)
    }
    guard let last = segment?.last else { return begin(at: point, into: &steps) }
    let step = EngineInstant.seconds(from: last.at, to: point.at)
    let length = last.place.distance(to: point.coordinate)
    let isHole = point.startsSegment || step > gapThreshold
    if isHole && !SilentStay.holds(step, from: last.place, to: point.coordinate)
      || last.leaps(to: point, metres: length)
    {
      close(into: &steps)
      steps.append(gapFrom: last.at, to: point.at)
      return begin(at: point, into: &steps)
    }
    segment?.sample(legTo: point, length: length, seconds: step, &speeds, into: &steps)
  }

  private mutating func begin(at point: Point, into steps: inout TruthSteps) {
    segment = Segment(point)
    steps.append(
      sample: TruthSample(
        at: point.at, time: point.time, place: point.place, speed: 0, elapsed: 0,
        travelled: 0, hasSky: true, isTick: true, path: point.fix))
  }

  private mutating func close(into steps: inout TruthSteps) {
    guard let open = segment else { return }
    speeds.finish(in: &steps)
    let rest = EngineInstant.seconds(from: open.lastSample, to: open.last.at)
    if rest > 0 {
      steps.append(
        sample: TruthSample(
          at: open.last.at, time: open.last.time, place: open.last.place,
          speed: open.speed, elapsed: rest, travelled: open.pending, hasSky: true,
          isTick: false, path: open.last.fix))
    }
    segment = nil
  }
}
