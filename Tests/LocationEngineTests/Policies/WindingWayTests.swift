// SPDX-License-Identifier: Apache-2.0

import LocationModel
import Testing

@testable import LocationEngine

@Suite("Forecasts for winding ways")
struct WindingWayTests {
  private let anchor = EngineInstant.zero

  @Test("The share of the way that led outwards, with 150 m of straight way believed in advance")
  func share() {
    var progress = OutwardProgress()
    #expect(progress.share == 1)
    progress.learn(remaining: 500, anchor: anchor, way: 50)
    #expect(progress.share == 1)
    // 400 m of way led 100 m outwards: (150 + 100) / (150 + 400).
    progress.learn(remaining: 400, anchor: anchor, way: 400)
    #expect(abs(progress.share - 0.45455) < 1e-4)
    // 100 m more led nowhere: 0.8 · 100 = 80 of 0.8 · 400 + 100 = 420: 230 / 570.
    progress.learn(remaining: 400, anchor: anchor, way: 100)
    #expect(abs(progress.share - 0.40351) < 1e-4)
  }

  @Test("A bend or two make no stroll: from a share of 0.6 on the way counts as straight")
  func bends() {
    var progress = OutwardProgress()
    progress.learn(remaining: 500, anchor: anchor, way: 50)
    // (150 + 200) / (150 + 400) = 0.64.
    progress.learn(remaining: 300, anchor: anchor, way: 400)
    #expect(progress.share == 1)
  }

  @Test("A new anchor begins a new leg; the share stays, and it is never below 0.4")
  func anchors() {
    var progress = OutwardProgress()
    progress.learn(remaining: 500, anchor: anchor, way: 0)
    progress.learn(remaining: 500, anchor: anchor, way: 500)
    // (150 + 0) / (150 + 500) = 0.23.
    #expect(progress.share == 0.4)
    progress.learn(remaining: 500, anchor: anchor.advanced(bySeconds: 600), way: 300)
    #expect(progress.share == 0.4)
  }

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
    // And when at last it goes on, it is told of in time: it was told at 14.3 m, so 514.3 m at 1.3 m/s.
    let begin = journey.second
    journey.travel(.init(seconds: 600, speed: 1.3))
    #expect(
      journey.deliveries.last.map { ($0.second - begin - 396).magnitude <= 30 } == true,
      "\(journey.deliveries)")
  }

  @Test("A jump waits for its confirmation with the receiver off")
  func confirmation() {
    var journey = Journey(senses: [.motion])
    journey.travel(.init(seconds: 900, speed: 0))
    let before = journey.secondsOn
    journey.stage.tell(.motionBegan)
    journey.travel(.init(seconds: 2_400, speed: 0, error: 5_000))
    #expect(journey.deliveries.count == 2)
    // An acquisition of 8 s and three fixes, and 60 s later another.
    #expect(journey.secondsOn - before <= 40)
  }
}
