// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel
import Testing

@testable import Replay

/// Every number here is computed by hand from the definitions in `TruthEvents` and `Whereabouts`; the truth lies on the
/// equator, along which 0.0001° are 11.13 m.
@Suite("What an app knows of where it is")
struct WhereaboutsTests {
  @Test(
    "What the app knew before a gap counts neither as an error nor as an age until it is told, for 120 s at most"
  )
  func gap() {
    func worst(toldAfter seconds: Int) -> (metres: Double, counted: Double) {
      var journey = Journey()
      journey.begin()
      journey.tell()
      journey.go(60, speed: 0)
      journey.leap(seconds: 4_000, metres: 95_400)
      journey.go(seconds, speed: 0)
      journey.tell()
      journey.go(60, speed: 0)
      journey.finish()
      return (journey.known.offBy.greatest ?? -1, journey.known.age.seconds)
    }
    #expect(worst(toldAfter: 30).metres < 1)
    #expect(worst(toldAfter: 30).counted == 120)
    // From the 121st second on it is the mode's own fault.
    #expect(worst(toldAfter: 300).metres > 95_000)
    #expect(worst(toldAfter: 300).counted == 60 + 180 + 60)
  }

  /// A device that moves along the equator, one point a second, and the deliveries to an app.
  private struct Journey {
    var events = TruthEvents()
    var known = Whereabouts(blindDistance: 500)
    var at = 0.0
    var east = 0.0
    var told: [(TruthEvent, Double)] = []

    var now: EngineInstant { EngineInstant.zero.advanced(bySeconds: at) }
    var place: Coordinate { Self.place(east) }

    static func place(_ metres: Double) -> Coordinate {
      Coordinate(clampingLatitude: 0, wrappingLongitude: metres / 111_319.49)
    }

    /// Moves for `seconds`; `tells` are the seconds from the start at which the app gets the position.
    mutating func go(_ seconds: Int, speed: Double, tells: Set<Double> = []) {
      for _ in 0..<seconds {
        step(elapsed: 1, speed: speed)
        if tells.contains(at) { tell() }
      }
    }

    mutating func begin() { step(elapsed: 0, speed: 0) }

    mutating func tell(_ offset: Double = 0, age: Double = 0) {
      known.learned(Self.place(east + offset), age: age, at: now)
    }

    mutating func finish() {
      events.endSegment(isLast: true)
      note()
      known.endSegment()
    }

    /// Ends the segment, and begins another one somewhere else.
    mutating func leap(seconds: Double, metres: Double) {
      events.endSegment()
      note()
      known.endSegment()
      at += seconds
      east += metres
      step(elapsed: 0, speed: 0)
    }

    private mutating func step(elapsed: Double, speed: Double) {
      at += elapsed
      east += speed * elapsed
      events.pass(to: TruePoint(at: now, coordinate: place))
      known.pass(
        to: LocalFrame(origin: place), at: now, elapsed: elapsed, travelled: abs(speed) * elapsed)
      note()
    }

    private mutating func note() {
      for event in events.latest {
        told.append((event, at))
        known.note(event)
      }
    }

    func times(of event: TruthEvent) -> [Double] { told.filter { $0.0 == event }.map(\.1) }
  }

  @Test("A stay of five minutes within 100 m is an arrival, one of four is none")
  func arrival() {
    for (stay, arrives) in [(240, false), (300, true)] {
      var journey = Journey()
      journey.begin()
      journey.go(100, speed: 10)
      journey.go(stay, speed: 0)
      journey.go(100, speed: 10)
      journey.finish()
      #expect(journey.times(of: .arrived).isEmpty == !arrives, "\(stay) s")
      #expect(journey.known.arrivals.count == (arrives ? 1 : 0))
      // A start in motion has no known stay, so it leaves no place but that.
      #expect(journey.known.departures.count == (arrives ? 1 : 0))
    }
  }

  @Test(
    "Who goes 150 m and comes back has not left; who goes on to 200 m left when it passed 100 m")
  func departure() {
    var journey = Journey()
    journey.begin()
    journey.go(120, speed: 0)
    journey.go(15, speed: 10)
    journey.go(15, speed: -10)
    #expect(journey.times(of: .cameBack).count == 1 && journey.times(of: .departed).isEmpty)
    journey.go(30, speed: 10)
    #expect(journey.times(of: .mayDepart).count == 2)
    #expect(journey.times(of: .departed).count == 1)
    // Ten seconds after it set out from the place again, at 150 s, it had passed the 100 m.
    #expect(journey.times(of: .mayDepart).last == 160)
    journey.finish()
  }

