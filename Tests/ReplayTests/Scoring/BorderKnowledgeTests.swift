// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel
import Testing

@testable import Replay

// A device on a straight road through the centre of a region of 150 m, at 10 m/s from the centre: at the border after
// 15 s; the crossing counts 200 m beyond it for 20 s, after 55 s.

@Suite("How late an app knows that a border was crossed")
struct BorderKnowledgeTests {
  private struct Road {
    static let centre = Coordinate(clampingLatitude: 55, wrappingLongitude: 12)
    static let region = MonitoredRegion("place 1", centre: centre, radius: 150)

    var borders = TrueBorders([region])
    var known = Whereabouts(blindDistance: 500, places: [region])
    var second = 0.0
    var metres = 0.0

    var now: EngineInstant { EngineInstant.zero.advanced(bySeconds: second) }

    static func place(_ metres: Double) -> LocalFrame {
      LocalFrame(origin: LocalFrame(origin: centre).point(east: metres, north: 0))
    }

    init() { step(0, elapsed: 0) }

    private mutating func step(_ speed: Double, elapsed: Double) {
      second += elapsed
      metres += speed * elapsed
      let place = Self.place(metres)
      borders.pass(
        to: TruePoint(at: now, coordinate: place.origin), travelled: abs(speed) * elapsed)
      known.pass(to: place, at: now, elapsed: elapsed, travelled: abs(speed) * elapsed)
      for event in borders.latest { known.note(event) }
    }

    mutating func go(_ seconds: Int, speed: Double = 10) {
      for _ in 0..<seconds { step(speed, elapsed: 1) }
    }

    /// The app is told a position that many metres from the true one.
    mutating func tell(off: Double = 0, accuracy: Double?) {
      known.learned(Self.place(metres + off).origin, accuracy: accuracy, at: now)
    }

    var exit: EventTally { known.borders }
  }

  @Test("The first position that lies beyond the border with its whole circle tells of it")
  func position() {
    var road = Road()
    road.go(20)
    // At 200 m, 50 m beyond: a circle of 60 m may still touch the border.
    road.tell(accuracy: 60)
    #expect(road.exit.delay.count == 0)
    road.go(10)
    road.tell(accuracy: 60)
    road.go(40)
    #expect(road.exit.count == 1 && road.exit.delay.count == 1)
    // The border was passed in the second after 15 s.
    #expect(road.exit.longest == 14)
  }

  @Test("An event of the region tells of it, whatever the position")
  func words() {
    var road = Road()
    road.go(100)
    road.known.heard(.crossed("place 1", isEntry: false), at: road.now)
    #expect(road.exit.longest == 84 && road.exit.missed == 0)
    // And so does the way back: the middle counts as inside after 20 s there.
    road.go(110, speed: -10)
    #expect(road.exit.count == 2)
    road.known.heard(.crossed("place 1", isEntry: true), at: road.now)
    #expect(road.exit.delay.count == 2 && road.exit.missed == 0)
  }

  @Test(
    "A position from before the crossing counts if it already lay beyond: then it was known at once"
  )
  func before() {
    var road = Road()
    road.go(14)
    road.tell(off: 100, accuracy: 20)
    road.go(60)
    #expect(road.exit.delay.count == 1 && road.exit.longest == 0)
  }

  @Test("Who is back before the crossing counts has not crossed; who is never told has missed it")
  func missed() {
    var road = Road()
    road.go(30)
    road.tell(accuracy: 20)
    road.go(30, speed: -10)
    #expect(road.exit.count == 0 && road.exit.delay.count == 0)
    road.tell(accuracy: 20)
    road.go(100)
    road.tell(accuracy: 2_000)
    road.go(1_800, speed: 0)
    #expect(road.exit.count == 1 && road.exit.missed == 1)
  }

  @Test("A crossing that is not told before its opposite is missed; one near the end is not judged")
  func opposite() {
    var road = Road()
    road.go(100)
    road.go(110, speed: -10)
    #expect(road.exit.count == 2 && road.exit.missed == 1)
    // It left after 15 s, came back after some 185 s, and the segment ends after 410 s.
    road.go(200, speed: 0)
    road.known.endSegment()
    #expect(road.exit.missed == 1 && road.exit.judged == 1)
  }

  @Test("Far from a border its distance is not computed anew, and none is missed for it")
  func clearance() {
    var lazy = TrueBorder(Road.region)
    var eager = TrueBorder(Road.region)
    var (second, metres) = (0.0, -40_000.0)
    for _ in 0..<8_000 {
      second += 1
      metres += 10
      let point = TruePoint(
        at: EngineInstant.zero.advanced(bySeconds: second),
        coordinate: Road.place(metres).origin)
      #expect(lazy.pass(to: point, travelled: 10) == eager.pass(to: point))
    }
    #expect(eager.isInside == false)
  }
}
