// SPDX-License-Identifier: Apache-2.0

import FixFormats
import Geodesy
import LocationEngine
import LocationModel

// Theory
// ======
//
// A recorded trace that serves as its own truth holds jumps that the device did not make. Three kinds are removed:
//
// - unconfirmed ones: the candidates of a `JumpGate` that are dropped;
// - undone ones: a jump that was confirmed, since its points agreed, but from which the device is back at home within
//   `longest`. The step outwards is impossible, so one of its ends is wrong, and the return says which;
// - false starts: the first points of a trace, of a segment or behind a hole, if a confirmed jump leaves them before they
//   are as many as confirm a place by their number, and is not undone. Fewer speak for them than for what follows: a
//   logger begins with the last place of the day before.
//
// `JumpGate` cannot know the last two: it lives forwards. A trace is read to its end.
//
//   believed ──jump──► candidate ──confirmed──► away ──back────────────► believed; what lay between is out
//       ▲                  │                     └────600 s, or the end──► believed there; a false start is out
//       └────dropped───────┘
//
// *Back* is a quarter of the jump's length from home: a reflected signal often glides back instead of jumping, and the
// device keeps moving meanwhile; or another jump, to where the device can have come from home in that time. *Home* is
// the last believed point before the first jump; a jump from there to a third place does not change it.
//
// A segment that ends among the removed points ends before the next kept one.

/// Removes from a recorded trace the points at which the device never was.
struct JumpRemoval: Sendable {
  typealias Point = TruthStream.Point

  /// Seconds within which an undone jump was none [ours: a stay of ten minutes is no reflection].
  static let longest = 600.0
  /// The share of a jump's length that may remain when it is undone [ours].
  static let left = 0.25
  /// The greatest numbers of candidates, and of points of a confirmed jump, that are held [ours: 600 s at 10 Hz].
  static let limits = (candidates: 1_024, away: 6_000)

  /// The lines of the points left out.
  private(set) var lines: [Int] = []

  private var gate = JumpGate()
  private var candidates: [Point] = []
  private var home: BelievedPlace?
  private var excursion: Excursion?
  /// The points of a start that may be false.
  private var start: [Point] = []
  private var isStarting = true
  private var dropsSegmentEnd = false

  private struct Excursion: Sendable {
    /// The points at home, if they may be a false start.
    var start: [Point]
    var home: BelievedPlace
    /// Metres from home within which the device has come back.
    var near: Double
    var since: EngineInstant
    var points: [Point]

    func isBack(at point: Point) -> Bool { home.frame.distance(to: point.coordinate) <= near }

    /// Whether a jump to a point leads back to where the device can have come from home at its own pace.
    func isUndone(by point: Point) -> Bool {
      let metres = home.frame.distance(to: point.coordinate)
      let seconds = EngineInstant.seconds(from: home.at, to: point.at)
      guard let away = points.last, metres < away.place.distance(to: point.coordinate) else {
        return false
      }
      return metres <= home.noise(to: point.fix) + home.pace(to: point.fix) * seconds
    }

    func isSettled(by point: Point) -> Bool {
      EngineInstant.seconds(from: since, to: point.at) > JumpRemoval.longest
        || points.count >= JumpRemoval.limits.away
    }
  }

  /// Takes the next point, and appends those now known to be true.
  mutating func takePoint(_ point: Point, _ fix: Fix, into believed: inout [Point]) {
    switch gate.judge(fix, around: point.place, at: point.at) {
    case .believed:
      dropCandidates()
      settle(point, into: &believed)
    case .candidate(let isFirst):
      if isFirst || candidates.count >= Self.limits.candidates { dropCandidates() }
      candidates.append(point)
    case .confirmed:
      if let first = candidates.first { jump(to: first, into: &believed) }
      for candidate in candidates { settle(candidate, into: &believed) }
      candidates.removeAll(keepingCapacity: true)
      settle(point, into: &believed)
    }
  }

  /// Ends the trace: an unconfirmed jump is removed, and one that was not undone is kept.
  mutating func finish(into believed: inout [Point]) {
    dropCandidates()
    if let away = excursion { stay(away, into: &believed) }
    excursion = nil
    endStart(into: &believed)
  }

  /// Leaves home, or comes back there.
  private mutating func jump(to first: Point, into believed: inout [Point]) {
    if let away = excursion {
      if away.isUndone(by: first) { comeBack(from: away) }
    } else if let home {
      excursion = Excursion(
        start: isStarting ? start : [], home: home,
        near: Self.left * home.frame.distance(to: first.coordinate), since: first.at, points: [])
      start.removeAll()
    }
  }

  private mutating func settle(_ point: Point, into believed: inout [Point]) {
    guard var away = excursion else { return keep(point, into: &believed) }
    excursion = nil
    if away.isBack(at: point) {
      comeBack(from: away)
      keep(point, into: &believed)
    } else if away.isSettled(by: point) {
      stay(away, into: &believed)
      keep(point, into: &believed)
    } else {
      away.points.append(point)
      excursion = away
    }
  }

  /// Undoes a jump.
  private mutating func comeBack(from away: Excursion) {
    excursion = nil
    leaveOut(away.points)
    // It goes on as a start, unless it was none.
    if isStarting { start = away.start }
  }

  /// Keeps the points of a jump that is not undone, and leaves out a start for which fewer speak.
  private mutating func stay(_ away: Excursion, into believed: inout [Point]) {
    if away.points.count > away.start.count { leaveOut(away.start) } else { start = away.start }
    endStart(into: &believed)
    for point in away.points { keep(point, into: &believed) }
  }

  private mutating func keep(_ point: Point, into believed: inout [Point]) {
    if let home,
      point.startsSegment
        || EngineInstant.seconds(from: home.at, to: point.at) > TraceSummary.leastGap
    {
      endStart(into: &believed)
      isStarting = true
    }
    home = BelievedPlace(point.fix, around: point.place, at: point.at, after: home)
    var point = point
    if dropsSegmentEnd { point.startsSegment = true }
    dropsSegmentEnd = false
    guard isStarting else { return believed.append(point) }
    start.append(point)
    if start.count >= JumpGate.consistentFixes { endStart(into: &believed) }
  }

  /// Believes the start.
  private mutating func endStart(into believed: inout [Point]) {
    isStarting = false
    believed += start
    start.removeAll(keepingCapacity: true)
  }

  private mutating func dropCandidates() {
    guard !candidates.isEmpty else { return }
    leaveOut(candidates)
    candidates.removeAll(keepingCapacity: true)
  }

  private mutating func leaveOut(_ points: [Point]) {
    lines += points.map(\.line)
    dropsSegmentEnd = dropsSegmentEnd || points.contains(where: \.startsSegment)
  }
}