  @Test("Who departs twice before anybody hears of it has departed twice")
  func departures() {
    var journey = Journey()
    journey.begin()
    journey.go(120, speed: 0)
    journey.go(60, speed: 10)
    journey.go(300, speed: 0)
    journey.go(60, speed: 10)
    #expect(journey.known.departures.count == 2 && journey.known.departures.delay.count == 0)
    journey.tell()
    // At 540 s: it passed the 100 m at 130 s, and those of the second place at 490 s.
    #expect(journey.known.departures.delay.count == 2)
    #expect(journey.known.departures.longest == 410)
    #expect(journey.known.departures.delay.quantile(0) == 50)
  }

  @Test("A crossing is each 500 m from the one before, and told by the first right delivery")
  func crossings() {
    var journey = Journey()
    journey.begin()
    // 10 m/s: crossings after 50 s, 100 s and 150 s; one delivery at 120 s reports two of them.
    journey.go(160, speed: 10, tells: [120])
    #expect(journey.times(of: .crossed) == [50, 100, 150])
    #expect(journey.known.crossings.count == 3)
    #expect(journey.known.crossings.delay.count == 2)
    #expect(journey.known.crossings.longest == 70)
    // A delivery that is 600 m off reports nothing.
    journey.tell(600)
    #expect(journey.known.crossings.delay.count == 2)
    journey.finish()
    // The third was open for only 10 s: neither reported nor missed.
    #expect(journey.known.crossings.missed == 0)
  }

  @Test("What nobody tells of for half an hour is missed")
  func missed() {
    var journey = Journey()
    journey.begin()
    journey.go(51, speed: 10)
    journey.go(1_800, speed: 0)
    #expect(journey.known.crossings.missed == 1)
    // It came within 100 m a second before it stopped, and the app's knowledge was more than 500 m off.
    #expect(journey.known.arrivals.count == 1 && journey.known.arrivals.missed == 1)
  }

  @Test("A position from before an arrival tells nothing of it, however near it lies")
  func near() {
    for (tells, told) in [([70], 0), ([70, 150], 1)] as [(Set<Double>, Int)] {
      var journey = Journey()
      journey.begin()
      journey.go(100, speed: 10, tells: tells)
      // It stops at 1,000 m at 100 s, which is where the circle of the last 100 m was left.
      journey.go(400, speed: 0, tells: tells)
      journey.finish()
      #expect(journey.known.arrivals.count == 1)
      #expect(journey.known.arrivals.delay.count == told)
      #expect(journey.known.arrivals.missed == 1 - told)
      #expect(journey.known.arrivals.longest == (told == 0 ? 0 : 150 - 100))
    }
  }

  @Test(
    "Told in words that it came or went, an app knows it wherever the position lies that it has")
  func news() {
    var journey = Journey()
    journey.begin()
    journey.go(120, speed: 0)
    journey.go(100, speed: 10)
    journey.known.heard(.left, at: journey.now)
    // It passed the 100 m at 130 s, and is reported at 220 s.
    #expect(journey.known.departures.longest == 90)
    journey.go(310, speed: 0)
    journey.known.heard(.came, at: journey.now)
    // It stopped at 220 s, and is reported at 530 s.
    #expect(journey.known.arrivals.longest == 530 - 220)
    #expect(journey.known.crossings.delay.count == 0)
  }

  @Test("Where a trace begins and ends half a minute of rest is a departure and an arrival")
  func ends() {
    for (rest, speed, events) in [(31, 10.0, 1), (10, 10.0, 0), (0, 3.0, 1), (0, 5.0, 0)] {
      var journey = Journey()
      journey.begin()
      journey.go(rest, speed: 0)
      journey.go(200, speed: speed)
      journey.go(rest, speed: 0)
      journey.finish()
      // 100 m take 33 s at 3 m/s, and 20 s at 5 m/s.
      #expect(journey.known.departures.count == events, "\(rest) s, \(speed) m/s")
      #expect(journey.known.arrivals.count == events, "\(rest) s, \(speed) m/s")
    }
    // A gap cuts a ride anywhere: there two minutes are required.
    var journey = Journey()
    journey.begin()
    journey.go(60, speed: 10)
    journey.go(60, speed: 0)
    journey.events.endSegment()
    #expect(journey.events.latest.isEmpty)
  }

