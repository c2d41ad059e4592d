// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel
import Testing

@testable import LocationEngine

// The believed hints, and their cost: one character a minute, `D` a delivery, `o` the receiver was on, `.` it was off.

@Suite("Hints of the policy milepost")
struct MilepostHintTests {
  private func resting(_ senses: Senses, named: Bool = true) -> Journey {
    var journey = Journey(senses: senses)
    journey.namesCells = named
    journey.travel(.init(seconds: 1_800, speed: 0))
    return journey
  }

  /// An hour at rest between cells that change every 10 s.
  private func swing(_ journey: inout Journey, between cells: [CellHint?]) {
    for step in 0..<360 {
      journey.stage.tell(.cellChanged(cells[step % cells.count]))
      journey.travel(.init(seconds: 10, speed: 0))
    }
  }

  @Test("21: swinging between known cells costs one look for each of them and then nothing")
  func pingPong() {
    var quiet = resting(.cells)
    quiet.travel(.init(seconds: 3_600, speed: 0))
    for count in 2...4 {
      var journey = resting(.cells)
      swing(&journey, between: (0..<count).map { CellHint(rawValue: UInt64($0)) })
      #expect(journey.deliveries.count == 1)
      #expect(journey.sessions <= quiet.sessions + count, "\(count) cells: \(journey.row)")
      // Known facts stay known.
      let before = journey.sessions
      swing(&journey, between: (0..<count).map { CellHint(rawValue: UInt64($0)) })
      #expect(journey.sessions - before <= 5, "\(count) cells: \(journey.row)")
    }
  }

  @Test(
    "Cells without names count as one: nobody can tell whether they are new, and none brings more looks"
  )
  func unnamed() {
    var (deaf, unnamed) = (resting([]), resting(.cells, named: false))
    deaf.travel(.init(seconds: 3_600, speed: 0))
    swing(&unnamed, between: [nil])
    // The first one may be news.
    #expect(unnamed.sessions <= deaf.sessions + 1)
  }

