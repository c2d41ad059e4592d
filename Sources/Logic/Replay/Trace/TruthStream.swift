// SPDX-License-Identifier: Apache-2.0

import FixFormats
import Geodesy
import LocationModel

// Theory
// ======
//
// The trace (or its `.truth.csv`) becomes a path that can be asked every second.
//
// - Unconfirmed or undone *jumps* are removed (`JumpRemoval`).
// - *Legs*: within a segment the device moves straight and evenly from point to point; its speed is that
//   of `SpeedOverGround`. Heights change evenly too; the course is that of the last point (`Fix.partWay`).
// - *Gaps*: a segment's end, or a step above the threshold (max(120 s, 5 × median interval), at most a week). Nothing is
//   known of them, and they have no samples. A hole whose two ends are one place is no gap (`SilentStay`).
// - *Void epochs*: from the first one after a fix until the next fix there is no sky.
// - *Time*: the engine's axis starts at the first point and follows the trace's UTC. A fix up to 60 s
//   older than its predecessor is late and left out. An older one begins another recording: the axis
//   goes on a second later, with a gap.
//
// Samples lie on whole seconds from the start of each segment; the segment's last point is a sample too. They come up
// to five minutes behind the events, since later points show how the device moves (`WaysOfMoving`).
//
// A leg of up to 120 s, the least gap threshold, has a sample every second. A longer one, as in sparse traces only, has
// at most as many: each is a *stride* of several whole seconds, and the last one takes the rest. There are no
// measurements in between; a run that needs the seconds of a stride makes them (`Stride`). So every fix costs the same,
// whatever the time before it.

/// Turns trace events into true positions, one a second.
struct TruthStream: Sendable {
  /// The greatest number of samples of a leg [ours: a second each in a leg of the least gap threshold].
  static let mostSamples = 120.0
  /// A step back in time, seconds, that begins another recording instead of a late fix [ours].
  static let anotherRecording = 60.0
  /// Points left out because the device never was there.
  var jumpsRemoved: Int { jumps.removed }
  /// Points left out because they were late or repeated a time.
  private(set) var lateOrDuplicate = 0

  private let gapThreshold: Double
  private let isRecorded: Bool
  private var jumps = JumpRemoval()
  /// Points that the removal of jumps has just let pass.
  private var passed: [Point] = []
  private var axis: (utc: UTCInstant, engine: EngineInstant)?
  private var lastTime: UTCInstant?
  private var isSegmentEnded = false
  private var skyLostAt: EngineInstant?
  private var segment: Segment?
  private var speeds: SpeedOverGround
  private var ways: WaysOfMoving

