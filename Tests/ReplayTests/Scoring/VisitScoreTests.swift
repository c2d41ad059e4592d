// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel
import Replay
import Testing

/// A day of one stay: the device comes at 1,000 s, which shows at 1,300 s, and leaves at 5,000 s (shows at 5,100 s).
@Suite("Visits are scored against the truth")
struct VisitScoreTests {
  private func at(_ seconds: Double) -> EngineInstant { .zero.advanced(bySeconds: seconds) }

  private func visit(arrived: Bool = true, departed: Bool = false) -> Visit {
    let time = UTCInstant(microseconds: 1)
    return Visit(
      coordinate: Coordinate(clampingLatitude: 1, wrappingLongitude: 2), horizontalAccuracy: nil,
      arrival: arrived ? time : nil, departure: departed ? time : nil)
  }

  private enum Step {
    case truth(TruthEvent, Double)
    case arrival(Double)
    case departure(Double)
    case end(Double)
  }

  private func score(_ steps: [Step]) -> VisitScore {
    var score = VisitScore()
    for step in steps {
      switch step {
      case .truth(let event, let seconds): score.note(event, at: at(seconds))
      case .arrival(let seconds): score.told(visit(), at: at(seconds))
      case .departure(let seconds): score.told(visit(departed: true), at: at(seconds))
      case .end(let seconds): score.endSegment(at: at(seconds))
      }
    }
    return score
  }

  private static let comes = [Step.truth(.mayArrive, 1_000), .truth(.arrived, 1_300)]
  private static let leaves = [Step.truth(.mayDepart, 5_000), .truth(.departed, 5_100)]

  @Test(
    "The delay is from the coming, and from the leaving, whether it shows before or after it was told"
  )
  func delays() {
    let after = score(
      Self.comes + [.arrival(1_400)] + Self.leaves + [.departure(5_160), .end(9_000)])
    #expect(after.arrivals.count == 1 && after.arrivals.longest == 400)
    #expect(after.departures.count == 1 && after.departures.longest == 160)
    let before = score([
      .truth(.mayArrive, 1_000), .arrival(1_290), .truth(.arrived, 1_300),
      .truth(.mayDepart, 5_000),
      .departure(5_040), .truth(.departed, 5_100), .end(9_000),
    ])
    #expect(before.arrivals.longest == 290 && before.departures.longest == 40)
    #expect(after.unfounded + before.unfounded == 0)
    #expect(after.arrivals.missed + after.departures.missed == 0)
  }

  @Test(
    "An arrival that was not told before the departure is missed; so is what the end leaves open for long"
  )
  func missed() {
    let arrival = score(Self.comes + Self.leaves + [.departure(5_160), .end(9_000)])
    #expect(arrival.arrivals.missed == 1 && arrival.departures.missed == 0)
    let departure = score(Self.comes + [.arrival(1_400)] + Self.leaves + [.end(9_000)])
    #expect(departure.departures.missed == 1)
    // Neither reported nor missed: there was no time to.
    let open = score(Self.comes + [.arrival(1_400)] + Self.leaves + [.end(5_101)])
    #expect(open.departures.count == 1 && open.departures.missed == 0)
  }

  @Test("What the truth does not know is unfounded: a stop of two minutes, a way round the block")
  func unfounded() {
    let stop = score([
      .truth(.mayArrive, 1_000), .arrival(1_100), .truth(.mayArrive, 1_120), .end(2_000),
    ])
    #expect(stop.unfounded == 1 && stop.arrivals.count == 0)
    let block = score(
      Self.comes + [
        .arrival(1_300), .truth(.mayDepart, 3_000), .departure(3_020), .truth(.cameBack, 3_100),
        .end(9_000),
      ])
    #expect(block.unfounded == 1 && block.departures.count == 0)
    #expect(score([.departure(100), .arrival(200), .end(300)]).unfounded == 2)
  }

  @Test(
    "The place in which the device was first seen has no arrival; a departure behind a gap may be one"
  )
  func edges() {
    var first = VisitScore()
    first.told(visit(arrived: false), at: at(400))
    #expect(first.unfounded == 0)
    let gap = score(
      Self.comes + [.arrival(1_400), .end(2_000), .departure(3_000), .departure(3_500)])
    #expect(gap.unfounded == 1)
  }
}
