// SPDX-License-Identifier: Apache-2.0

import LocationModel
import Testing

@testable import LocationEngine

// Each second of a walk with its hints costs unoptimised arithmetic on beliefs: walks of few seeds here, with each set
// of senses alike; the release build makes thousands of trips under Tools/check-filter and Tools/simulate.

@Suite("The policy milepost, whatever the walk")
struct MilepostPropertiesTests {
  private static let speeds = [0, 0, 0, 0.5, 1.3, 1.3, 5, 14, 14, 33, -1.3, -14]

  private func leg(_ dice: inout SplitMix64) -> Journey.Leg {
    .init(
      seconds: Int.random(in: 10...900, using: &dice),
      speed: Self.speeds.randomElement(using: &dice) ?? 0,
      hasSky: Int.random(in: 0..<10, using: &dice) > 0,
      error: Int.random(in: 0..<12, using: &dice) == 0
        ? 700 : Double.random(in: -10...10, using: &dice),
      accuracy: [5, 8, 20, nil].randomElement(using: &dice) ?? 5)
  }

  private static let senses: [Senses] = [[], .motion, .cells, [.motion, .cells]]

  @Test("Two deliveries lie 300 s and 500 m apart, by what the receiver said", arguments: 1...16)
  func neverTooClose(seed: UInt64) {
    var dice = SplitMix64(seed: seed)
    var journey = Journey(senses: Self.senses[Int(seed % 4)])
    for _ in 0..<30 { journey.travel(leg(&dice)) }
    let told = journey.stage.log.deliveries.filter { !$0.isCached }
    #expect(told.dropFirst().allSatisfy { ($0.moved ?? 0) >= 500 }, "seed \(seed)")
    #expect(told.dropFirst().allSatisfy { ($0.since ?? 0) >= 300 }, "seed \(seed)")
  }

  @Test("Its state is bounded: of a hundred cells at one place it keeps sixteen")
  func bounded() {
    var journey = Journey(senses: .cells)
    journey.travel(.init(seconds: 1_800, speed: 0))
    for number in 0..<100 {
      journey.stage.tell(.cellChanged(CellHint(rawValue: UInt64(number))))
      // The look that it may cause is over.
      journey.travel(.init(seconds: 300, speed: 0))
    }
    let heard = Mirror(reflecting: journey.stage.engine.policy.strategy).children.compactMap {
      $0.value as? HeardCells
    }
    let tables = heard.flatMap { Mirror(reflecting: $0).children }.compactMap {
      $0.value as? [CellHint]
    }
    #expect(tables.map(\.count) == [16])
  }

  @Test("A snapshot continues identically, taken at any time", arguments: 1...12)
  func snapshots(seed: UInt64) throws {
    var dice = SplitMix64(seed: seed)
    let legs = (0..<12).map { _ in leg(&dice) }
    var one = Journey(senses: Self.senses[Int(seed % 4)])
    var other = one
    for leg in legs {
      one.travel(leg)
      other.travel(leg)
      try other.restart()
    }
    #expect(one.stage.log == other.stage.log, "seed \(seed)")
    #expect(one.stage.engine == other.stage.engine, "seed \(seed)")
    #expect(one.row == other.row, "seed \(seed)")
  }

  @Test("The receiver is never on for long without a reason", arguments: 1...8)
  func receiverTime(seed: UInt64) {
    var dice = SplitMix64(seed: seed)
    var journey = Journey(senses: [.motion, .cells])
    for _ in 0..<30 {
      var next = leg(&dice)
      next.error = 0
      next.hasSky = true
      journey.travel(next)
    }
    let seconds = journey.stage.now.seconds
    #expect(Double(journey.secondsOn) < 0.2 * seconds, "seed \(seed)")
  }
}
