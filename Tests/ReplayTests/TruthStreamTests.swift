// SPDX-License-Identifier: Apache-2.0

import FixFormats
import Geodesy
import LocationModel
import Testing

@testable import Replay

@Suite("Truth from a trace")
struct TruthStreamTests {
  @Test("Sparse points are interpolated to one sample a second, and distances add up")
  func interpolation() {
    let samples = Drawn.steps(Drawn.trace([(100, 10), (50, 2)], every: 7.5)).samples
    #expect(samples.count == 151)
    #expect(samples.allSatisfy { $0.isTick })
    #expect(abs(samples.elapsed - 150) < 1e-6)
    // 100 s × 10 m/s + 50 s × 2 m/s = 1,100 m; the flat frame is good to 0.02 %.
    #expect(abs(samples.travelled - 1_100) < 0.5)
    #expect(abs(samples[10].speed - 10) < 0.01)
  }

  @Test("Ten fixes a second make one sample a second and the same distance")
  func dense() {
    let samples = Drawn.steps(Drawn.trace([(60, 20)], every: 0.1)).samples
    #expect(samples.count == 61)
    #expect(abs(samples.travelled - 1_200) < 0.5)
  }

  @Test("A trace that ends between seconds counts to its end")
  func oddEnd() {
    let samples = Drawn.steps(Drawn.trace([(10.4, 1)], every: 5.2)).samples
    #expect(samples.count == 12)
    #expect(samples.last?.isTick == false)
    #expect(abs(samples.elapsed - 10.4) < 1e-6)
  }

  @Test("A step above 120 s is a gap at 1 Hz; at one fix a minute it takes 300 s")
  func gaps() {
    var dense = Drawn.trace([(60, 1)])
    dense.append(Drawn.fix(at: 60 + 120, east: 60))
    #expect(Drawn.steps(dense).gaps.isEmpty)
    dense.append(Drawn.fix(at: 60 + 120 + 121, east: 260))
    #expect(Drawn.steps(dense).gaps.map { $0.end.seconds - $0.start.seconds } == [121])
    var sparse = Drawn.trace([(1_200, 1)], every: 60)
    sparse.append(Drawn.fix(at: 1_500, east: 0))
    #expect(Drawn.steps(sparse).gaps.isEmpty)
    sparse.append(Drawn.fix(at: 1_801, east: 500))
    #expect(Drawn.steps(sparse).gaps.map(\.start.seconds) == [1_500])
  }

