// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel
import Testing

@testable import Replay

/// With uploads a server learns late what was taken before. Each number here is computed by hand: the device moves along
/// the equator, one point a second.
@Suite("What was taken before an event and arrives after it")
struct LateKnowledgeTests {
  /// A device that rests at home for 120 s and then goes east at 10 m/s: it leaves the 100 m of its stay at 130 s.
  private struct Trip {
    static let home = MonitoredRegion("home", centre: place(0), radius: 150)

    var events = TruthEvents()
    var borders = TrueBorders([home])
    var known = Whereabouts(blindDistance: 500, places: [home])
    var second = 0.0
    var east = 0.0

    static func place(_ metres: Double) -> Coordinate {
      Coordinate(clampingLatitude: 0, wrappingLongitude: metres / 111_319.49)
    }

    static func instant(_ second: Double) -> EngineInstant {
      EngineInstant.zero.advanced(bySeconds: second)
    }

    init() {
      step(0, elapsed: 0)
      go(120, speed: 0)
    }

    private mutating func step(_ speed: Double, elapsed: Double, isHidden: Bool = false) {
      second += elapsed
      east += speed * elapsed
      let point = TruePoint(at: Self.instant(second), coordinate: Self.place(east))
      events.pass(to: point)
      borders.pass(to: point, travelled: abs(speed) * elapsed)
      known.pass(
        to: LocalFrame(origin: point.coordinate), at: point.at, elapsed: elapsed,
        travelled: abs(speed) * elapsed, isHidden: isHidden)
      for event in events.latest + borders.latest { known.note(event) }
    }

    mutating func go(_ seconds: Int, speed: Double, isHidden: Bool = false) {
      for _ in 0..<seconds { step(speed, elapsed: 1, isHidden: isHidden) }
    }

    /// The server learns now a position of that instant.
    mutating func learn(_ metres: Double, of taken: Double) {
      known.learned(
        Self.place(metres), accuracy: 20, at: Self.instant(second), of: Self.instant(taken))
    }

    mutating func hear(_ news: PlaceNews, of taken: Double) {
      known.heard(news, at: Self.instant(second), of: Self.instant(taken))
    }
  }

  @Test("A position from before a departure says nothing of it, however near it is")
  func departure() {
    var trip = Trip()
    trip.go(30, speed: 10)
    // At 300 m, so home is right to 500 m.
    trip.learn(0, of: 129)
    #expect(trip.known.departures.count == 1 && trip.known.departures.delay.count == 0)
    trip.go(10, speed: 10)
    trip.learn(100, of: 130)
    #expect(trip.known.departures.delay.count == 1 && trip.known.departures.longest == 30)
  }

  @Test("Of two departures a position from between them tells the first")
  func departures() {
    var trip = Trip()
    trip.go(60, speed: 10)
    trip.go(300, speed: 0)
    trip.go(30, speed: 10)
    // It left home at 130 s, and its second stay at 490 s; now are 510 s.
    #expect(trip.known.departures.count == 2)
    trip.learn(600, of: 489)
    #expect(trip.known.departures.delay.count == 1 && trip.known.departures.longest == 510 - 130)
  }

  @Test("Words tell of what had happened when they were said")
  func words() {
    var trip = Trip()
    trip.go(60, speed: 10)
    trip.go(300, speed: 0)
    trip.go(30, speed: 10)
    trip.hear(.left, of: 200)
    #expect(trip.known.departures.delay.count == 1)
    // It came to the second stay at 180 s, which showed at 480 s.
    trip.hear(.came, of: 485)
    #expect(trip.known.arrivals.count == 1 && trip.known.arrivals.delay.count == 0)
    #expect(trip.known.arrivals.missed == 1, "it had left when that arrived")
  }

  @Test(
    "A position from before an arrival tells of it when it arrives, if it is right and of after the departure",
    arguments: [(taken: 145.0, metres: 250.0, delay: 310.0), (129, 0, 340)])
  func arrival(taken: Double, metres: Double, delay: Double) {
    var trip = Trip()
    trip.go(30, speed: 10)
    trip.go(310, speed: 0)
    // It stopped at 300 m, at 150 s; both places are right to 500 m there.
    #expect(trip.known.arrivals.count == 1)
    trip.learn(metres, of: taken)
    trip.go(30, speed: 0)
    trip.learn(300, of: trip.second)
    #expect(trip.known.arrivals.delay.count == 1 && trip.known.arrivals.longest == delay)
  }

  @Test(
    "A position from before a crossing counts when it arrives, one from before the crossing before it not"
  )
  func border() {
    var trip = Trip()
    // Out to 600 m at 180 s: past the border at 135 s, beyond the cushion of 200 m at 155 s, which counts at 175 s.
    trip.go(60, speed: 10)
    // And back at home at 240 s, which counts after 20 s: the exit was missed.
    trip.go(60, speed: -10)
    trip.go(30, speed: 0)
    #expect(trip.known.borders.count == 2 && trip.known.borders.missed == 1)
    trip.learn(400, of: 160)
    trip.learn(0, of: 100)
    trip.hear(.crossed("home", isEntry: true), of: 50)
    #expect(trip.known.borders.delay.count == 0)
    // At 200 m it seemed to be at 100 m: inside, and it entered at 225 s; now are 270 s.
    trip.learn(100, of: 220)
    #expect(trip.known.borders.delay.count == 1 && trip.known.borders.longest == 270 - 225)
  }

  @Test("Where nobody could know the place, the instant of a position stands still too")
  func hidden() {
    var trip = Trip()
    trip.go(20, speed: 10)
    // Taken at 140 s, after the departure; then 60 s of tunnel, from which the clock of events takes those.
    let taken = trip.known.clock(Trip.instant(trip.second))
    trip.go(30, speed: 10, isHidden: true)
    trip.known.learned(Trip.place(200), accuracy: 20, at: Trip.instant(trip.second), of: taken)
    #expect(trip.known.departures.delay.count == 1 && trip.known.departures.longest == 10)
  }
}
