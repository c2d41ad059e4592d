// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel
import Testing

// The pitfalls of other filters, numbered as in the table of pitfalls: stays, stops and gaps, drawn over time as in
// `Journey`: `D` a delivery, `o` the receiver was on, `.` it was off; one character a minute unless stated otherwise.
// The policy's first delivery comes at 11 s: 8 s and three fixes.

@Suite("Pitfalls of stays and gaps")
struct PitfallTimeTests {
  private static let allSenses: [Senses] = [[], .motion, .cells, [.motion, .cells]]

  private func resting(_ senses: Senses = [.motion, .cells]) -> Journey {
    var journey = Journey(senses: senses)
    journey.travel(.init(seconds: 600, speed: 0))
    return journey
  }

  // MARK: Stays and stops

  @Test("12: a day of drift wakes nobody, or once where it lies across the line")
  func drift() {
    // The limit of looks for a day without a move.
    let looks: [(Senses, Int)] = [
      ([], 190), (.motion, 50), (.cells, 60), ([.motion, .cells], 25),
    ]
    for (senses, most) in looks {
      // The stay's metres from the anchor, those of the drift, and deliveries beside the first. 465 m and
      // 30 m never are 500 m. 485 m and 30 m are; but from there 60 m of drift are nothing.
      for (stay, drift, told) in [(0.0, 45.0, 0), (465, 30, 0), (485, 30, 1), (495, 15, 1)] {
        var journey = Journey(senses: senses)
        journey.travel(
          .init(seconds: 400, speed: 0), .init(seconds: 100, speed: stay / 100),
          .init(seconds: 600, speed: 0))
        #expect(journey.deliveries.count == 1)
        let before = journey.sessions
        for part in 0..<288 {
          let error = drift * Double(part * 5 % 19 - 9) / 9
          journey.travel(.init(seconds: 300, speed: 0, error: error, accuracy: 24))
        }
        // If a hint would report a departure, there may be no look that sees it.
        let counts = senses.isEmpty ? 1 + told...1 + told : 1...1 + told
        #expect(counts.contains(journey.deliveries.count), "\(senses), \(stay) m")
        #expect(journey.sessions - before <= most, "\(senses), \(stay) m")
      }
    }
  }

  @Test("13: the stop is told of when its 300 s are over, although nothing moves any more")
  func stop() {
    for senses in Self.allSenses {
      // Deliveries every 300 to 310 s from 11 s on: the third before 640 s. 900 m later at least the car
      // is parked, after 45, 150 or 270 s; the fourth comes all the same, and no fifth.
      for after in [45, 150, 270] {
        var journey = Journey(senses: senses)
        journey.travel(.init(seconds: 650, speed: 20))
        let last = journey.deliveries.last?.second ?? 0
        #expect(journey.row == "D....D....")
        journey.travel(.init(seconds: last + after - 650, speed: 20))
        journey.travel(.init(seconds: 4_000 - journey.second, speed: 0))
        #expect(journey.row.prefix(16) == "D....D....D....D", "\(senses): \(journey.row)")
        #expect(journey.deliveries.count == 4, "\(senses)")
        let gap = (journey.deliveries.last?.second ?? 0) - last
        #expect((300...310).contains(gap), "\(senses), \(after) s: \(gap) s")
        #expect(journey.deliveries.last?.metres == journey.metres)
        #expect(journey.stage.log.deliveries.last?.fix.speed == 0)
      }
    }
  }

  @Test("14: a walk of 0.5 m/s is measured from the last delivery, not from the last fix")
  func slowWalk() {
    // Another app has the receiver on: each fix is half a metre from the one before. 500 m take 1,000 s.
    var journey = Journey(senses: [])
    journey.stage.app(.startUpdating(StandardRequest()))
    journey.column = 100
    journey.travel(.init(seconds: 4_000, speed: 0.5))
    #expect(journey.row == "DoooooooooDoooooooooDoooooooooDooooooooo")
  }

  @Test("14: a walk of 0.5 m/s, which no sensor feels, is told of before it is missed")
  func unfeltWalk() {
    for senses in Self.allSenses {
      var journey = resting(senses)
      journey.travel(.init(seconds: 6 * 3_600, speed: 0.5))
      // 1,000 s from each anchor to the crossing, which is missed another 1,800 s later: seven at least
      // in 21,600 s. The first anchor, of 11 s, was left at 600 s.
      withKnownIssue(
        "a sensor that feels less than its profile says is found out late, or not at all"
      ) {
        #expect(journey.deliveries.count >= 8, "\(senses)")
      } when: {
        senses.contains(.motion)
      }
      if senses.contains(.motion) { continue }
      let told = [600] + journey.deliveries.dropFirst().map(\.second)
      for (anchor, next) in zip(told, told.dropFirst() + [journey.second]) {
        #expect(next - anchor <= 2_800, "\(senses)")
        #expect(next - anchor >= 1_000 || next == journey.second, "\(senses)")
      }
    }
  }

