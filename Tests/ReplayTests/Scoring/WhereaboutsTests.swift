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
    "What the app knew before a gap counts neither as an error nor as time until it is told, for 120 s at most"
  )
  func gap() {
    func worst(toldAfter seconds: Int) -> (wrong: Double, counted: Double) {
      var journey = Journey()
      journey.begin()
      journey.tell()
      journey.go(60, speed: 0)
      journey.leap(seconds: 4_000, metres: 95_400)
      journey.go(seconds, speed: 0)
      journey.tell()
      journey.go(60, speed: 0)
      journey.finish()
      return (journey.known.wrongAreaSeconds, journey.known.seconds)
    }
    #expect(worst(toldAfter: 30).wrong == 0)
    #expect(worst(toldAfter: 30).counted == 120)
    // From the 121st second on it is the mode's own fault.
    #expect(worst(toldAfter: 300).wrong == 180)
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
    mutating func go(
      _ seconds: Int, speed: Double, tells: Set<Double> = [], isHidden: Bool = false
    ) {
      for _ in 0..<seconds {
        step(elapsed: 1, speed: speed, isHidden: isHidden)
        if tells.contains(at) { tell() }
      }
    }

    mutating func begin() { step(elapsed: 0, speed: 0) }

    mutating func tell(_ offset: Double = 0) {
      known.learned(Self.place(east + offset), at: now)
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

    private mutating func step(elapsed: Double, speed: Double, isHidden: Bool = false) {
      at += elapsed
      east += speed * elapsed
      events.pass(to: TruePoint(at: now, coordinate: place))
      known.pass(
        to: LocalFrame(origin: place), at: now, elapsed: elapsed, travelled: abs(speed) * elapsed,
        isHidden: isHidden)
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
    #expect(journey.times(of: .mayDepart).last == 160, "10 s after it set out again, at 150 s")
    journey.finish()
  }

  @Test("Who stays 150 m farther, for five minutes or to the end, has left and come there")
  func nextDoor() {
    for (stay, shown) in [(280, []), (300, [430.0])] {
      var journey = Journey()
      journey.begin()
      journey.go(120, speed: 0, tells: [60])
      journey.go(15, speed: 10)
      journey.go(stay, speed: 0)
      #expect(journey.times(of: .mayArrive).last == 130)
      #expect([TruthEvent.departed, .arrived].map(journey.times) == [shown, shown])
      journey.finish()
      #expect(journey.known.arrivals.count == 1 && journey.known.arrivals.missed == shown.count)
    }
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

  @Test("What nobody tells of for half an hour is missed")
  func missed() {
    var journey = Journey()
    journey.begin()
    journey.go(100, speed: 10)
    journey.go(1_801, speed: 0)
    // It stopped at 100 s, and the app's knowledge was a kilometre off.
    #expect(journey.known.arrivals.count == 1 && journey.known.arrivals.missed == 1)
  }

  @Test("An event whose segment ends within five minutes is judged for nobody, told or not")
  func judgedAlike() {
    for tells in [[130], []] as [Set<Double>] {
      var journey = Journey()
      journey.begin()
      journey.go(120, speed: 0)
      // It passes the 100 m at 130 s, and the trace ends 290 s later.
      journey.go(30, speed: 10, tells: tells)
      journey.go(270, speed: 10)
      journey.finish()
      #expect(journey.known.departures.count == 1 && journey.known.departures.judged == 0)
    }
    var journey = Journey()
    journey.begin()
    journey.go(120, speed: 0)
    journey.go(400, speed: 10, tells: [150])
    journey.finish()
    #expect(journey.known.departures.judged == 1 && journey.known.departures.longest == 20)
  }

  @Test("While nobody could know the place no error counts, and the clock of events stands still")
  func hidden() {
    var journey = Journey()
    journey.begin()
    journey.go(120, speed: 0, tells: [120])
    // It passes the 100 m at 130 s, in a tunnel of 200 s, and is told 20 s behind it.
    journey.go(200, speed: 10, isHidden: true)
    journey.go(400, speed: 10, tells: [340])
    journey.finish()
    #expect(journey.known.departures.longest == 20)
    // The seconds before the tunnel, those from the telling on.
    #expect(journey.known.seconds == 120 + 380)
    #expect(journey.known.offBy.weight == 3_800)
    // Off by 1,000 m after 100 s; what is behind the tunnel is on the way from 340 s on.
    #expect(abs(journey.known.wrongAreaSeconds - (380 - 100)) <= 1)
    // The picture has it all: off by 500 m from the 50th second of the tunnel on, and of the last telling.
    #expect(journey.known.blindSeconds == 151 + 20 + 331)
  }

  @Test(
    "A position from before an arrival tells of it if it stayed right, and is no older than the departure"
  )
  func near() {
    // It stops at 1,000 m at 100 s, which is where the circle of the last 100 m was left.
    for (tells, delay) in [([70], 0), ([20], nil), ([20, 150], 50)] as [(Set<Double>, Double?)] {
      var journey = Journey()
      journey.begin()
      journey.go(100, speed: 10, tells: tells)
      journey.go(500, speed: 0, tells: tells)
      journey.finish()
      #expect(journey.known.arrivals.judged == 1)
      #expect(journey.known.arrivals.missed == (delay == nil ? 1 : 0), "\(tells)")
      #expect(journey.known.arrivals.longest == delay ?? 0, "\(tells)")
    }
    // From home to 400 m away: what was known at home is right there too, and tells of nothing.
    for (tells, delay) in [([60], nil), ([60, 140], 0)] as [(Set<Double>, Double?)] {
      var journey = Journey()
      journey.begin()
      journey.go(120, speed: 0, tells: tells)
      journey.go(40, speed: 10, tells: tells)
      journey.go(600, speed: 0)
      journey.finish()
      #expect(journey.known.arrivals.count == 1)
      #expect(journey.known.arrivals.missed == (delay == nil ? 1 : 0), "\(tells)")
    }
  }

  @Test(
    "Who looks six times as often, and tells of moves of 500 m, misses no more arrivals",
    arguments: 1...6)
  func moreLooks(seed: UInt64) {
    func missed(every interval: Double) -> (missed: Int, judged: Int) {
      var dice = SplitMix64(seed: seed)
      var journey = Journey()
      journey.begin()
      var last = journey.east
      for _ in 0..<30 {
        let seconds = 100 + dice.below(400)
        let speed = Double([12, -12, 20, -20][dice.below(4)])
        for second in 0..<(seconds + 900) {
          journey.go(1, speed: second < seconds ? speed : 0)
          guard journey.at.truncatingRemainder(dividingBy: interval) == 0,
            abs(journey.east - last) >= 500
          else { continue }
          journey.tell()
          last = journey.east
        }
      }
      journey.finish()
      return (journey.known.arrivals.missed, journey.known.arrivals.judged)
    }
    let (seldom, often) = (missed(every: 720), missed(every: 120))
    #expect(seldom.judged == often.judged && often.judged >= 25)
    #expect(often.missed <= seldom.missed, "seed \(seed): \(often) \(seldom)")
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

  @Test("The distance is that of the last delivery, by metres of way; the launch counts as one")
  func distance() {
    var journey = Journey()
    journey.begin()
    // 10 m/s for 1,000 s, reported at 500 s: off by 10 to 5,000 m, and again from 10 m on.
    journey.go(1_000, speed: 10, tells: [500])
    // An hour at rest changes nothing of the way.
    journey.go(3_600, speed: 0)
    #expect(journey.known.seconds == 4_600)
    #expect(abs(journey.known.offBy.weight - 10_000) < 1e-6)
    #expect(journey.known.offBy.greatest.map { abs($0 - 5_000) < 5 } == true)
    #expect(journey.known.offBy.quantile(0.5).map { abs($0 - 2_500) < 30 } == true)
    // Off by 500 m or more for 451 seconds of each half, and by more than 1,000 m for 400, with the rest.
    #expect(journey.known.blindSeconds == 902 + 3_600)
    #expect(abs(journey.known.blindMetres - 9_020) < 1e-6)
    #expect(abs(journey.known.wrongAreaSeconds - (400 + 400 + 3_600)) <= 2)
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
    var exact = WeightedHistogram()
    // Up to 100 km away and back, with rests, jumps over gaps, and a delivery now and then.
    var known = journey.place
    for _ in 0..<60 {
      let speed = [0, 1, 25, -25, 60, -60][dice.below(6)]
      for _ in 0..<300 {
        journey.go(1, speed: Double(speed))
        exact.include(
          LocalFrame(origin: journey.place).distance(to: known), for: Double(abs(speed)))
      }
      switch dice.below(20) {
      case 0:
        journey.tell()
        known = journey.place
      case 1:
        journey.events.endSegment()
        journey.known.endSegment()
        journey.east -= 30_000
        journey.begin()
        // Until then nothing counts.
        journey.tell()
        known = journey.place
      default: break
      }
    }
    #expect(exact.greatest.map { $0 > LocalFrame.reach } == true, "seed \(seed)")
    #expect(journey.known.offBy == exact, "seed \(seed)")
  }

  @Test("Quantiles of time are within 0.8 % of a sorted list, and sums are those of one list")
  func histogram() {
    var values: [Double] = []
    var a = WeightedHistogram()
    var b = WeightedHistogram()
    for index in 1...2_000 {
      let value = Double((index * 7_919) % 4_001) * 0.37 + 0.01
      values.append(value)
      if index % 2 == 0 { a.include(value, for: 1) } else { b.include(value, for: 1) }
    }
    a += b
    values.sort()
    #expect(a.weight == 2_000 && a.greatest == values.last)
    for share in [0.05, 0.5, 0.95] {
      let exact = values[Int(share * 2_000)]
      #expect(a.quantile(share).map { abs($0 / exact - 1) < 0.01 } == true, "\(share)")
    }
    #expect(WeightedHistogram().quantile(0.5) == nil && WeightedHistogram().greatest == nil)
  }
}
