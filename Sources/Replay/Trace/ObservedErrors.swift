// SPDX-License-Identifier: Apache-2.0

import Geodesy
package import LocationModel

// Theory
// ======
//
// With a `.truth.csv` beside the trace, the trace is what a receiver saw of that truth. Its error at
// each fix (east and north of the truth at that time) is held until the next fix; between two fixes
// further apart than three median intervals (at least 15 s) the receiver saw nothing [ours]. Both files are kept
// in memory here, 32 and 24 bytes a point: this is for traces of test size, not for years of recording.

/// The error of a recorded trace against its truth, by time.
package struct ObservedErrors: Sendable {
  private struct Observation: Sendable {
    var time: UTCInstant
    var east: Double
    var north: Double
    var accuracy: Double
  }

  private var observations: [Observation] = []
  private var index = 0
  private let longestHold: Double

  /// Matches the fixes of a trace with their truth; fixes outside the truth's time are left out.
  package init(trace: [Fix], truth: [Fix], medianInterval: Double?) {
    longestHold = max(15, 3 * (medianInterval ?? 1))
    var place = 0
    for fix in trace {
      guard let time = fix.time, observations.last.map({ $0.time < time }) ?? true else { continue }
      while place + 1 < truth.count, truth[place + 1].time.map({ $0 <= time }) ?? true {
        place += 1
      }
      guard let position = Self.position(of: truth, at: time, after: place) else { continue }
      let frame = LocalFrame(origin: position)
      observations.append(
        Observation(
          time: time, east: frame.east(of: fix.coordinate), north: frame.north(of: fix.coordinate),
          accuracy: fix.horizontalAccuracy ?? .nan))
    }
  }

  /// Where the receiver would have seen the device at `time`, and how sure it claimed to be (metres);
  /// `nil` where it saw nothing. Times must not decrease from call to call.
  mutating func observed(_ truth: Coordinate, at time: UTCInstant) -> (Coordinate, Double?)? {
    while index + 1 < observations.count, observations[index + 1].time <= time { index += 1 }
    guard index < observations.count, observations[index].time <= time else { return nil }
    let latest = observations[index]
    let age = UTCInstant.seconds(from: latest.time, to: time)
    let next = index + 1 < observations.count ? observations[index + 1].time : nil
    let step = next.map { UTCInstant.seconds(from: latest.time, to: $0) } ?? longestHold
    guard age == 0 || (step <= longestHold && age <= longestHold) else { return nil }
    let place = LocalFrame(origin: truth).point(east: latest.east, north: latest.north)
    return (place, latest.accuracy.isNaN ? nil : latest.accuracy)
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
