// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import LocationEngine
import LocationModel
import RadioPower
import Scenarios
import ServiceContract
import ServiceCore
import Synchronization
import Testing

@testable import Replay

/// The program of a built-in row, which counts its received locations.
private struct CountingApp: VirtualProgram {
  var app: ScriptedApp
  let onlyAcknowledges: Bool
  let heard: Count

  final class Count: Sendable {
    let locations = Mutex(0)
  }

  var nextDeadline: EngineInstant? { app.nextDeadline }
  mutating func begin(_ reason: WakeReason?, at now: ServiceTime) { app.begin(reason, at: now) }
  mutating func hear(_ message: ServerMessage, at now: ServiceTime, into acts: inout [ProgramAct]) {
    if case .location = message { heard.locations.withLock { $0 += 1 } }
    app.hear(message, at: now, into: &acts)
  }
  mutating func pass(to now: ServiceTime) -> [ProgramAct] { app.pass(to: now) }
  mutating func end() { app.end() }
}

private final class Nobody: RunObserver {
  func saw(_ command: EngineCommand, at time: UTCInstant) {}
}

@Suite("Who would only acknowledge a location is not told of it, and nothing else changes")
struct SparedTellingTests {
  /// A drive, a rest that pauses updates, a walk, and a gap before another drive.
  private let day =
    Drawn.trace([(300, 10), (900, 0), (600, 1.4)])
    + (2_400..<2_700).map { Drawn.fix(at: Double($0), east: 12_000 + 12 * Double($0), line: $0) }

  private func run(
    _ plan: RunPlan, spared: Bool, _ heard: CountingApp.Count, _ options: ReplayOptions
  ) -> Run {
    var declaration = AppDeclaration()
    declaration.declaresLocationMode = plan.service == .continuous
    let name = RunPlan.soleApp
    let app = ScriptedApp(plan, workTime: options.scenario.workTime)
    return Run(
      plan,
      running: CountingApp(
        app: app, onlyAcknowledges: spared && app.onlyAcknowledges, heard: heard),
      declaring: declaration,
      acts: plan.scenario == .pocket ? [UserAct(.background(name), after: 60)] : [],
      options: options, records: [.events, .verdicts], answer: nil, expecting: 0,
      observer: Nobody())
  }

  @Test(
    "A life is the same, told or spared, and with its seconds passed over",
    arguments: ["phone-2021-lte", "pi-zero-ublox7"], 0..<8)
  func same(device name: String, row: Int) throws {
    let device = try #require(try ProfileLibrary.device(named: name))
    var options = ReplayOptions(
      device: device, network: try ProfileLibrary.network(named: device.network))
    // Now and then a report is missing.
    options.fixLoss = 0.02
    let plan = RunPlan.standardRows(for: device)[row]
    let (told, spared) = (CountingApp.Count(), CountingApp.Count())
    var comparison = Comparison(
      runs: [
        run(plan, spared: false, told, options), run(plan, spared: true, spared, options),
        // Nobody asks for more than sums: then seconds are passed over.
        Run(plan, options: options),
      ], options: options, summary: Drawn.summary(day), observed: nil)
    #expect(comparison.runs.map(\.onlySums) == [false, false, true])
    comparison.feed(day)
    let results = comparison.finish().worlds[0]
    for other in results[1...] {
      #expect(results[0].counters == other.counters)
      #expect(results[0].energy == other.energy)
      #expect(results[0].whereabouts == other.whereabouts)
      #expect(results[0].score == other.score)
    }
    #expect(comparison.drainEvents(ofRun: 0) == comparison.drainEvents(ofRun: 1))
    let services = comparison.runs.map(\.service)
    #expect(services[0].engine == services[1].engine)
    #expect(services[0].engine == services[2].engine)
    let outboxes = services.map { service in
      var outboxes: [[UInt64]] = []
      service.inspect { outboxes.append([$0.acknowledged, UInt64($0.pending)]) }
      return outboxes
    }
    #expect(outboxes[0] == outboxes[1])
    #expect(outboxes[0] == outboxes[2])
    guard plan.watch == .changes else { return }
    // The first of each launch is delivered: it comes with a line in the log.
    let counts = (told.locations.withLock { $0 }, spared.locations.withLock { $0 })
    #expect(counts.0 >= results[0].counters.deliveries - 1)
    if counts.0 > 100 { #expect(counts.1 < 20) }
  }
}