  @Test("Age and distance are those of the last delivery; the launch counts as one")
  func ageAndDistance() {
    var journey = Journey()
    journey.begin()
    // 10 m/s for 1,000 s, reported at 500 s: off by 10 to 5,000 m, and again from 10 m on.
    journey.go(1_000, speed: 10, tells: [500])
    #expect(journey.known.offBy.seconds == 1_000)
    #expect(journey.known.offBy.greatest.map { abs($0 - 5_000) < 5 } == true)
    #expect(journey.known.offBy.quantile(0.5).map { abs($0 - 2_500) < 30 } == true)
    // The 500th second of each half is 499.5 s old in its middle.
    #expect(journey.known.age.greatest == 499.5)
    #expect(journey.known.age.quantile(0.95).map { abs($0 - 475) < 5 } == true)
    // Off by 500 m or more for 451 seconds of each half.
    #expect(journey.known.blindSeconds == 902)
    #expect(abs(journey.known.blindMetres - 9_020) < 1e-6)
    #expect(journey.known.lastDelivery == 500)
    #expect(journey.known.lostSeconds == 0)
  }

  @Test("Lost is who is more than a kilometre off with a position older than 15 min")
  func lost() {
    var journey = Journey()
    journey.begin()
    journey.go(1_000, speed: 10)
    // From the 901st second on: older than 900 s in its middle, and 9 km off.
    #expect(journey.known.lostSeconds == 100)
  }

  @Test(
    "A gap at a place where it stays ends no stay; one after which it is elsewhere hides the departure"
  )
  func gaps() {
    for (jump, departures) in [(0.0, 1), (5_000.0, 0)] {
      var journey = Journey()
      journey.begin()
      journey.go(200, speed: 0)
      journey.events.endSegment()
      journey.known.endSegment()
      journey.at += 3_600
      journey.east += jump
      journey.begin()
      journey.go(60, speed: 10)
      #expect(journey.known.departures.count == departures, "\(jump)")
    }
  }

  @Test("A place far away counts as if its distance were measured each second", arguments: 1...4)
  func farAway(seed: UInt64) {
    var dice = SplitMix64(seed: seed)
    var journey = Journey()
    journey.begin()
    journey.tell()
    var exact = TimeHistogram()
    // Up to 100 km away and back, with rests, jumps over gaps, and a delivery now and then.
    var known = journey.place
    var isBehindGap = false
    for _ in 0..<60 {
      let speed = [0, 1, 25, -25, 60, -60][dice.below(6)]
      for second in 0..<300 {
        journey.go(1, speed: Double(speed))
        // A receiver has 120 s to find its place again.
        if isBehindGap, second < 120 { continue }
        exact.include(LocalFrame(origin: journey.place).distance(to: known), for: 1)
      }
      isBehindGap = false
      switch dice.below(20) {
      case 0:
        journey.tell()
        known = journey.place
      case 1:
        journey.events.endSegment()
        journey.known.endSegment()
        journey.east -= 30_000
        journey.begin()
        isBehindGap = true
      default: break
      }
    }
    #expect(exact.greatest.map { $0 > LocalFrame.reach } == true, "seed \(seed)")
    #expect(journey.known.offBy == exact, "seed \(seed)")
  }

  @Test("Quantiles of time are within 0.8 % of a sorted list, and sums are those of one list")
  func histogram() {
    var values: [Double] = []
    var a = TimeHistogram()
    var b = TimeHistogram()
    for index in 1...2_000 {
      let value = Double((index * 7_919) % 4_001) * 0.37 + 0.01
      values.append(value)
      if index % 2 == 0 { a.include(value, for: 1) } else { b.include(value, for: 1) }
    }
    a += b
    values.sort()
    #expect(a.seconds == 2_000 && a.greatest == values.last)
    for share in [0.05, 0.5, 0.95] {
      let exact = values[Int(share * 2_000)]
      #expect(a.quantile(share).map { abs($0 / exact - 1) < 0.01 } == true, "\(share)")
    }
    #expect(TimeHistogram().quantile(0.5) == nil && TimeHistogram().greatest == nil)
  }
}