  @Test(
    "A hole whose two ends are one place is a stay: the receiver sees it, nothing moves; else it is a gap"
  )
  func silentStays() {
    // Metres to the other end of a hole of so many seconds after a minute's walk.
    let holes: [(seconds: Double, metres: Double, isStay: Bool)] = [
      (121, 0, true), (1_200, 90, true), (28_800, 99, true), (86_400, 0, true),
      (121, 30, false), (1_200, 101, false), (86_401, 0, false),
    ]
    for hole in holes {
      for endsSegment in [false, true] {
        var events = Drawn.trace([(60, 1)])
        if endsSegment { events.append(.segmentEnd(line: 62)) }
        let end = 60 + hole.seconds
        events.append(Drawn.fix(at: end, east: 60 + hole.metres))
        events.append(Drawn.fix(at: end + 1, east: 60 + hole.metres))
        let steps = Drawn.steps(events)
        let (summary, known) = (Drawn.summary(events), steps.samples.elapsed)
        #expect(steps.gaps.isEmpty == hole.isStay, "\(hole)")
        #expect(abs(known - (hole.isStay ? 61 + hole.seconds : 61)) < 1e-6, "\(hole)")
        #expect(
          summary.gapCount == (hole.isStay ? 0 : 1) && summary.stayCount == 1 - summary.gapCount)
        guard hole.isStay else { continue }
        #expect(summary.staySeconds == hole.seconds && summary.longestStay == hole.seconds)
        #expect(steps.samples.filter { $0.elapsed > 1 }.allSatisfy { $0.hasSky && $0.way == .rest })
        #expect(steps.samples.count <= 61 + 121)
      }
    }
    // Half of the certainty is gone after 8 h.
    #expect(abs(SilentStay.certainty(after: 28_800) - 0.5) < 1e-9)
  }

  @Test("The end of a segment is a gap, however short")
  func segments() {
    var events = Drawn.trace([(10, 1)])
    events.append(.segmentEnd(line: 12))
    events.append(Drawn.fix(at: 13, east: 10))
    events.append(Drawn.fix(at: 14, east: 10))
    let steps = Drawn.steps(events)
    #expect(steps.gaps.map(\.start.seconds) == [10])
    #expect(steps.gaps.map(\.end.seconds) == [13])
    #expect(steps.samples.elapsed == 11)
  }

  @Test("Void epochs take the sky away until the next fix")
  func voidEpochs() {
    var events = Drawn.trace([(10, 1)])
    for second in 11...19 {
      events.append(.noFix(time: Drawn.start.advanced(bySeconds: Double(second)), line: 0))
    }
    events.append(Drawn.fix(at: 20, east: 20))
    let samples = Drawn.steps(events).samples
    let dark = samples.filter { !$0.hasSky }.map(\.at.seconds)
    #expect(dark == Array(stride(from: 11, through: 19, by: 1)))
  }

  @Test("A jump of three points that nothing confirms is taken out of the truth")
  func jump() {
    var events = Drawn.trace([(300, 0)], every: 10)
    for index in 10...12 { events[index] = Drawn.fix(at: Double(index) * 10, east: 1_000) }
    let samples = Drawn.steps(events).samples
    #expect(samples.map(\.travelled).reduce(0, +) < 1)
    #expect(samples.count == 301)
  }

  @Test(
    "A jump that is undone within ten minutes was none, though its points agreed",
    arguments: [(70, false), (580, false), (620, true)])
  func undone(away seconds: Int, wasThere: Bool) {
    var events = Drawn.trace([(1_000, 0)])
    for second in 100..<(100 + seconds) {
      events[second] = Drawn.fix(at: Double(second), east: 1_000)
    }
    let samples = Drawn.steps(events).samples
    #expect(samples.travelled < 1)
    #expect(samples.contains { Self.isFar($0) } == wasThere)
  }

  /// Whether a sample lies a kilometre east of the origin.
  private static func isFar(_ sample: TruthSample) -> Bool {
    LocalFrame(origin: Drawn.origin).distance(to: sample.coordinate) > 999
  }

  @Test("A jump that glides back is out until it is back within a quarter of its length")
  func glide() {
    var events = Drawn.trace([(300, 0)])
    for second in 100..<200 {
      events[second] = Drawn.fix(at: Double(second), east: 1_000 - 10 * Double(second - 100))
    }
    let samples = Drawn.steps(events).samples
    // The last believed point is that of 99 s, the next one that of 175 s at 250 m.
    #expect(samples.map(\.travelled).reduce(0, +) < 501)
    #expect(samples.map(\.travelled).reduce(0, +) > 499)
  }

  @Test("A jump from which the trace does not come back is a move, and none that was made: a gap")
  func moved() {
    var events = Drawn.trace([(200, 0)])
    for second in 100...200 { events[second] = Drawn.fix(at: Double(second), east: 1_000) }
    let steps = Drawn.steps(events)
    #expect(steps.samples.travelled < 0.5 && steps.samples.last.map(Self.isFar) == true)
    #expect(steps.gaps.map(\.start.seconds) == [99] && steps.gaps.map(\.end.seconds) == [100])
  }

  @Test("A start at a place that the trace leaves by a jump was none", arguments: [1, 4, 9])
  func falseStart(points: Int) {
    var events = Drawn.trace([(300, 2)])
    for second in 0..<points { events[second] = Drawn.fix(at: Double(second), east: -60_000) }
    let samples = Drawn.steps(events).samples
    #expect(samples.first?.at.seconds == Double(points))
    #expect(abs(samples.travelled - Double(600 - 2 * points)) < 0.5)
  }

  @Test("So was one behind a hole, and a jump that is undone leaves the start as it was")
  func falseStartWithin() {
    var events = Drawn.trace([(300, 0)])
    events += (0...300).map { Drawn.fix(at: 4_000 + Double($0), east: $0 == 0 ? -9_000 : 0) }
    let steps = Drawn.steps(events)
    #expect(steps.samples.map(\.travelled).reduce(0, +) < 1)
    var glitch = Drawn.trace([(300, 0)])
    for second in 4..<20 { glitch[second] = Drawn.fix(at: Double(second), east: 5_000) }
    let samples = Drawn.steps(glitch).samples
    #expect(samples.first?.at == .zero)
    #expect(samples.map(\.travelled).reduce(0, +) < 1)
  }

  @Test("A log that freezes and goes on further on keeps all of its points")
  func frozen() {
    let events = (0..<900).map { second in
      let way = 20 * Double(min(second, 400)) + (second < 420 ? 0 : 20 * Double(second - 400) + 70)
      return Drawn.fix(at: Double(second), east: way)
    }
    #expect(Drawn.steps(events).samples.count == 900)
  }

  /// A device goes east at 10 m/s; every third position is the network's, 400 m north of the way and a stretch of 140 s has
  /// only such ones.
  @Test("Positions off by more than 100 m are no part of the way, if most are finer")
  func coarse() {
    var events: [TraceEvent] = []
    for index in 0...90 {
      let isCoarse = index % 3 == 1 || (40...52).contains(index)
      events.append(
        Drawn.fix(
          at: Double(index) * 10, east: Double(index) * 100, north: isCoarse ? 400 : 0,
          accuracy: isCoarse ? 500 : 8))
    }
    #expect(Drawn.summary(events).coarseFixes == 38)
    let steps = Drawn.steps(events)
    let frame = LocalFrame(origin: Drawn.origin)
    #expect(steps.samples.allSatisfy { abs(frame.north(of: $0.coordinate)) < 1 })
    #expect(steps.gaps.map { EngineInstant.seconds(from: $0.start, to: $0.end) } == [140])
    // Who has nothing finer goes where it says.
    let all = (0...90).map {
      Drawn.fix(at: Double($0) * 10, east: Double($0) * 100, north: 400, accuracy: 500)
    }
    #expect(Drawn.steps(all).samples.count == 901)
  }

  @Test("The jumps that a replay leaves out are listed by their lines")
  func listedJumps() {
    var events = Drawn.trace([(300, 0)], every: 10)
    for index in 10...12 {
      events[index] = Drawn.fix(at: Double(index) * 10, east: 1_000, line: index + 1)
    }
    var survey = PathSurvey()
    survey.include(events: events)
    #expect(survey.finished(.dense).jumps == [11, 12, 13])
  }

  @Test("At the end of the axis time stands still, and the samples end")
  func endOfTheAxis() {
    let old = UTCInstant(microseconds: 252_460_800_000_000)
    let new = UTCInstant(microseconds: 253_402_297_200_000_000)
    var stream = TruthStream(.dense, isRecorded: true)
    var steps = TruthSteps()
    for _ in 0..<38 {
      for (index, time) in [old, old, new, new].enumerated() {
        let fix = Fix(time: time.advanced(bySeconds: Double(index % 2)), coordinate: Drawn.origin)
        stream.takeEvent(.fix(fix, line: 1), into: &steps)
      }
    }
    stream.finish(into: &steps)
    #expect(steps.samples.count <= 4 * 38)
    #expect(steps.samples.count > 100)
  }

  @Test("A segment that ends at a jump still ends")
  func segmentWithinJump() {
    var events = Drawn.trace([(400, 0)])
    for second in 100..<200 { events[second] = Drawn.fix(at: Double(second), east: 1_000) }
    events.insert(.segmentEnd(line: 150), at: 150)
    let steps = Drawn.steps(events)
    #expect(steps.gaps.map(\.start.seconds) == [99])
    #expect(steps.gaps.map(\.end.seconds) == [200])
    #expect(steps.samples.map(\.travelled).reduce(0, +) < 1)
  }

  @Test("Late fixes are left out; an older recording begins after a gap")
  func backwards() {
    var events = Drawn.trace([(10, 1)])
    events.append(Drawn.fix(at: 8, east: 8))
    events.append(Drawn.fix(at: 11, east: 11))
    #expect(Drawn.steps(events).samples.count == 12)
    events.append(Drawn.fix(at: -5_000, east: 0))
    events.append(Drawn.fix(at: -4_999, east: 0))
    let steps = Drawn.steps(events)
    #expect(steps.gaps.count == 1)
    let instants = steps.samples.map(\.at)
    #expect(instants == instants.sorted())
    #expect(steps.samples.last?.time == Drawn.start.advanced(bySeconds: -4_999))
  }

  @Test("Across the antimeridian the way is short")
  func antimeridian() {
    let events: [TraceEvent] = [(0.0, 179.99), (100, -179.99)].enumerated().map { index, point in
      .fix(
        Fix(
          time: Drawn.start.advanced(bySeconds: point.0),
          coordinate: Coordinate(clampingLatitude: 0, wrappingLongitude: point.1)),
        line: index)
    }
    let travelled = Drawn.steps(events).samples.map(\.travelled).reduce(0, +)
    // 0.02° of the equator: 2 × 1,113.19 m.
    #expect(abs(travelled - 2_226.4) < 0.5)
  }
}
