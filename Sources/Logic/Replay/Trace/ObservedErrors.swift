// SPDX-License-Identifier: Apache-2.0

import Geodesy
package import LocationModel

// Theory
// ======
//
// With a `.truth.csv` beside the trace, the trace is a receiver's observation of that truth. Its error at each fix
// (east and north of the truth at that time) is held until the next fix. A step between two fixes is a *hole*, in which
// the receiver saw nothing, if it is longer than 10 s and than three times its longer neighbour [ours]: a tunnel in a
// trace of one fix a second is a hole, a still phone that turns to one fix in 30 s is not. Fixes count by their own
// time, in any order; of several with one time (a clock that stepped, a line sent twice) the one nearest to the truth
// counts. A fix's height and course are held with its error.
//
// Both files are kept in memory here, some 180 and 24 bytes a point: this is for traces of test size, not for
// years of recording.

/// The error of a recorded trace against its truth, by time.
package struct ObservedErrors: Sendable {
  private struct Observation: Sendable {
    var time: UTCInstant
    var east: Double
    var north: Double
    var fix: Fix
    /// Seconds for which this is held: to the next fix, or not at all before a hole.
    var hold = 0.0
  }

  private var observations: [Observation] = []
  private var index = 0

  /// The shortest hole, seconds [ours].
  private static let shortestHole = 10.0

  /// Matches the fixes of a trace with their truth; fixes outside the truth's time are left out.
  package init(trace: [Fix], truth: [Fix]) {
    var place = 0
    let timed = trace.compactMap { fix in fix.time.map { (time: $0, fix: fix) } }
    let isInOrder = zip(timed, timed.dropFirst()).allSatisfy { $0.time <= $1.time }
    for (time, fix) in isInOrder ? timed : timed.sorted(by: { $0.time < $1.time }) {
      while place + 1 < truth.count, truth[place + 1].time.map({ $0 <= time }) ?? true {
        place += 1
      }
      guard let position = Self.position(of: truth, at: time, after: place) else { continue }
      let frame = LocalFrame(origin: position)
      addObservation(
        Observation(
          time: time, east: frame.east(of: fix.coordinate), north: frame.north(of: fix.coordinate),
          fix: fix))
    }
    markHoles()
  }

  private mutating func addObservation(_ new: Observation) {
    guard let last = observations.last, last.time == new.time else {
      observations.append(new)
      return
    }
    let isNearer =
      new.east * new.east + new.north * new.north < last.east * last.east + last.north * last.north
    if isNearer { observations[observations.count - 1] = new }
  }

  private mutating func markHoles() {
    func step(_ index: Int) -> Double {
      guard index >= 0, index + 1 < observations.count else { return 0 }
      return UTCInstant.seconds(from: observations[index].time, to: observations[index + 1].time)
    }
    for index in observations.indices {
      let longest = max(Self.shortestHole, 3 * max(step(index - 1), step(index + 1)))
      let isLast = index + 1 == observations.count
      observations[index].hold = isLast || step(index) > longest ? 0 : step(index)
    }
  }

  /// What the receiver reports there; `nil` if it saw nothing. Times must not decrease from call to call.
  mutating func fix(at truth: TruthSample) -> Fix? {
    let time = truth.time
    while index + 1 < observations.count, observations[index + 1].time <= time { index += 1 }
    guard index < observations.count, observations[index].time <= time else { return nil }
    let latest = observations[index]
    guard UTCInstant.seconds(from: latest.time, to: time) <= latest.hold else { return nil }
    var fix = latest.fix.asOfPath
    fix.horizontalAccuracy = latest.fix.horizontalAccuracy
    fix.coordinate = truth.place.point(east: latest.east, north: latest.north)
    (fix.time, fix.speed) = (time, truth.speed)
    return fix
  }

  private static func position(of truth: [Fix], at time: UTCInstant, after index: Int)
    -> Coordinate?
  {
    guard index < truth.count, let start = truth[index].time, start <= time else { return nil }
    guard index + 1 < truth.count, let end = truth[index + 1].time else {
      return start == time ? truth[index].coordinate : nil
    }
    let fraction =
      UTCInstant.seconds(from: start, to: time) / UTCInstant.seconds(from: start, to: end)
    return truth[index].coordinate.interpolated(
      to: truth[index + 1].coordinate, fraction: fraction)
  }
}
