// SPDX-License-Identifier: Apache-2.0

import RadioPower
import ServiceSimulation
import Testing

/// Some dozens of seeds; CI runs ten thousand of the release build (`Tools/simulate`).
@Suite("The service, simulated")
struct SimulationTests {
  private static let device = Result {
    try ProfileLibrary.devices.first.flatMap { try ProfileLibrary.device(named: $0) }
  }

  private static func plan(
    _ seed: UInt64, _ faults: Set<FaultKind> = Set(FaultKind.allCases), days: Double = 0.02,
    muted: Set<FaultName> = []
  ) throws -> SimulationPlan {
    SimulationPlan(
      seed: seed, days: days, device: try #require(try device.get()), network: nil,
      faults: faults, muted: muted)
  }

  @Test("Without faults every rule holds", arguments: 1...20 as ClosedRange<UInt64>)
  func calm(_ seed: UInt64) throws {
    let result = try Self.plan(seed, []).run()
    #expect(result.violation == nil)
    #expect(result.injected.isEmpty)
  }

  @Test("Whatever strikes, every rule holds", arguments: 1...6 as ClosedRange<UInt64>)
  func faults(_ group: UInt64) throws {
    for seed in (group * 10)..<(group * 10 + 10) {
      let result = try Self.plan(seed).run()
      #expect(result.violation == nil, "Tools/simulate --seed \(seed) --days 0.02 --trace")
    }
  }

  @Test("A seed gives the same run every time, and another one another")
  func same() throws {
    let first = try Self.plan(7, days: 0.1).run()
    let second = try Self.plan(7, days: 0.1).run()
    let other = try Self.plan(8, days: 0.1).run()
    #expect(first.injected == second.injected)
    #expect((first.steps, first.deliveries) == (second.steps, second.deliveries))
    #expect(first.injected != other.injected)
  }

  @Test("A fault that is left out does not strike, and those before it do as before")
  func muted() throws {
    let all = try Self.plan(7, days: 0.1).run().injected
    let last = try #require(all.last)
    let rest = try Self.plan(7, days: 0.1, muted: [last]).run().injected
    #expect(!rest.contains(last))
    #expect(rest.prefix(all.count - 1).elementsEqual(all.dropLast()))
  }

  @Test("Every kind of fault strikes within a few seeds, and events are delivered")
  func kinds() throws {
    var struck: Set<FaultKind> = []
    var deliveries = 0
    for seed in 1...200 as ClosedRange<UInt64> {
      if struck.count == FaultKind.allCases.count, deliveries > 100 { break }
      let result = try Self.plan(seed, days: 0.1).run()
      struck.formUnion(result.injected.map(\.kind))
      deliveries += result.deliveries
    }
    #expect(struck == Set(FaultKind.allCases))
    #expect(deliveries > 100)
  }

  @Test("A fault's name is read back; anything else is none")
  func names() {
    #expect(FaultName("kill-before-commit#12") == FaultName(.killBeforeCommit, 12))
    for text in ["kill", "kill#0", "kill#-1", "kill#1#2", "#1", "killed#1", ""] {
      #expect(FaultName(text) == nil)
    }
  }
}