  // MARK: Gaps

  @Test("15: what became due in a tunnel is told of by the first fix behind it")
  func tunnelDrawn() {
    for (senses, row, fixes) in [
      (Senses([]), "D....D....oooD....D", "3----+-------+----+"),
      (.motion, "D....D....ooD....D.", "3----+------+----+-"),
    ] {
      var journey = Journey(senses: senses)
      journey.travel(
        .init(seconds: 560, speed: 30), .init(seconds: 200, speed: 30, hasSky: false),
        .init(seconds: 380, speed: 30))
      // Due at 609 s, sky from 760 s on; 9 km after the last one it is no jump. And 300 s after that the next.
      #expect(journey.row == row, "\(senses)")
      #expect(journey.fixes == fixes, "\(senses)")
    }
  }

  @Test(
    "15: behind a tunnel it is told of after half of the tunnel's time at most",
    arguments: allSenses)
  func tunnel(senses: Senses) {
    for length in [60, 90, 120, 180, 240, 600, 1_200] {
      var journey = resting(senses)
      journey.travel(.init(seconds: 350, speed: 30))
      // Into the tunnel 10 s before the next one is due.
      let (last, count) = (journey.deliveries.last?.second ?? 0, journey.deliveries.count)
      journey.travel(.init(seconds: max(0, last + 290 - journey.second), speed: 30))
      journey.travel(.init(seconds: length, speed: 30, hasSky: false))
      #expect(journey.deliveries.count == count)
      let exit = journey.second
      journey.travel(.init(seconds: 1_000, speed: 30))
      // The waits grow with the time without sky; a look gets 26 s.
      let told = journey.deliveries.dropFirst(count).first?.second ?? .max
      #expect(
        told > exit && told - exit <= length / 2 + 26, "\(senses) \(length) s: \(told - exit) s")
      #expect(!journey.stage.log.outcomes.dropFirst(3).contains(.jumpUnconfirmed))
    }
  }

  @Test("16: a receiver that never has a fix is given up, and asked more and more seldom")
  func neverLocks() {
    for senses in Self.allSenses {
      var journey = Journey(senses: senses)
      journey.travel(.init(seconds: 24 * 3_600, speed: 0, hasSky: false))
      #expect(journey.deliveries.isEmpty)
      // A cold receiver gets 240 s. The waits grow: a day has no more looks than one in 20 minutes.
      #expect(journey.row.prefix(4) == "oooo", "\(senses)")
      #expect(journey.sessions <= 72, "\(senses)")
      #expect(journey.secondsOn <= journey.sessions * 241, "\(senses)")
      journey.travel(.init(seconds: 7_200, speed: 0))
      #expect(journey.deliveries.count == 1)
    }
  }

  // MARK: Restarts and storms

  @Test("20: an app that is not running is launched, and monitoring goes on by itself")
  func rearmed() throws {
    var journey = resting()
    journey.stage.app(.enteredBackground)
    journey.travel(.init(seconds: 1_200, speed: 0))
    #expect(journey.stage.engine.state(of: AppID(1)) == .notRunning)
    // One service is never restarted; the other one at rest, with the app gone, and on the way.
    var steady = journey
    try journey.restart()
    #expect(journey.stage.engine.triggers == steady.stage.engine.triggers)
    let before = journey.stage.log.count
    for _ in 0..<3 {
      journey.travel(.init(seconds: 400, speed: 10))
      steady.travel(.init(seconds: 400, speed: 10))
      try journey.restart()
    }
    let launches = journey.stage.log[before...].filter {
      if case .launch(AppID(1), _) = $0 { true } else { false }
    }
    #expect(!launches.isEmpty)
    // 500 m are covered at 1,850 s and reported within 30 s, then every 300 to 310 s until 3,000 s.
    #expect(journey.deliveries.count == 5)
    #expect((1_850...1_880).contains(journey.deliveries.dropFirst().first?.second ?? 0))
    #expect(journey.row == steady.row)
    #expect(journey.stage.log == steady.stage.log)
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

  @Test("21: under a storm of hints a drive is told of every 300 s, no more and no less")
  func noStorm() {
    for senses in Self.allSenses {
      var journey = Journey(senses: senses)
      for _ in 0..<200 {
        journey.stage.tell(.cellChanged())
        journey.stage.tell(.motionBegan)
        journey.travel(.init(seconds: 7, speed: 40), .init(seconds: 3, speed: 0))
      }
      // 280 m in every 10 s: only the 300 s count. Seven within 2,000 s, from 11 s on.
      let told = journey.row.map { $0 == "D" ? "D" : "-" }.joined()
      #expect(told == "D----D----D----D----D----D----D--", "\(senses)")
      for (delivery, next) in zip(journey.deliveries, journey.deliveries.dropFirst()) {
        #expect((300...310).contains(next.second - delivery.second), "\(senses)")
      }
    }
  }
}
