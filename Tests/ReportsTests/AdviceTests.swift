// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel
import ServiceCore
import Testing

@testable import FixFormats
@testable import RadioPower
@testable import Replay
@testable import Reports

@Suite("The sentence that says which mode to consider")
struct AdviceTests {
  /// Joules and blind seconds of continuous, pausing and significant over an hour.
  private func sentence(
    _ runs: [(joules: Double, blind: Double)], device name: String = "phone-2021-lte",
    deliveries: Int = 7
  ) throws -> String {
    let device = try #require(try ProfileLibrary.device(named: name))
    let plans =
      RunPlan.standardRows(for: device).prefix(4) + [
        RunPlan(.significant, .pocket, policy: .usual(for: device))
      ]
    let padded = [(1.0, 3_500.0), (900.0, 0.0)] + runs.map { ($0.joules, $0.blind) }
    var counters = Counters()
    counters.deliveries = deliveries
    let results = zip(plans, padded).map { plan, figures in
      RunResult(
        plan: plan, counters: counters, energy: energy(figures.0),
        usage: EnergyMeter(device: device, network: nil).usage, waste: Waste(), receiverOn: 0,
        blindSeconds: figures.1, blindMetres: figures.1)
    }
    let trace = ComparedTrace(
      name: "a.gpx", format: .init(identifier: "gpx", name: "GPX"), truth: nil,
      summary: TraceSummary(), ledger: TraceLedger(unit: .points),
      result: ComparisonResult(
        runs: results, judged: 3_600, distance: 10_000, gapSeconds: 0, gaps: 0, jumpsRemoved: 0,
        lateOrDuplicate: 0))
    return Advice.sentence(for: trace, options: ReplayOptions(device: device, network: nil))
  }

  private func energy(_ joules: Double) -> EnergyReport {
    EnergyReport(
      components: [
        .init(
          component: "gnss", state: "track_good", seconds: 1,
          energy: EnergyRange(nominal: joules, low: joules, high: joules))
      ], baseline: [], seconds: 3_600)
  }

  @Test("Significant change where it was seldom blind, with the price of more")
  func coarse() throws {
    let text = try sentence([(900, 0), (300, 0), (10, 180)])
    #expect(
      text
        == "Consider significant change: it took 10 J above the baseline and was blind for 3 min of "
        + "60 min (5 %, 180 m of the way); an app that must know every metre of the way needs "
        + "continuous updates with automatic pausing, which took 300 J, 30 times as much, and made 7 "
        + "deliveries instead of 7.")
  }

  @Test("Both, and what decides, where significant change is far cheaper and often blind")
  func fine() throws {
    let text = try sentence([(900, 0), (300, 0), (10, 1_800)])
    #expect(
      text
        == "Consider significant change if the larger moves are enough for the app: with 7 deliveries "
        + "it took only 10 J, but it was blind for 30 min of 60 min (50 %, 1.8 km of the way); where "
        + "the way itself matters, consider continuous updates with automatic pausing, which took "
        + "300 J above the baseline, 30 times as much, and was never blind.")
  }

  @Test("The cheaper kind of continuous updates where significant change saves little")
  func littleSaved() throws {
    let text = try sentence([(900, 0), (300, 0), (200, 1_800)])
    #expect(
      text
        == "Consider continuous updates with automatic pausing: it took 300 J above the baseline and "
        + "was never blind; significant change saved little (200 J) and was blind for 30 min of "
        + "60 min (50 %, 1.8 km of the way).")
  }

  @Test("The least blind one where all were often blind")
  func lesser() throws {
    let text = try sentence([(900, 900), (300, 1_200), (10, 1_800)])
    #expect(
      text.hasPrefix("No mode knew all the way where it was on this trace; consider continuous "))
    #expect(text.contains("blind for 15 min of 60 min (25 %"))
  }

  @Test("The least blind one where all cost the same, and why they do")
  func equal() throws {
    let text = try sentence([(900, 60), (890, 120), (880, 240)], device: "pi-zero-ublox7")
    #expect(
      text.hasPrefix("Consider continuous updates: on this device all modes that go on in the "))
    #expect(text.contains("--vbus-off"))
  }

  @Test("No advice where nothing was delivered: knowing the place of the launch is no merit")
  func nothing() throws {
    #expect(
      try sentence([(900, 0), (300, 0), (10, 0)], deliveries: 0)
        == "No advice: no mode that goes on in the pocket delivered anything on this trace.")
  }

  @Test("A total adds up rows, and a battery share per day needs twenty hours")
  func totals() throws {
    let device = try #require(try ProfileLibrary.device(named: "phone-2021-lte"))
    let run = RunResult(
      plan: RunPlan(.continuous, .pocket), counters: Counters(), energy: energy(0.3),
      usage: EnergyMeter(device: device, network: nil).usage, waste: Waste(), receiverOn: 10,
      blindSeconds: 5, blindMetres: 7)
    let one = ComparedTrace(
      name: "a", format: .init(identifier: "gpx", name: "GPX"), truth: nil,
      summary: TraceSummary(), ledger: TraceLedger(unit: .points),
      result: ComparisonResult(
        runs: [run], judged: 36_000, distance: 1, gapSeconds: 0, gaps: 0, jumpsRemoved: 0,
        lateOrDuplicate: 0))
    #expect(ComparedTrace.perDay(1, judged: one.judged) == nil)
    let total = try #require(ComparedTrace(totalOf: [one, one]))
    #expect(total.totalOf == ["a", "a"])
    #expect(total.rows[0].energy.printedTotal.nominal == 0.6)
    #expect(total.rows[0].blindMetres == 14)
    // 72,000 s are 20 h; a day is 1.2 times as long.
    #expect(ComparedTrace.perDay(10, judged: total.judged) == 12)
    #expect(device.battery.nominal > 0)
  }
}
