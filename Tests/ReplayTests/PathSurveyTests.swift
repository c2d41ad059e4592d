// SPDX-License-Identifier: Apache-2.0

import FixFormats
import Geodesy
import LocationModel
import Testing

@testable import Replay

@Suite("The way of a trace, by one definition")
struct PathSurveyTests {
  private func found(_ events: [TraceEvent]) -> PathSurvey.Findings {
    var survey = PathSurvey()
    // In two parts: what is known at the end only is known at the end of all.
    survey.include(events: Array(events.prefix(events.count / 3)))
    survey.include(events: Array(events.dropFirst(events.count / 3)))
    return survey.finished(Drawn.summary(events))
  }

  /// 300 s at 10 m/s, and another 300 s beginning `metres` further on, a second later.
  private func leap(of metres: Double) -> [TraceEvent] {
    var events = Drawn.trace([(299, 10)])
    let there = LocalFrame(
      origin: Coordinate(clampingLatitude: 48, wrappingLongitude: 11 + metres / 74_500))
    for second in 300..<600 {
      let fix = Fix(
        time: Drawn.start.advanced(bySeconds: Double(second)),
        coordinate: there.point(east: Double(second) * 10, north: 0), horizontalAccuracy: 5)
      events.append(.fix(fix, line: second + 1))
    }
    return events
  }

  @Test("A step of 13,000 km in a second is no way, and a gap")
  func teleport() {
    let events = leap(of: 13_000_000)
    let found = found(events)
    #expect(abs(found.way - 2 * 2_990) < 1)
    #expect(found.leaps == [301] && found.jumps.isEmpty)
    let steps = Drawn.steps(events)
    #expect(steps.gaps.map { EngineInstant.seconds(from: $0.start, to: $0.end) } == [1])
    #expect(abs(steps.samples.travelled - 2 * 2_990) < 1)
    // Nobody flies it: no sample has a speed above 10 m/s.
    #expect(steps.samples.allSatisfy { $0.speed < 10.1 })
  }

  @Test("What an airliner makes is way, also where fixes come every ten minutes")
  func flight() {
    let events = Drawn.trace([(36_000, 250)], every: 600)
    #expect(abs(found(events).way - 9_000_000) < 90_000)
    #expect(found(events).leaps.isEmpty)
  }

  @Test(
    "The survey's way is what a replay makes of it: without jumps, coarse fixes and gaps, with silent stays"
  )
  func asReplayed() {
    let drive = Drawn.trace([(300, 20)])
    var jumping = Drawn.trace([(300, 10)])
    for index in 100...110 { jumping[index] = Drawn.fix(at: Double(index), east: 900_000) }
    var coarse = drive
    for index in stride(from: 20, to: 280, by: 10) {
      coarse[index] = Drawn.fix(at: Double(index), east: 6_000, north: 400, accuracy: 300)
    }
    // The first is of the network alone, and is among few that are.
    var early = drive
    early[0] = Drawn.fix(at: 0, east: 0, north: 700, accuracy: 900)
    let gap = drive + [Drawn.fix(at: 500, east: 9_000), Drawn.fix(at: 510, east: 9_100)]
    let stay = drive + [Drawn.fix(at: 5_000, east: 6_050), Drawn.fix(at: 5_010, east: 6_150)]
    var cut = drive
    cut.insert(.segmentEnd(line: 150), at: 150)
    let hourly = Drawn.trace([(36_000, 1)], every: 3_600)
    for events in [drive, jumping, coarse, early, gap, stay, cut, hourly, leap(of: 900_000)] {
      let replayed = TruthStream.way(of: events)
      #expect(abs(found(events).way - replayed) < 1e-3)
    }
    #expect(abs(found(drive).way - 6_000) < 1 && abs(found(coarse).way - 6_000) < 1)
    #expect(abs(found(gap).way - 6_100) < 1 && abs(found(stay).way - 6_150) < 1)
    #expect(abs(found(gap).acrossGaps - 3_000) < 1 && found(stay).acrossGaps == 0)
    #expect(abs(found(cut).way - 5_980) < 1 && abs(found(hourly).way - 36_000) < 36)
  }
}

extension TruthStream {
  /// Metres that a replay of a recording makes.
  fileprivate static func way(of events: [TraceEvent]) -> Double {
    Drawn.steps(events).samples.travelled
  }
}
