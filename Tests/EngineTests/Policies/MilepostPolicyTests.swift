// SPDX-License-Identifier: Apache-2.0

import LocationModel
import Testing

@testable import LocationEngine

@Suite("The policy milepost")
struct MilepostPolicyTests {
  @Test("Who rests 10 m short of the border is looked at more often if the fixes are off by more")
  func atTheBorder() {
    func looks(accuracy: Double) -> Int {
      var journey = Journey(senses: .motion)
      // 490 m in 350 s from where the first fix is told.
      journey.travel(
        .init(seconds: 600, speed: 0), .init(seconds: 350, speed: 1.4, accuracy: accuracy))
      let before = journey.sessions
      journey.travel(.init(seconds: 3_600, speed: 0, accuracy: accuracy))
      #expect(journey.deliveries.count == 1)
      return journey.sessions - before
    }
    // Of a normal error 31 % lie more than half a deviation beyond, and none 4 of them: 24 m are a deviation of 16 m,
    // 4 m one of 2.6 m.
    #expect(looks(accuracy: 24) > looks(accuracy: 4))
  }

  @Test("A night within the stated error of the border does not keep the receiver on")
  func nightAtTheBorder() {
    func secondsOn(short metres: Int) -> Int {
      var journey = Journey(senses: .motion)
      // The fixes agree with each other far better than they claim, as those of good receivers do.
      journey.travel(
        .init(seconds: 600, speed: 0), .init(seconds: 500 - metres, speed: 1, accuracy: 15))
      let before = journey.secondsOn
      journey.travel(.init(seconds: 8 * 3_600, speed: 0, accuracy: 15))
      return journey.secondsOn - before
    }
    // 15 m are a deviation of 10 m: 16 % lie beyond a border 10 m away, none 100 m. Looks to settle that are minutes apart.
    #expect(secondsOn(short: 10) < secondsOn(short: 100) + 300)
  }

  @Test("Two fixes of a device at rest tell as much as the mean of two errors that correlate")
  func correlatedErrors() {
    // σ² (1 + ρ) / 2 with σ 10 m, and ρ 1 at once, 1/e after 120 s and 0 after an hour.
    for (seconds, variance) in [(0.0, 100.0), (120, 68.394), (3_600, 50)] {
      #expect(abs(FixError.variance(10, after: seconds, before: 100) - variance) < 0.001)
    }
    // After a coarse position a fine one stands alone: 1 / (1/10,000 + tanh(0.5)/100) would be 212.
    #expect(FixError.variance(10, after: 120, before: 10_000) == 100)
  }

  @Test("A steady drive is one session and one delivery every 300 s, each within seconds")
  func drive() {
    var journey = Journey(senses: [.motion, .cells])
    journey.travel(.init(seconds: 1_800, speed: 20))
    // Delivered at 11 s (three fixes agree after the first), then as soon as the 300 s are over.
    #expect(journey.row == "D....D....D....D....D....D....")
    #expect(journey.sessions == 6)
    for (delivery, next) in zip(journey.deliveries, journey.deliveries.dropFirst()) {
      #expect((300...310).contains(next.second - delivery.second))
    }
  }

  @Test("A walker is told of at 500 m, with few sessions between")
  func walk() {
    var journey = Journey(senses: [.motion, .cells])
    journey.travel(.init(seconds: 3_600, speed: 1.4))
    // 5,040 m; each event needs 500 m, which take 357 s.
    #expect(journey.deliveries.count == 10)
    for (delivery, next) in zip(journey.deliveries, journey.deliveries.dropFirst()) {
      #expect((500...540).contains(next.metres - delivery.metres))
    }
    #expect(journey.sessions <= 20)
  }

