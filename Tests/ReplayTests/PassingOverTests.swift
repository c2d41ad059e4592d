// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel
import RadioPower
import ServiceCore
import Testing

@testable import Replay

@Suite("Seconds are passed over, and nothing else changes")
struct PassingOverTests {
  /// A drive, a rest that pauses updates, a walk, and a gap before another drive.
  private let day =
    Drawn.trace([(300, 10), (900, 0), (600, 1.4)])
    + (2_400..<2_700).map { Drawn.fix(at: Double($0), east: 12_000 + 12 * Double($0), line: $0) }

  @Test(
    "A life is the same, second by second and passed over",
    arguments: ["phone-2021-lte", "pi-zero-ublox7"], 0..<8)
  func same(device name: String, row: Int) throws {
    let device = try #require(try ProfileLibrary.device(named: name))
    var options = ReplayOptions(
      device: device, network: try ProfileLibrary.network(named: device.network))
    // Now and then a report is missing.
    options.fixLoss = 0.02
    let plan = RunPlan.standardRows(for: device)[row]
    var comparison = Comparison(
      runs: [
        Run(plan, options: options, records: [.events, .verdicts]),
        // Nobody asks for more than sums: then seconds are passed over.
        Run(plan, options: options),
      ], options: options, summary: Drawn.summary(day), observed: nil)
    #expect(comparison.runs.map(\.onlySums) == [false, true])
    comparison.feed(day)
    let results = comparison.finishTrace().worlds[0]
    #expect(results[0].counters == results[1].counters)
    #expect(results[0].energy == results[1].energy)
    #expect(results[0].whereabouts == results[1].whereabouts)
    #expect(results[0].score == results[1].score)
    let services = comparison.runs.map(\.service)
    #expect(services[0].engine == services[1].engine)
    let outboxes = services.map { service in
      var outboxes: [[UInt64]] = []
      service.inspect { outboxes.append([$0.acknowledged, UInt64($0.pending)]) }
      return outboxes
    }
    #expect(outboxes[0] == outboxes[1])
  }
}
