// SPDX-License-Identifier: Apache-2.0

import FixFormats
import LocationModel
import Testing

@testable import Replay

@Suite("Speeds of a recorded path")
struct SpeedOverGroundTests {
  /// A path with these metres east at these seconds.
  private func speeds(_ points: [(seconds: Double, east: Double)]) -> [Double] {
    let events = points.map { Drawn.fix(at: $0.seconds, east: $0.east) }
    return Drawn.steps(events).samples.map(\.speed)
  }

  private func near(_ values: some Collection<Double>, _ speed: Double) -> Bool {
    values.allSatisfy { abs($0 - speed) < 0.01 }
  }

  @Test("Who repeats positions and leaps 12 m every 12 s walks at 1 m/s")
  func repeats() {
    let speeds = speeds(
      (0...60).map { (second: Int) in (Double(second), Double(second / 12 * 12)) })
    #expect(speeds.count == 61)
    #expect(near(speeds[1...60], 1))
  }

  @Test("A repeat of more than 30 s is a stop, and the leg that ends it is no longer than it is")
  func stop() {
    // 10 m/s to 100 m, there until 141 s, then 62 m in two seconds.
    var points: [(Double, Double)] = (0...10).map { (second: Int) in
      (Double(second), Double(second * 10))
    }
    points += (11...141).map { (second: Int) in (Double(second), 100) }
    points += [(143, 162)]
    let speeds = speeds(points)
    #expect(near(speeds[1...10], 10))
    #expect(near(speeds[11...141], 0))
    #expect(near(speeds[142...143], 31))
  }

  @Test("In a truth beside a trace every repeat is a stop")
  func truth() {
    let events = (0...60).map { Drawn.fix(at: Double($0), east: Double($0 / 12 * 12)) }
    let speeds = Drawn.steps(events, isRecorded: false).samples.map(\.speed)
    // Each twelfth second 12 m were covered, and none in the others.
    #expect(speeds.indices.allSatisfy { near(speeds[$0...$0], $0 > 0 && $0 % 12 == 0 ? 12 : 0) })
  }

  @Test("A vehicle stops when it stops")
  func braking() {
    // 20 m/s for 10 s; 8 s at a light; then on at 15 m/s.
    var points: [(Double, Double)] = (0...10).map { (second: Int) in
      (Double(second), Double(second * 20))
    }
    points += (11...18).map { (second: Int) in (Double(second), 200) }
    points += (19...30).map { (second: Int) in (Double(second), Double(200 + (second - 18) * 15)) }
    let speeds = speeds(points)
    #expect(near(speeds[1...10], 20))
    // 15 m in the 9 s since it stood.
    #expect(near(speeds[11...19], 15.0 / 9))
    #expect(near(speeds[20...30], 15))
  }

  @Test(
    "Positions that differ are legs of their own, and a repeat at the end of a segment is a stop")
  func ends() {
    let first: [(Double, Double)] = [(0, 0), (1, 3), (2, 4), (3, 4), (4, 4)]
    let second: [(Double, Double)] = [(10, 4), (11, 9)]
    var events = first.map { Drawn.fix(at: $0.0, east: $0.1) }
    events.append(.segmentEnd(line: 6))
    events += second.map { Drawn.fix(at: $0.0, east: $0.1) }
    let speeds = Drawn.steps(events).samples.map(\.speed)
    #expect(speeds.count == 7)
    #expect(near(speeds[1...1], 3))
    #expect(near(speeds[2...2], 1))
    #expect(near(speeds[3...5], 0))
    #expect(near(speeds[6...6], 5))
  }

  @Test("Samples stay in order, each once, with the way they had")
  func order() {
    let events = (0...400).map { second -> TraceEvent in
      let east = Double(second / 7 * 5 + second / 90 * 40)
      return Drawn.fix(at: Double(second), east: east)
    }
    let samples = Drawn.steps(events).samples
    #expect(samples.map(\.at.seconds) == Array(stride(from: 0, through: 400, by: 1)))
    // 57 leaps of 5 m and four of 40 m are 445 m.
    #expect(abs(samples.travelled - 445) < 0.5)
  }
}