  struct Point: Sendable {
    var at: EngineInstant
    var time: UTCInstant
    /// The frame around the position.
    var place: LocalFrame
    /// What the trace says of it.
    var fix: Fix
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
      legTo point: Point, seconds: Double, _ speeds: inout SpeedOverGround,
      into steps: inout TruthSteps
    ) {
      let length = last.place.distance(to: point.coordinate)
      speed = speeds.leg(of: length, in: seconds, completing: &steps)
      pending += length
      let stride = max(1, (seconds / TruthStream.mostSamples).rounded(.up))
      while nextTick <= point.at {
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

  /// `isRecorded`: the path is a receiver's recording, jumps and repeats included, without a truth beside it.
  init(gapThreshold: Double, isRecorded: Bool) {
    self.gapThreshold = gapThreshold
    self.isRecorded = isRecorded
    speeds = SpeedOverGround(joinsRepeats: isRecorded)
    ways = WaysOfMoving(isRecorded: isRecorded)
  }

  mutating func takeEvent(_ event: TraceEvent, into steps: inout TruthSteps) {
    switch event {
    case .fix(let fix, _): takeFix(fix, into: &steps)
    case .noFix(let time, _): noteLostSky(time)
    case .segmentEnd: isSegmentEnded = lastTime != nil
    }
  }

  /// Ends the trace; appends the last sample.
  mutating func finish(into steps: inout TruthSteps) {
    jumps.finish(into: &passed)
    addPassed(to: &steps)
    close(into: &steps)
    ways.look(at: &steps, upTo: speeds.known(of: steps))
    ways.finish(&steps)
  }

  private mutating func noteLostSky(_ time: UTCInstant?) {
    guard skyLostAt == nil, let time, let axis, let lastTime, time > lastTime else { return }
    skyLostAt = axis.engine.advanced(bySeconds: UTCInstant.seconds(from: axis.utc, to: time))
  }

  private mutating func takeFix(_ fix: Fix, into steps: inout TruthSteps) {
    guard let time = fix.time else { return }
    if let lastTime {
      let step = UTCInstant.seconds(from: lastTime, to: time)
      if step <= 0 && step > -Self.anotherRecording {
        lateOrDuplicate += 1
        return
      }
      if step < 0 {
        restartAxis(at: time, lastTime: lastTime)
        isSegmentEnded = true
      }
    } else {
      axis = (time, .zero)
    }
    guard let axis else { return }
    lastTime = time
    let at = axis.engine.advanced(bySeconds: UTCInstant.seconds(from: axis.utc, to: time))
    let point = Point(
      at: at, time: time, place: LocalFrame(origin: fix.coordinate),
      fix: fix.asOfPath, startsSegment: isSegmentEnded, skyLostAt: skyLostAt)
    isSegmentEnded = false
    skyLostAt = nil
    judge(point, fix, into: &steps)
    ways.look(at: &steps, upTo: speeds.known(of: steps))
  }

  private mutating func restartAxis(at time: UTCInstant, lastTime: UTCInstant) {
    guard let axis else { return }
    let reached = axis.engine.advanced(bySeconds: UTCInstant.seconds(from: axis.utc, to: lastTime))
    self.axis = (time, reached.advanced(bySeconds: 1))
  }

  private mutating func judge(_ point: Point, _ fix: Fix, into steps: inout TruthSteps) {
    guard isRecorded else { return addPoint(point, to: &steps) }
    jumps.takePoint(point, fix, into: &passed)
    addPassed(to: &steps)
  }

  private mutating func addPassed(to steps: inout TruthSteps) {
    for index in passed.indices { addPoint(passed[index], to: &steps) }
    // Mostly there is one.
    while passed.popLast() != nil {}
  }

  private mutating func addPoint(_ point: Point, to steps: inout TruthSteps) {
    guard let last = segment?.last.at else { return begin(at: point, into: &steps) }
    let step = EngineInstant.seconds(from: last, to: point.at)
    if point.startsSegment || step > gapThreshold, !isStay(until: point, seconds: step) {
      close(into: &steps)
      steps.append(gapFrom: last, to: point.at)
      return begin(at: point, into: &steps)
    }
    segment?.sample(legTo: point, seconds: step, &speeds, into: &steps)
  }

  private func isStay(until point: Point, seconds: Double) -> Bool {
    guard let place = segment?.last.place else { return false }
    return SilentStay.holds(seconds, from: place, to: point.coordinate)
  }

  private mutating func begin(at point: Point, into steps: inout TruthSteps) {
    segment = Segment(point)
    steps.append(
      TruthSample(
        at: point.at, time: point.time, place: point.place, speed: 0, elapsed: 0,
        travelled: 0, hasSky: true, isTick: true, path: point.fix))
  }

  private mutating func close(into steps: inout TruthSteps) {
    guard let open = segment else { return }
    speeds.finish(in: &steps)
    let rest = EngineInstant.seconds(from: open.lastSample, to: open.last.at)
    if rest > 0 {
      steps.append(
        TruthSample(
          at: open.last.at, time: open.last.time, place: open.last.place,
          speed: open.speed, elapsed: rest, travelled: open.pending, hasSky: true,
          isTick: false, path: open.last.fix))
    }
    segment = nil
  }
}
