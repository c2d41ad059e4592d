// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationEngine
import LocationModel
import Testing

// What makes other filters fail, numbered as in the table of pitfalls, drawn over time: `D` a delivery, `o`
// the receiver was on, `.` it was off; one character a minute.

@Suite("Pitfalls of significant change")
struct PitfallTests {
  private func resting(_ senses: Senses = [.motion, .cells]) -> Journey {
    var journey = Journey(senses: senses)
    journey.travel(.init(seconds: 600, speed: 0))
    return journey
  }

  @Test("1: a jump of 1 km at rest is not told of; the device is where it was")
  func jump() {
    for senses in [Senses([]), .motion, [.motion, .cells]] {
      var journey = resting(senses)
      // Every look for half an hour begins with 15 s of a wrong place.
      journey.travel(.init(seconds: 1_800, speed: 0, error: 1_000))
      let wrong = journey.deliveries.count
      #expect(wrong <= 2, "\(senses)")
      var short = resting(senses)
      for _ in 0..<60 {
        short.travel(
          .init(seconds: 15, speed: 0, error: 1_000), .init(seconds: 45, speed: 0))
      }
      #expect(short.deliveries.count == 1, "\(senses)")
    }
  }

  @Test("1: the first fix after a cold start is not believed alone")
  func zinger() {
    var journey = Journey(senses: .motion)
    journey.travel(
      .init(seconds: 9, speed: 0, error: 4_000), .init(seconds: 600, speed: 0))
    #expect(journey.deliveries.map(\.second) == [12])
    #expect(
      journey.stage.log.deliveries.first.map { Stage.start.distance(to: $0.fix.coordinate) < 1 }
        == true)
  }

  @Test("1: a real jump is believed once it lasts a minute, and becomes the anchor")
  func realJump() {
    var journey = resting([])
    journey.travel(.init(seconds: 2_400, speed: 0, error: 5_000))
    #expect(journey.row.filter { $0 == "D" }.count == 2)
    journey.travel(.init(seconds: 1_200, speed: 0, error: 5_000))
    #expect(journey.deliveries.count == 2)
  }

  @Test("8: an accuracy that is missing is not perfect, and a negative one is no position")
  func accuracy() {
    // At 700 m with both accuracies at 300 m nothing is sure; at 5 m it is.
    for (accuracy, expected) in [(300.0 as Double?, 1), (5, 2), (nil, 2), (-5, 0)] {
      var journey = Journey(senses: .motion)
      journey.travel(
        .init(seconds: 400, speed: 0, accuracy: accuracy),
        .init(seconds: 70, speed: 10, accuracy: accuracy),
        .init(seconds: 60, speed: 0, accuracy: accuracy))
      #expect(journey.deliveries.count == expected, "\(String(describing: accuracy))")
    }
  }

  @Test("9, 11: a fix that is repeated with its old time is a duplicate and moves nothing")
  func duplicates() {
    var journey = resting()
    journey.travel(.init(seconds: 320, speed: 2))
    let latest = Stage.fix(metres: 900, at: journey.stage.now)
    journey.stage.tell(.fix(latest), at: journey.stage.now.seconds + 1)
    let again = journey.stage.tell(.fix(latest), at: journey.stage.now.seconds + 1)
    #expect(again.outcomes == [.duplicate])
    #expect(again.deliveries.isEmpty)
  }

  @Test("10: a late fix of the place left behind moves no anchor back")
  func late() {
    var journey = resting()
    journey.travel(.init(seconds: 400, speed: 20))
    let count = journey.deliveries.count
    let old = Stage.fix(metres: 0, at: EngineInstant.zero.advanced(bySeconds: 30))
    let commands = journey.stage.tell(.fix(old), at: journey.stage.now.seconds + 1)
    #expect(commands.outcomes == [.late])
    #expect(journey.deliveries.count == count)
  }

  @Test("11: the cached first position is told as such, and never anchors")
  func cachedFirst() {
    var journey = resting()
    journey.stage.app(.stopMonitoringSignificantChanges)
    journey.travel(.init(seconds: 600, speed: 20))
    let commands = journey.stage.app(.startMonitoringSignificantChanges)
    #expect(commands.deliveries.map(\.isCached) == [true])
    journey.travel(.init(seconds: 60, speed: 20))
    #expect(journey.stage.log.deliveries.last?.isCached == false)
    #expect(journey.stage.log.deliveries.last?.moved == nil)
  }

  @Test("12: a day of drift within 45 m wakes nobody")
  func drift() {
    var journey = Journey(senses: [.motion, .cells])
    for hour in 0..<24 {
      for part in 0..<12 {
        let error = 45 * Double((hour * 7 + part * 5) % 19 - 9) / 9
        journey.travel(.init(seconds: 300, speed: 0, error: error, accuracy: 24))
      }
    }
    #expect(journey.deliveries.count == 1)
    #expect(journey.sessions < 40)
  }

  @Test("13: the stop is told of, although nothing moves any more")
  func stop() {
    for senses in [Senses([]), .motion, .cells, [.motion, .cells]] {
      var journey = resting(senses)
      // 100 s after the last delivery on the way the car is parked, 2 km on.
      journey.travel(.init(seconds: 400, speed: 20))
      let last = journey.deliveries.last?.second ?? 0
      journey.travel(.init(seconds: max(0, last + 100 - 1_000), speed: 20))
      journey.travel(.init(seconds: 3_000, speed: 0))
      #expect(
        journey.deliveries.last.map { journey.metres - $0.metres < 500 } == true, "\(senses)")
    }
  }

  @Test("14: a walk of 0.5 m/s, which no sensor feels, is told of before it is missed")
  func slowWalk() {
    for senses in [Senses([]), .motion] {
      var journey = resting(senses)
      journey.travel(.init(seconds: 3 * 3_600, speed: 0.5))
      // 5,400 m; a crossing every 1,000 s at best, and each within 1,800 s after that.
      #expect(journey.deliveries.count >= 4, "\(senses)")
      for (delivery, next) in zip(journey.deliveries, journey.deliveries.dropFirst()) {
        #expect(next.second - delivery.second <= 2_800 + 600, "\(senses)")
      }
    }
  }

  @Test("15: the exit of a tunnel is no jump: it is told of at once")
  func tunnel() {
    var journey = resting()
    journey.travel(
      .init(seconds: 350, speed: 30), .init(seconds: 240, speed: 30, hasSky: false),
      .init(seconds: 120, speed: 30))
    // Two minutes after the tunnel's end it has been told of a place behind it.
    #expect(journey.deliveries.last.map { $0.second > 600 + 590 } == true)
  }

  @Test("16: a receiver that never has a fix is given up, and asked more and more seldom")
  func neverLocks() {
    var journey = Journey(senses: .motion)
    journey.travel(.init(seconds: 24 * 3_600, speed: 0, hasSky: false))
    #expect(journey.deliveries.isEmpty)
    // 120 s each, 30, 60, … 900 s apart: 900 s + 120 s in the end.
    #expect(journey.sessions < 95)
    journey.travel(.init(seconds: 1_200, speed: 0))
    #expect(journey.deliveries.count == 1)
  }

  @Test("20: after a relaunch, and after a restart of the service, monitoring goes on by itself")
  func rearmed() {
    var journey = resting()
    journey.stage.app(.enteredBackground)
    journey.travel(.init(seconds: 1_200, speed: 0))
    #expect(journey.stage.engine.state(of: AppID(1)) == .notRunning)
    journey.travel(.init(seconds: 400, speed: 10))
    journey.restart()
    journey.travel(.init(seconds: 900, speed: 10))
    #expect(journey.deliveries.count >= 4)
    #expect(
      journey.stage.log.contains {
        if case .launch(AppID(1), _) = $0 { true } else { false }
      })
  }

  @Test("21: a modem that swings between two cells every 10 s wakes nobody and costs a few looks")
  func pingPong() {
    // With cells alone no more than a poll every 300 s; a sensor that feels nothing forbids most.
    for (senses, most) in [(Senses.cells, 14), ([.motion, .cells], 8)] {
      var journey = resting(senses)
      let before = journey.sessions
      for _ in 0..<360 {
        journey.stage.tell(.cellChanged())
        journey.travel(.init(seconds: 10, speed: 0))
      }
      #expect(journey.deliveries.count == 1, "\(senses)")
      #expect(journey.sessions - before <= most, "\(senses)")
    }
  }

  @Test("21: whatever happens, two deliveries are 300 s apart")
  func noStorm() {
    var journey = Journey(senses: [.motion, .cells])
    for _ in 0..<200 {
      journey.stage.tell(.cellChanged())
      journey.stage.tell(.motionBegan)
      journey.travel(.init(seconds: 7, speed: 40), .init(seconds: 3, speed: 0))
    }
    for (delivery, next) in zip(journey.deliveries, journey.deliveries.dropFirst()) {
      #expect(next.second - delivery.second >= 300)
    }
  }
}
