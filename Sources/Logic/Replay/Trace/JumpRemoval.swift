// SPDX-License-Identifier: Apache-2.0

import FixFormats
import Geodesy
import LocationEngine
import LocationModel

// Theory
// ======
//
// A recorded trace that serves as its own truth holds jumps that the device did not make. Two kinds are removed:
//
// - unconfirmed ones: the candidates of a `JumpGate` that are dropped;
// - undone ones: a jump that was confirmed, since its points agreed for a minute, but from which the device is back at
//   home within `longest`. The step outwards is impossible, so one of its ends is wrong, and the return says which.
//   `JumpGate` cannot know that: it lives forwards. A trace is read to its end.
//
//   believed ──jump──► candidate ──confirmed──► away ──back near home──► believed; what lay between is out
//       ▲                  │                     └────600 s──► believed there; nothing is out
//       └────dropped───────┘
//
// *Back* is a quarter of the jump's length from home: a reflected signal often glides back instead of jumping, and the
// device keeps moving meanwhile. *Home* is the last believed point before the first jump; a jump from there to a third
// place does not change it. A trace that begins at a wrong place jumps to the right one and stays there.
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

  /// Points left out.
  private(set) var removed = 0

  private var gate = JumpGate()
  private var candidates: [Point] = []
  private var home: LocalFrame?
  private var excursion: Excursion?
  private var dropsSegmentEnd = false

  private struct Excursion: Sendable {
    var home: LocalFrame
    /// Metres from home within which the device has come back.
    var near: Double
    var since: EngineInstant
    var points: [Point]

    func isBack(at point: Point) -> Bool { home.distance(to: point.coordinate) <= near }

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
      if excursion == nil, let home, let first = candidates.first { leave(home, for: first) }
      for candidate in candidates { settle(candidate, into: &believed) }
      candidates.removeAll(keepingCapacity: true)
      settle(point, into: &believed)
    }
  }

  /// Ends the trace: an unconfirmed jump is removed, and one that was not undone is kept.
  mutating func finish(into believed: inout [Point]) {
    dropCandidates()
    for point in excursion?.points ?? [] { keep(point, into: &believed) }
    excursion = nil
  }

  private mutating func leave(_ home: LocalFrame, for first: Point) {
    excursion = Excursion(
      home: home, near: Self.left * home.distance(to: first.coordinate),
      since: first.at, points: [])
  }

  private mutating func settle(_ point: Point, into believed: inout [Point]) {
    guard var away = excursion else { return keep(point, into: &believed) }
    excursion = nil
    if away.isBack(at: point) {
      leaveOut(away.points)
      keep(point, into: &believed)
    } else if away.isSettled(by: point) {
      for point in away.points { keep(point, into: &believed) }
      keep(point, into: &believed)
    } else {
      away.points.append(point)
      excursion = away
    }
  }

  private mutating func keep(_ point: Point, into believed: inout [Point]) {
    home = point.place
    believed.append(point)
    guard dropsSegmentEnd else { return }
    dropsSegmentEnd = false
    believed[believed.count - 1].startsSegment = true
  }

  private mutating func dropCandidates() {
    guard !candidates.isEmpty else { return }
    leaveOut(candidates)
    candidates.removeAll(keepingCapacity: true)
  }

  private mutating func leaveOut(_ points: [Point]) {
    removed += points.count
    dropsSegmentEnd = dropsSegmentEnd || points.contains(where: \.startsSegment)
  }
}
