// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel
import Replay
import Testing

// A device on a straight road through the centre of a circle of 200 m; a second of the truth at a time. The
// cushion is 200 m outwards, and 50 m (a quarter of the radius) inwards.

@Suite("Entries and exits of a region against the truth")
struct RegionScoreTests {
  private static let centre = Coordinate(clampingLatitude: 55, wrappingLongitude: 12)

  private struct Road {
    var score = RegionScore(MonitoredRegion("home", centre: centre, radius: 200))
    var second = 0

    var now: EngineInstant { EngineInstant.zero.advanced(bySeconds: Double(second)) }

    /// Moves to a place, in metres from the centre, within `seconds`.
    mutating func go(from start: Double, to end: Double, in seconds: Int) {
      for step in 1...seconds {
        second += 1
        let metres = start + (end - start) * Double(step) / Double(seconds)
        let place = LocalFrame(origin: centre).point(east: metres, north: 0)
        score.pass(to: TruePoint(at: now, coordinate: place))
      }
    }
  }

  @Test("An exit is as late as the time from the border to the event")
  func exit() {
    var road = Road()
    road.go(from: 0, to: 0, in: 10)
    // 10 m/s: the border of 200 m at 30 s, the cushion's 400 m at 50 s, 20 s there at 70 s.
    road.go(from: 0, to: 800, in: 80)
    #expect(road.score.exits.count == 1)
    road.score.told(isEntry: false, at: road.now)
    #expect(road.score.exits.delay.count == 1)
    #expect((59...60).contains(road.score.exits.longest), "\(road.score.exits.longest)")
    #expect(road.score.exits.missed == 0)
    #expect(road.score.unfounded == 0)
  }

  @Test("An event that comes before the 20 s are over tells of the crossing under way")
  func early() {
    var road = Road()
    road.go(from: 0, to: 0, in: 10)
    road.go(from: 0, to: 450, in: 45)
    road.score.told(isEntry: false, at: road.now)
    road.go(from: 450, to: 900, in: 45)
    #expect(road.score.exits.count == 1)
    #expect((24...25).contains(road.score.exits.longest), "\(road.score.exits.longest)")
  }

  @Test("Who is back before the cushion has not crossed; an event that says so is unfounded")
  func unfounded() {
    var road = Road()
    road.go(from: 0, to: 390, in: 40)
    road.score.told(isEntry: false, at: road.now)
    road.go(from: 390, to: 0, in: 40)
    #expect(road.score.exits.count == 0)
    #expect(road.score.unfounded == 1)
    road.score.told(isEntry: true, at: road.now)
    #expect(road.score.unfounded == 2)
  }

  @Test(
    "An exit of which nobody told before the entry that follows is missed, and so is that in time")
  func missed() {
    var road = Road()
    road.go(from: 0, to: 1_000, in: 100)
    road.go(from: 1_000, to: 0, in: 100)
    road.go(from: 0, to: 0, in: 30)
    #expect(road.score.exits.count == 1)
    #expect(road.score.exits.missed == 1)
    #expect(road.score.entries.count == 1)
    #expect(road.score.entries.missed == 0)
    // The patience of the rules is 1,800 s.
    road.go(from: 0, to: 0, in: 1_800)
    #expect(road.score.entries.missed == 1)
  }

  @Test("What a gap hides is neither missed nor unfounded")
  func gap() {
    var road = Road()
    road.go(from: 0, to: 0, in: 10)
    road.score.endSegment()
    road.go(from: 5_000, to: 5_000, in: 10)
    road.score.told(isEntry: false, at: road.now)
    #expect(road.score.exits.count == 0)
    #expect(road.score.unfounded == 0)
  }

  @Test("At the end of a segment an exit counts as missed from the margin of 300 s on")
  func margin() {
    for (seconds, missed) in [(200, 0), (400, 1)] {
      var road = Road()
      road.go(from: 0, to: 1_000, in: 100)
      road.go(from: 1_000, to: 1_000, in: seconds)
      road.score.endSegment()
      #expect(road.score.exits.count == 1)
      #expect(road.score.exits.missed == missed)
    }
  }
}
