// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationEngine
import LocationModel
import Testing

@Suite("The gate before the filters")
struct GateTests {
  private func updating() -> Stage {
    var stage = Stage()
    stage.launch()
    stage.app(.startUpdating(StandardRequest()))
    return stage
  }

  @Test("A repeated time is a duplicate and an older one late; neither moves the anchor")
  func order() {
    var stage = updating()
    let first = Stage.fix(metres: 0, at: .zero.advanced(bySeconds: 10))
    let older = Stage.fix(metres: 9, at: .zero.advanced(bySeconds: 9))
    #expect(stage.tell(.fix(first), at: 10).outcomes == [.delivered])
    #expect(stage.tell(.fix(first), at: 11).outcomes == [.duplicate])
    #expect(stage.tell(.fix(older), at: 12).outcomes == [.late])
  }

  @Test("A clock that stepped back for good is believed after ten fixes")
  func clockStep() {
    var stage = updating()
    stage.tell(.fix(Stage.fix(metres: 0, at: .zero.advanced(bySeconds: 1_000))), at: 1)
    var outcomes: [Verdict.Outcome] = []
    for second in 2...14 {
      let fix = Stage.fix(metres: 0, at: .zero.advanced(bySeconds: Double(second)))
      outcomes += stage.tell(.fix(fix), at: Double(second)).outcomes
    }
    #expect(outcomes == Array(repeating: .late, count: 10) + Array(repeating: .delivered, count: 3))
  }

  @Test("Accuracies and speeds that cannot be are invalid")
  func invalid() {
    var stage = updating()
    #expect(
      stage.tell(.fix(Stage.fix(metres: 0, at: .zero, accuracy: 0))).outcomes == [.invalid])
    #expect(
      stage.tell(.fix(Stage.fix(metres: 0, at: .zero, accuracy: -1))).outcomes == [.invalid])
    #expect(
      stage.tell(.fix(Stage.fix(metres: 0, at: .zero, speed: -1))).outcomes == [.invalid])
  }

  @Test("A jump of 2 km for some seconds is never delivered, and the way back is no jump")
  func jump() {
    var stage = updating()
    let fixes = "000kkk0000"
    let seen_ = "DDD---DDDD"
    #expect(stage.draw(fixes, every: 1) == seen_)
    #expect(stage.log.outcomes.filter { $0 == .jumpUnconfirmed }.count == 3)
  }

  @Test("Ten fixes that agree make a jump believed, and after few fixes more than those")
  func confirmedJump() {
    for (before, refused) in [(1, 2), (2, 2), (5, 5), (9, 9), (30, 9)] {
      var stage = updating()
      let fixes = String(repeating: "0", count: before) + String(repeating: "z", count: 40)
      let told =
        String(repeating: "D", count: before) + String(repeating: "-", count: refused)
        + String(repeating: "D", count: 40 - refused)
      #expect(stage.draw(fixes, every: 1) == told, "\(before)")
    }
  }

  @Test("Fixes that are rare are confirmed by a minute, as ever")
  func slowlyConfirmedJump() {
    var stage = updating()
    let fixes = String(repeating: "0", count: 12) + String(repeating: "z", count: 6)
    // Every 25 s: the fourth is 75 s after the first.
    #expect(stage.draw(fixes, every: 25) == String(repeating: "D", count: 12) + "---DDD")
  }

  @Test("The far end of a tunnel is reachable: 3 km after two minutes pass at once")
  func tunnel() {
    var stage = updating()
    #expect(stage.draw("0", every: 1) == "D")
    stage.pass(to: 120)
    #expect(stage.draw("u", every: 1) == "D")
  }

  @Test("An airliner is not a jump: 250 m/s, one fix a second")
  func airliner() {
    var stage = updating()
    for second in 0...30 {
      let now = EngineInstant.zero.advanced(bySeconds: Double(second))
      let fix = Stage.fix(metres: Double(second) * 250, at: now, speed: 250)
      #expect(stage.tell(.fix(fix), at: Double(second)).outcomes == [.delivered])
    }
  }

  @Test("Across the antimeridian nothing jumps")
  func antimeridian() {
    var stage = updating()
    for (second, longitude) in [179.9998, 179.9999, -180, -179.9999].enumerated() {
      let fix = Fix(
        time: Stage.epoch.advanced(bySeconds: Double(second)),
        coordinate: Coordinate(clampingLatitude: 0, wrappingLongitude: longitude),
        horizontalAccuracy: 5)
      #expect(stage.tell(.fix(fix), at: Double(second)).outcomes == [.delivered])
    }
  }

  @Test("A snapshot goes on exactly as the engine that it was taken of")
  func snapshot() {
    var stage = updating()
    _ = stage.draw("0123", every: 60)
    var copy = stage
    copy.engine = LocationEngine(restoring: stage.engine.snapshot)
    #expect(stage.draw("4-68", every: 60) == copy.draw("4-68", every: 60))
    #expect(stage.engine == copy.engine)
  }
}