  @Test("At rest the receiver stays off, but for a look in reserve")
  func rest() {
    var journey = Journey(senses: [.motion, .cells])
    journey.column = 3_600
    journey.travel(.init(seconds: 24 * 3_600, speed: 0))
    #expect(journey.deliveries.count == 1)
    // After 1,800 s, then after twice the time, then every 5,400 s.
    #expect(journey.sessions <= 18)
    #expect(journey.secondsOn <= 18 * 12)
  }

  @Test(
    "A departure from rest is told of within seconds after its 500 m", arguments: [8.0, 14, 25])
  func departure(speed: Double) {
    var journey = Journey(senses: .motion)
    journey.travel(.init(seconds: 7_200, speed: 0), .init(seconds: 300, speed: speed))
    let crossing = 7_200 + Int(500 / speed)
    // A window that fires may be a false alarm; the second comes after 30 to 45 s, the fix 9 s later.
    let latest = max(crossing + 15, 7_200 + 54)
    #expect(journey.deliveries.count == 2)
    #expect(
      journey.deliveries.last.map { (crossing...latest).contains($0.second) } == true,
      "\(journey.deliveries)")
  }

  @Test("Without any hint a stay is polled at growing intervals")
  func polls() {
    var journey = Journey(senses: [])
    journey.column = 300
    journey.travel(.init(seconds: 4 * 3_600, speed: 0))
    // 300 s × √(age / 300 s), at most 1,200 s, are 16; the first minutes, which may be a stop, have more.
    #expect(journey.deliveries.count == 1)
    #expect((14...28).contains(journey.sessions), "\(journey.sessions)")
  }

  @Test("Two kinds of hint, none, or one: every one of them sees a drive and its end")
  func allSenses() {
    for senses in [Senses([]), .motion, .cells, [.motion, .cells]] {
      var journey = Journey(senses: senses)
      journey.travel(
        .init(seconds: 3_000, speed: 0), .init(seconds: 900, speed: 15),
        .init(seconds: 3_600, speed: 0))
      let end = 900.0 * 15
      #expect(journey.deliveries.last.map { end - $0.metres < 500 } == true, "\(senses)")
    }
  }

  @Test("The lead is learnt: a receiver that takes 20 s is switched on earlier after some sessions")
  func learnsLead() {
    var journey = Journey(senses: .motion)
    journey.acquisition = 20
    journey.travel(.init(seconds: 9_000, speed: 20))
    let steps = zip(journey.deliveries, journey.deliveries.dropFirst())
      .map { $1.second - $0.second }
    #expect(steps.first.map { $0 >= 308 } == true)
    #expect(steps.last.map { $0 <= 305 } == true)
  }

  @Test("Another app's fixes are used: with one that navigates, no session of its own begins")
  func freeFixes() {
    var journey = Journey(senses: .motion)
    journey.stage.app(.startUpdating(StandardRequest()))
    journey.travel(.init(seconds: 1_000, speed: 20))
    let plans = journey.stage.log.plans
    #expect(plans.allSatisfy { $0 == .continuous || $0 == .session })
    #expect(journey.stage.log.deliveries.filter { $0.service == .significant }.count == 4)
  }

  @Test("Nobody may be told: only polls remain")
  func unauthorized() {
    var journey = Journey(senses: .motion)
    journey.travel(.init(seconds: 60, speed: 0))
    journey.stage.app(.authorized(.denied))
    journey.travel(.init(seconds: 3_600, speed: 20))
    #expect(journey.deliveries.count == 1)
    #expect(journey.secondsOn < 600)
  }

  @Test("The reason for the silence is told: a session that is due, or a hint that is waited for")
  func explains() {
    var journey = Journey(senses: .motion)
    journey.travel(.init(seconds: 100, speed: 20))
    guard case .off(.awaitsSession) = journey.stage.engine.plan else {
      Issue.record("\(journey.stage.engine.plan)")
      return
    }
    journey.travel(.init(seconds: 1_000, speed: 0))
    guard case .off(.awaitsHint) = journey.stage.engine.plan else {
      Issue.record("\(journey.stage.engine.plan)")
      return
    }
  }
}
