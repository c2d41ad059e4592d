// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationEngine
import LocationModel
import Testing

@testable import RadioPower
@testable import Replay
@testable import Reports

/// Modes of invented energies and errors: which of those that cost the same, within a tenth, an answer names.
@Suite("Of equals none is named that another one dominates")
struct DominanceTests {
  private static let frame = LocalFrame(
    origin: Coordinate(clampingLatitude: 48, wrappingLongitude: 11))

  /// A life of 1,000 s and as many metres of way in which the known position was always so many metres off.
  private func world(_ plan: RunPlan, joules: Double, off metres: Double) -> RunResult {
    var known = Whereabouts(blindDistance: 500)
    known.pass(to: Self.frame, at: .zero, elapsed: 0, travelled: 0)
    known.learned(Self.frame.point(east: metres, north: 0), at: .zero)
    known.pass(
      to: Self.frame, at: EngineInstant.zero.advanced(bySeconds: 1_000), elapsed: 1_000,
      travelled: 1_000)
    var counters = Counters()
    counters.learned = 10
    // Else modes with the same errors would count as one.
    counters.deliveries = Int(joules * 1_000)
    let row = EnergyReport.Row(
      component: "gnss", state: "track_good", seconds: 1_000,
      energy: EnergyRange(nominal: joules, low: joules, high: joules))
    return RunSums(
      counters: counters, energy: EnergyReport(components: [row], baseline: [], seconds: 1_000),
      usage: EnergyUsage(), waste: Waste(), receiverOn: 1_000, whereabouts: known, score: Score()
    ).run(plan)
  }

  /// The name of the answer to "the way within 100 m" among continuous updates and updates that pause, in this
  /// order, and how certain it is; of both energy and error, in each of 20 worlds.
  private func named(
    _ first: (joules: Double, off: Double), _ second: (joules: Double, off: Double)
  ) throws -> (name: String, certainty: Answer.Certainty) {
    let device = try #require(try ProfileLibrary.device(named: "phone-2021-lte"))
    let plans = [
      RunPlan(.continuous, .pocket), RunPlan(.continuous, .pocket, pausesAutomatically: true),
    ]
    let rows = zip(plans, [first, second]).map { plan, figures in
      ModeRow((0..<20).map { _ in world(plan, joules: figures.joules, off: figures.off) })
    }
    let answers = Answers(
      rows, device: device, lived: nil, budget: nil,
      Uncertainty(
        of: rows.map { $0.worlds.map(\.usage) }, device: device, network: nil, seed: 1, draws: 1))
    var silence = Whereabouts(blindDistance: 500)
    silence.pass(to: Self.frame, at: .zero, elapsed: 0, travelled: 0)
    silence.pass(
      to: Self.frame, at: EngineInstant.zero.advanced(bySeconds: 1_000), elapsed: 1_000,
      travelled: 1_000)
    let answer = try #require(answers.answer(within: .usual(.track), silence: silence))
    return (rows[answer.row].name, answer.certainty)
  }

  @Test("One that costs 7 % less and is as exact is named, though it stands behind")
  func dominated() throws {
    let answer = try named((10.7, 35), (10.0, 35))
    #expect(answer.name == "continuous, pauses" && answer.certainty == .sure)
    // As exact by what is printed: 35 m.
    #expect(try named((10.7, 34.8), (10.0, 35.2)).name == "continuous, pauses")
    #expect(try named((10.7, 35), (10.0, 20)).name == "continuous, pauses")
  }

  @Test("One that is better, or costs less than 5 % more, keeps its place")
  func equals() throws {
    #expect(try named((10.7, 30), (10.0, 35)).name == "continuous")
    #expect(try named((10.49, 35), (10.0, 35)).name == "continuous")
    let answer = try named((10.0, 35), (10.7, 35))
    #expect(answer.name == "continuous" && answer.certainty == .sure)
    // Nothing dominates where a profile has no joules.
    #expect(try named((0, 35), (0, 35)).name == "continuous")
    // More than a tenth dearer it was never an equal.
    #expect(try named((11.5, 30), (10.0, 35)).name == "continuous, pauses")
  }
}
