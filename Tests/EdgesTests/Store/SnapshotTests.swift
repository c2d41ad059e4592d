// SPDX-License-Identifier: Apache-2.0

import Foundation
import Geodesy
import LocationEngine
import LocationModel
import ServiceContract
import StateStore
import Testing

/// A seeded life of an engine: apps come and go, the device walks, drives and rests.
private struct Life {
  var generator: SplitMix64
  var now = EngineInstant.zero
  private var east = 0.0
  private var north = 0.0
  private var speed = 0.0
  private let frame = LocalFrame(
    origin: Coordinate(clampingLatitude: 55, wrappingLongitude: 12))

  init(seed: UInt64) { generator = SplitMix64(seed: seed) }

  private mutating func roll(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &generator) }

  mutating func next(due: EngineInstant?) -> EngineInput {
    let seconds = [0.0, 1, 1, 1, 5, 30, 200][roll(7)]
    now = now.advanced(bySeconds: seconds + Double(roll(1_000)) / 1_000)
    if let due, due < now, roll(3) > 0 {
      now = due
      return .timePassed
    }
    if roll(40) == 0 { speed = [0, 0, 1.4, 14, 30][roll(5)] }
    east += speed * seconds
    north += Double(roll(11)) - 5
    switch roll(20) {
    case 0..<9: return .fix(fix(.gnss))
    case 9..<12: return .networkFix(fix(.network))
    case 12, 13: return .networkPositionFailed
    case 14: return .cellChanged(CellHint(rawValue: UInt64(roll(3))))
    case 15: return .motionBegan
    default: return .app(AppID(UInt32(roll(4))), appInput())
    }
  }

  private mutating func fix(_ source: Fix.Source) -> Fix {
    let jump = roll(50) == 0 ? 5_000.0 : 0
    return Fix(
      time: roll(20) == 0
        ? nil
        : UTCInstant(microseconds: 1_700_000_000_000_000 + now.microseconds)
          .advanced(bySeconds: roll(30) == 0 ? -10 : 0),
      coordinate: frame.point(east: east + jump, north: north),
      horizontalAccuracy: roll(9) == 0 ? nil : source == .gnss ? 5 + Double(roll(60)) : 300,
      speed: roll(3) == 0 ? nil : speed, source: source)
  }

  private mutating func appInput() -> AppInput {
    switch roll(24) {
    case 0..<4:
      var declaration = AppDeclaration()
      declaration.declaresLocationMode = roll(2) == 0
      declaration.exitsOnSuspend = roll(4) == 0
      return .registered(declaration)
    case 4..<8: return .life(.launched)
    case 8: return .life(.enteredBackground)
    case 9: return .life(.enteredForeground)
    case 10: return .life(.resignedActive)
    case 11: return .life(.becameActive)
    case 12: return .life(.finishedWork)
    case 13:
      return .life([.purged, .terminated, .forceQuit, .exited][roll(4)])
    case 14: return roll(4) == 0 ? .removed : .authorized([.always, .whenInUse, .denied][roll(3)])
    case 15, 16:
      var request = StandardRequest()
      request.distanceFilter = [nil, 50, .infinity][roll(3)]
      request.pausesAutomatically = roll(2) == 0
      return .startUpdating(request)
    case 17: return .stopUpdating
    case 18: return .requestLocation()
    case 19: return .startMonitoringMotion
    case 20: return .stopMonitoringMotion
    case 21: return .stopMonitoringSignificantChanges
    default: return .startMonitoringSignificantChanges
    }
  }
}

@Suite("Snapshots of the engine")
struct SnapshotTests {
  private static let policies = [Senses(), [.motion, .cells]].flatMap { senses in
    PolicyKind.all.compactMap {
      PolicySettings(name: $0.name, senses: senses, seed: .max, timeout: 120, hotStart: 8).policy
    }
  }

  @Test(
    "An engine that was written and read decides as the one that was not, at any point of its life",
    arguments: policies.indices, [Era.ios4, .today])
  func restored(policy: Int, era: Era) throws {
    var rules = EngineRules()
    rules.era = era
    var life = Life(seed: 7 + UInt64(policy))
    var engine = LocationEngine(rules: rules, policy: Self.policies[policy])
    var restored = engine
    var deliveries = 0
    for step in 0..<2_200 {
      let input = life.next(due: engine.nextDeadline)
      var commands: [EngineCommand] = []
      var again: [EngineCommand] = []
      engine.handle(input, at: life.now, into: &commands)
      restored.handle(input, at: life.now, into: &again)
      try #require(commands == again, "step \(step) of policy \(policy)")
      for case .deliver in commands { deliveries += 1 }
      guard step % 19 == 0 else { continue }
      let snapshot = engine.snapshot
      let back = try SnapshotForm.engine(SnapshotForm.encoded(snapshot))
      try #require(back == snapshot, "step \(step) of policy \(policy)")
      restored = LocationEngine(restoring: back)
    }
    #expect(restored == engine)
    #expect(restored.nextDeadline == engine.nextDeadline)
    // A life without events would prove nothing.
    #expect(deliveries > 50)
  }

  @Test("Infinite settings survive; a place that cannot be does not")
  func oddValues() throws {
    var rules = EngineRules()
    rules.significantDistance = .infinity
    rules.lifecycle.purgesAfter = -.infinity
    rules.coarsestAccuracy = .leastNonzeroMagnitude
    rules.stillRadius = 0.1 + 0.2
    let engine = LocationEngine(rules: rules, policy: .ios)
    let data = try SnapshotForm.encoded(engine.snapshot)
    #expect(try SnapshotForm.engine(data) == engine.snapshot)
    let far = Data(#"{"latitude":91,"longitude":0}"#.utf8)
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(Coordinate.self, from: far) }
  }
}