  @Test("A cell that was never heard here is believed at once, also after hours of swinging")
  func newCell() {
    var journey = resting(.cells)
    swing(&journey, between: [Journey.cell(0), CellHint(rawValue: 7)])
    journey.travel(.init(seconds: 300, speed: 15))
    // The first border is 600 m off, 40 s after setting off; then the receiver needs 8 s.
    let departure = 1_800 + 3_600
    #expect(journey.deliveries.count == 2)
    #expect(
      journey.deliveries.last.map { (departure + 40...departure + 60).contains($0.second) }
        == true, "\(journey.deliveries)")
  }

  @Test("A slow receiver that tells 100 m/s too much once is not kept on for minutes")
  func wrongSpeed() {
    let slow = MilepostPolicy(senses: .motion, memory: AcquisitionMemory(hot: 25, timeout: 120))
    var journey = Journey(senses: .motion, policy: SignificantPolicy(slow))
    journey.acquisition = 25
    journey.travel(.init(seconds: 1_800, speed: 0))
    let before = journey.secondsOn
    journey.travel(
      .init(seconds: 75, speed: 1.2, speedError: 100),
      .init(seconds: 900, speed: 0, speedError: 0.7))
    #expect(journey.deliveries.count == 1)
    // The walk and 90 s of watching.
    #expect(journey.secondsOn - before <= 165, "\(journey.row)")
  }

  @Test("Single stirs at rest cost half a look each at most; movement that goes on does")
  func stir() {
    var journey = resting([.motion])
    var still = journey
    still.travel(.init(seconds: 600, speed: 0))
    for _ in 0..<6 {
      journey.stage.tell(.motionBegan)
      journey.travel(.init(seconds: 100, speed: 0))
    }
    // Six of them bring three looks at most.
    #expect(journey.sessions <= still.sessions + 3, "\(journey.row)")
    let before = journey.sessions
    // Two windows in a row are more than a stir.
    journey.stage.tell(.motionBegan)
    journey.travel(.init(seconds: 15, speed: 0))
    journey.stage.tell(.motionBegan)
    journey.travel(.init(seconds: 60, speed: 0))
    #expect(journey.sessions == before + 1, "\(journey.row)")
  }

  @Test(
    "A hint of more windows than a day has costs no more than a day of them",
    .timeLimit(.minutes(10)))
  func endlessWindows() {
    var (day, endless) = (resting([.motion]), resting([.motion]))
    day.stage.tell(.motionFelt(windows: 8_640))
    endless.stage.tell(.motionFelt(windows: .max))
    day.travel(.init(seconds: 600, speed: 0))
    endless.travel(.init(seconds: 600, speed: 0))
    #expect(endless.row == day.row)
  }

  @Test("Who paces about at one place is soon left alone")
  func pacing() {
    var journey = resting([.motion])
    let before = journey.sessions
    // Two hours of some steps each minute.
    for _ in 0..<120 {
      journey.stage.tell(.motionBegan)
      journey.travel(.init(seconds: 15, speed: 0))
      journey.stage.tell(.motionBegan)
      journey.travel(.init(seconds: 45, speed: 0))
    }
    // One in six minutes at most.
    #expect((1...20).contains(journey.sessions - before), "\(journey.sessions - before)")
  }

  @Test("Waiting for its second event does not make a departure late", arguments: [9.0, 14])
  func departure(speed: Double) {
    var journey = resting([.motion, .cells])
    journey.travel(.init(seconds: 240, speed: speed))
    let crossing = 1_800 + Int(500 / speed)
    #expect(
      journey.deliveries.last.map { (crossing...crossing + 20).contains($0.second) } == true,
      "\(journey.deliveries)")
  }

  @Test("Known limit: a walker whom the sensor ought to feel and does not is not told of in time")
  func unfelt() {
    for senses in [[.motion], [.motion, .cells]] as [Senses] {
      // 0.8 m/s are 12 m in a window: not felt here, although the profile promises it.
      var journey = Journey(senses: senses)
      journey.travel(.init(seconds: 4_500, speed: 0.8))
      withKnownIssue(
        "a sensor that feels less than its profile says is found out late, or not at all"
      ) {
        #expect(journey.deliveries.count >= 5, "\(senses): \(journey.row)")
      }
      // 500 m at 0.8 m/s are 625 s.
      let gaps = zip(journey.deliveries.dropFirst(2), journey.deliveries.dropFirst(3)).map {
        $1.second - $0.second
      }
      #expect(gaps.allSatisfy { $0 <= 625 + 30 + 20 }, "\(senses): \(gaps)")
    }
  }

  @Test("Known limit: who creeps unfelt after a walk is not always told of in time")
  func creeper() {
    var journey = Journey(senses: [.motion])
    // Five minutes at 1.3 m/s, which is felt, and a quarter of an hour at 0.3 m/s; four hours.
    for _ in 0..<12 {
      journey.travel(.init(seconds: 300, speed: 1.3), .init(seconds: 900, speed: 0.3))
    }
    let places = journey.deliveries.map(\.metres)
    let ways = zip(places.dropFirst(2), places.dropFirst(3)).map { $1 - $0 }
    // A walk that begins beside the border is felt a window later, 20 m on.
    withKnownIssue(
      "a sensor that feels less than its profile says is found out late, or not at all"
    ) {
      #expect(ways.count >= 12 && ways.allSatisfy { $0 <= 525 }, "\(ways)")
    }
    #expect(journey.sessions <= 70, "\(journey.row)")
  }

  @Test("Who walked unfelt and comes under a roof is not searched for every minute")
  func roof() {
    var journey = Journey(senses: [.motion, .cells])
    journey.travel(.init(seconds: 3_600, speed: 0.8))
    let before = journey.sessions
    journey.travel(.init(seconds: 7_200, speed: 0, hasSky: false))
    // 300 s × √(age / 300 s): 300, 600, 1,024, 1,578, 2,266, 3,090, 4,053, 5,155 and 6,398 s after it came.
    #expect(journey.sessions - before <= 9, "\(journey.row)")
    // In the open, through a night of 8 h, the sensor is trusted again: at half an hour without it were 16.
    let night = journey.sessions
    journey.travel(.init(seconds: 28_800, speed: 0))
    #expect(journey.sessions - night < 16, "\(journey.row)")
  }
}
