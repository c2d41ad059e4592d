// SPDX-License-Identifier: Apache-2.0

import RadioPower
import Testing

@testable import Replay

/// A year of fixes an hour apart costs what some weeks cost, and says so.
@Suite("How much of a trace with far-apart fixes is lived")
struct SparseDetailTests {
  private func lives(_ legs: [(seconds: Double, speed: Double)], every step: Double) throws
    -> ComparisonResult
  {
    let device = try #require(try ProfileLibrary.device(named: "phone-2021-lte"))
    let options = ReplayOptions(
      device: device, network: try ProfileLibrary.network(named: device.network))
    let plan = try #require(RunPlan.standardRows(for: device).first { $0.mode == .visits })
    let events = Drawn.trace(legs, every: step)
    var comparison = Comparison(
      [plan], options: options, summary: Drawn.summary(events), worlds: 20)
    comparison.feed(events)
    return comparison.finishTrace()
  }

  @Test("Of 365 days at 5 worlds, 3,500,000 s are one in 46; each has 23 legs of an hour")
  func year() throws {
    let hours = (0..<8_760).map { (seconds: 3_600.0, speed: $0.isMultiple(of: 2) ? 1.0 : -1.0) }
    let result = try lives(hours, every: 3_600)
    let detail = try #require(result.thinned)
    #expect(detail.worlds == 5 && detail.oneOf == 46 && detail.stretch == 86_400)
    #expect(result.worlds.count == 20 && result.worlds[5] == result.worlds[0])
    #expect(result.judged == 8 * 23 * 3_600)
    // What is left out is no gap of the recording.
    #expect(result.gaps == 0 && result.gapSeconds == 0)
  }

  @Test("A day of fixes a quarter of an hour apart is lived as a whole, in all worlds")
  func day() throws {
    let result = try lives([(86_400, 1)], every: 900)
    #expect(result.thinned == nil && result.judged == 86_400)
    #expect(result.worlds[5] != result.worlds[0])
  }
}
