// SPDX-License-Identifier: Apache-2.0

import LocationModel
import Testing

@testable import LocationEngine

@Suite("Sky that is heard, and jumps that are weighed")
struct MilepostSkyTests {
  /// A drive of 290 s, so that the look comes as `leg` begins.
  private func drive(_ legs: Journey.Leg..., acquisition: Int = 8) -> Journey {
    var journey = Journey(senses: .motion)
    journey.tellsSignal = true
    journey.acquisition = acquisition
    journey.travel(.init(seconds: 290, speed: 15))
    for leg in legs { journey.travel(leg) }
    return journey
  }

  // MARK: Jumps

  @Test("A car that stands at a light as the interval ends is told at once, and not after a minute")
  func light() {
    let journey = drive(.init(seconds: 90, speed: 0))
    // Delivered at 11 s, so due at 311 s; the fix comes 8 s after a look, which begins before the due time.
    #expect(journey.deliveries.count == 2)
    #expect(
      journey.deliveries.last.map { (311...320).contains($0.second) } == true,
      "\(journey.deliveries)")
  }

  @Test("The longer a fix is doubted, the likelier a jump was; ten to one for the way is no doubt")
  func doubt() {
    #expect(JumpGate.doubt(odds: 0.1) == 0)
    #expect(JumpGate.doubt(odds: 1e-6) == 0)
    // 10 s · ln 10 for even odds; ln 100 for ten to one that it jumped.
    #expect(abs(JumpGate.doubt(odds: 1) - 23.03) < 0.01)
    #expect(abs(JumpGate.doubt(odds: 10) - 46.05) < 0.01)
  }

  @Test("1 km is a jump to a device that rests, and a way to one that rode for a minute")
  func odds() {
    let sensing = MotionSensing(window: 10, steps: 0.95, ride: 0.9, smooth: 0, falseAlarms: 0.25)
    var home = PaceBelief(sensing: sensing)
    home.fixed(way: nil, speed: 0, after: 0)
    home.pass(3_600, cells: false)
    #expect(home.oddsOfJump((1_000, 10), speed: 0, after: 3_600) > 1)
    var car = home
    for _ in 0..<6 { car.felt(after: 10, cells: false) }
    #expect(car.oddsOfJump((1_000, 10), speed: 15, after: 3_660) < 0.1)
    // It has stopped since: a stop is likelier than a jump.
    #expect(car.oddsOfJump((1_000, 10), speed: 0, after: 3_660) < 0.1)
    // 5 km are more than it is believed to have made, and no more than a train makes in 6 min: at 38.4 m/s 13.8 km, so
    // 13.8 / (6.9 · 5) to one, if anything moved.
    let odds = car.oddsOfJump((5_000, 10), speed: 0, after: 360)
    #expect((0.39...0.42).contains(odds), "\(odds)")
    // A bus at 8.5 m/s that is felt for a minute is 1.6 km on: at 38.4 m/s 2.3 km are possible. Of a ride that is felt at
    // 0.9 one way in five is such, and one in a hundred of any: 2.3 / (0.18 + 0.01) · 0.01 / (6.9 · 1.6) to one.
    let bus = oddsOfJump(of: 1_600, afterMinuteAt: 8.5, from: home)
    #expect((0.0105...0.0115).contains(bus), "\(bus)")
    // Nobody walks 1 km in a minute: 2.3 / (6.9 · 1) to one at most, as of any movement, and a doubt in any case.
    let walker = oddsOfJump(of: 1_000, afterMinuteAt: 1.15, from: home)
    #expect(walker > 0.1 && walker < 0.334, "\(walker)")
    // 100 km in a minute are impossible.
    #expect(car.oddsOfJump((100_000, 10), speed: 0, after: 60) > 1e6)
  }

  /// Of a device that was seen at this pace for five minutes, and is then felt for one without a fix.
  private func oddsOfJump(
    of metres: Double, afterMinuteAt pace: Double, from belief: PaceBelief
  ) -> Double {
    var belief = belief
    for _ in 0..<30 {
      belief.felt(after: 10, cells: false)
      belief.fixed(way: (10 * pace, 8), speed: pace, after: 10)
    }
    for _ in 0..<6 { belief.felt(after: 10, cells: false) }
    return belief.oddsOfJump((metres, 10), speed: pace, after: 60)
  }

  // MARK: Sky

  @Test("A search that hears no satellite from its begin ends after 3 s, again and again")
  func dark() {
    let journey = drive(.init(seconds: 120, speed: 15, hasSky: false))
    let before = drive()
    let (sessions, on) = (
      journey.sessions - before.sessions, journey.secondsOn - before.secondsOn
    )
    #expect(sessions >= 3)
    // The first began with sky; its fixes are worth some more seconds.
    #expect(on <= 4 * sessions + 20, "\(on) s in \(sessions) sessions")
  }

  @Test(
    "A search that heard satellites for a while outlasts 5 s without any, and ends in its first fix"
  )
  func bridge() {
    // 20 s to a first fix are learnt at once: the second look begins some 10 s before 320 s.
    let short = drive(
      .init(seconds: 15, speed: 15), .init(seconds: 5, speed: 15, hasSky: false),
      .init(seconds: 60, speed: 15), acquisition: 20)
    #expect(short.sessions == 2)
    #expect(short.deliveries.count == 2)
  }

  @Test("A receiver that says nothing of satellites is given the time of nine in ten hot starts")
  func silent() {
    var journey = Journey(senses: .motion)
    journey.travel(.init(seconds: 290, speed: 15), .init(seconds: 40, speed: 15, hasSky: false))
    // 7.06 s · e^(2.58 · 0.5) = 25.6 s for the first look; then 13.4 s, after it failed.
    #expect((25...40).contains(journey.secondsOn - 11), "\(journey.secondsOn)")
  }

  @Test("Under a roof each stir costs five looks at most, and half a minute of search")
  func roof() {
    var journey = Journey(senses: .motion)
    journey.tellsSignal = true
    journey.travel(
      .init(seconds: 600, speed: 15), .init(seconds: 60, speed: 15, hasSky: false),
      .init(seconds: 240, speed: 0, hasSky: false))
    for stir in 1...8 {
      let sessions = journey.sessions
      // One minute to and fro, four at the desk.
      journey.travel(
        .init(seconds: 30, speed: 1, hasSky: false), .init(seconds: 30, speed: -1, hasSky: false),
        .init(seconds: 240, speed: 0, hasSky: false))
      #expect(journey.sessions - sessions <= 5, "\(stir): \(journey.sessions - sessions)")
    }
    #expect(journey.secondsOn < 300, "\(journey.secondsOn)")
  }

  @Test("A receiver that hears satellites searches on where 995 of 1,000 hot starts have ended")
  func slow() {
    // 7.06 s · e^(2.58 · 0.5) = 25.6 s; this one takes 40 s.
    func sessions(tellsSignal: Bool) -> Int {
      var journey = Journey(senses: .motion)
      journey.tellsSignal = tellsSignal
      journey.travel(.init(seconds: 290, speed: 15))
      journey.acquisition = 40
      journey.travel(.init(seconds: 200, speed: 15))
      return journey.sessions
    }
    #expect(sessions(tellsSignal: true) == 2)
    #expect(sessions(tellsSignal: false) > 2)
  }

  // MARK: Rests

  @Test("Beside a sensor that feels every departure no rest is polled by the clock")
  func rest() {
    var journey = Journey(senses: .motion)
    journey.column = 3_600
    journey.travel(.init(seconds: 24 * 3_600, speed: 0))
    #expect(journey.sessions <= 3, "\(journey.row)")
  }
}
