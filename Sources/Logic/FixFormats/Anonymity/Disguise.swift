// SPDX-License-Identifier: Apache-2.0

import Geodesy
package import LocationModel

// Theory
// ======
//
// A bug report about a filter needs the movement, not the place and time:
//
//   trace ─► ends cut ─► fixes at either end's place taken out ─► moved and turned as one ─► times from 2001 on
//
// It keeps each distance between two fixes and each turn (`RigidMove`), each time between two fixes, gaps, accuracies,
// HDOP, satellites, speed, and course, turned with the rest. It removes place, time, heights (a profile of heights
// identifies a road like a fingerprint), and everything in a file besides its fixes.
//
// It cannot remove the shape. Someone with a map of all roads can search for the one place that fits a way with these
// lengths and turns; a long way through streets fits one place only. A place where the device stays in between (at
// work) is in it as well. So it protects against a glance, a search for coordinates and a comparison with a known
// place, not against road matching.

/// The parameters that make one trace unrecognisable, all random.
package struct Disguise: Sendable, Equatable {
  /// Metres from the middle of a trace beyond which it cannot be moved as one.
  package static let reach = 500_000.0
  /// The least distance, metres, between any place of the trace and any place of its disguise.
  package static let leastMove = 1_000_000.0
  /// UTC of the first remaining fix: midnight, 2001-01-01.
  package static let begin = UTCInstant(microseconds: 978_307_200_000_000)

  /// The removed radius around the first and the last fix, metres, drawn separately.
  var cuts: (first: Double, last: Double)
  /// The removed time at each end, seconds.
  var cutTime: Double
  /// The new places of the middle, tried in this order: the first one far enough counts.
  var places: [Coordinate]
  /// Degrees clockwise.
  var turn: Double

  package static func == (a: Self, b: Self) -> Bool {
    a.cuts == b.cuts && a.cutTime == b.cutTime && a.places == b.places && a.turn == b.turn
  }

  /// Draws a disguise. `cut`, metres, is the least radius around an end; the drawn one is up to twice as large, since
  /// the ends of several traces show the centre of their circle. `cutTime`: seconds.
  package init(
    cut: Double, cutTime: Double, using generator: inout some RandomNumberGenerator
  ) {
    func uniform() -> Double { Double.random(in: 0..<1, using: &generator) }
    cuts = (cut * (1 + uniform()), cut * (1 + uniform()))
    self.cutTime = cutTime
    turn = 360 * uniform()
    places = (0..<32).map { _ in
      // Between 60° south and north, where a degree of longitude is still worth its digits.
      Coordinate(
        clampingLatitude: 120 * uniform() - 60, wrappingLongitude: 360 * uniform() - 180)
    }
  }

  /// The reason why a trace cannot be disguised.
  package enum Trouble: Error, Equatable {
    /// It has no fix.
    case empty
    /// All of the `fixes` fixes lie at its ends.
    case nothingLeft(fixes: Int)
    /// A fix lies `metres` metres from its middle.
    case tooWide(metres: Double)
  }

  /// The disguised trace, with counts.
  package struct Result: Equatable {
    package var events: [TraceEvent]
    /// Fixes read, and fixes removed at the ends.
    package var fixes: Int
    package var cut: Int
  }

  package func disguise(_ events: [TraceEvent]) throws(Trouble) -> Result {
    let fixes = events.compactMap(\.fix)
    guard let first = fixes.first, let last = fixes.last else { throw .empty }
    var kept: [TraceEvent] = []
    var isBroken = false
    for event in trimmed(events, first, last) {
      switch event {
      case .fix(let fix, let line):
        guard !isAtEnd(fix, first, last) else {
          isBroken = true
          continue
        }
        if isBroken, !kept.isEmpty { kept.append(.segmentEnd(line: line)) }
        isBroken = false
        kept.append(event)
      case .noFix, .segmentEnd: if !isBroken, !kept.isEmpty { kept.append(event) }
      }
    }
    while let end = kept.last, end.fix == nil { kept.removeLast() }
    let left = kept.compactMap(\.fix)
    guard left.count > 1 else { throw .nothingLeft(fixes: fixes.count) }
    let move = try move(of: left.map(\.coordinate), awayFrom: fixes.map(\.coordinate))
    let start = left.lazy.compactMap(\.time).first
    let shift = start.map { UTCInstant.seconds(from: $0, to: Self.begin) } ?? 0
    return Result(
      events: kept.map { $0.disguised(by: move, shift: shift) }, fixes: fixes.count,
      cut: fixes.count - left.count)
  }

  private func isAtEnd(_ fix: Fix, _ first: Fix, _ last: Fix) -> Bool {
    first.coordinate.distance(to: fix.coordinate) <= cuts.first
      || last.coordinate.distance(to: fix.coordinate) <= cuts.last
  }

  /// Without the events before the first fix, and within `cutTime` of either end.
  private func trimmed(_ events: [TraceEvent], _ first: Fix, _ last: Fix) -> [TraceEvent] {
    func isWithin(_ event: TraceEvent) -> Bool {
      guard let time = event.time else { return true }
      if let begin = first.time, UTCInstant.seconds(from: begin, to: time) < cutTime {
        return false
      }
      if let end = last.time, UTCInstant.seconds(from: time, to: end) < cutTime { return false }
      return true
    }
    return events.filter(isWithin)
  }

  private func move(
    of left: [Coordinate], awayFrom all: [Coordinate]
  ) throws(Trouble) -> RigidMove {
    let middle = left[left.count / 2]
    let reach = all.reduce(0) { max($0, middle.sphericalDistance(to: $1)) }
    guard reach <= Self.reach else { throw .tooWide(metres: reach) }
    let far = places.first {
      middle.sphericalDistance(to: $0) >= Self.leastMove + 2 * reach + 20_000
    }
    // All of 32 places are near in one case of 10³⁹: a sixth of the earth at most is.
    let place =
      far
      ?? Coordinate(
        clampingLatitude: -middle.latitude, wrappingLongitude: middle.longitude + 180)
    return RigidMove(from: middle, to: place, turn: turn)
  }
}

extension TraceEvent {
  fileprivate func disguised(by move: RigidMove, shift: Double) -> TraceEvent {
    func moved(_ time: UTCInstant?) -> UTCInstant? { time?.advanced(bySeconds: shift) }
    switch self {
    case .fix(let fix, let line):
      return .fix(
        Fix(
          time: moved(fix.time), coordinate: move.moved(fix.coordinate),
          horizontalAccuracy: fix.horizontalAccuracy, speed: fix.speed,
          course: fix.course.map { move.moved(course: $0, at: fix.coordinate) },
          speedAccuracy: fix.speedAccuracy, courseAccuracy: fix.courseAccuracy, hdop: fix.hdop,
          satellites: fix.satellites, source: fix.source), line: line)
    case .noFix(let time, let line): return .noFix(time: moved(time), line: line)
    case .segmentEnd(let line): return .segmentEnd(line: line)
    }
  }
}
