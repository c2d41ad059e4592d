// SPDX-License-Identifier: Apache-2.0

import LocationModel
import Testing

@testable import LocationEngine

@Suite("Forecasts for winding ways")
struct WindingWayTests {
  @Test("Who strolls to and fro below 500 m is looked for no more often than who may go straight")
  func stroll() {
    var journey = Journey(senses: [.motion])
    // 390 m out, 390 m back, for two hours; straight on the crossing would be 360 s away each time.
    for _ in 0..<12 {
      journey.travel(.init(seconds: 300, speed: 1.3), .init(seconds: 300, speed: -1.3))
    }
    #expect(journey.deliveries.count == 1)
    // Straight-on forecasts from each d, with the same caution (python3): 33. The sensor's first hint, 1.
    #expect(journey.sessions <= 34, "\(journey.row)")
    // When it finally goes on, it is reported in time: the last delivery was at 14.3 m, so 514.3 m at 1.3 m/s.
    // A tenth of the distance is as dear as a look: 50 m, 38 s.
    let begin = journey.second
    journey.travel(.init(seconds: 600, speed: 1.3))
    #expect(
      journey.deliveries.last.map { ($0.second - begin - 396).magnitude <= 38 } == true,
      "\(journey.deliveries)")
  }

  @Test("A jump waits for its confirmation with the receiver off")
  func confirmation() {
    var journey = Journey(senses: [.motion])
    journey.travel(.init(seconds: 900, speed: 0))
    let before = journey.secondsOn
    journey.stage.tell(.motionBegan)
    journey.travel(.init(seconds: 15, speed: 0))
    journey.stage.tell(.motionBegan)
    journey.travel(.init(seconds: 2_400, speed: 0, error: 5_000))
    #expect(journey.deliveries.count == 2)
    // An acquisition of 8 s and three fixes, and 60 s later another.
    #expect(journey.secondsOn - before <= 40)
  }
}
