// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel
import RadioPower
import Testing

@testable import Replay

/// The usual apps over a drawn drive of 50 min. The differences between the eras are in the table of their rules.
@Suite("A trip in four eras: which rule made which difference")
struct EraComparisonTests {
  private static let result = Result<EraResult, any Error> {
    let trace = Drawn.trace([(100, 0), (2_900, 14)])
    let device = try #require(try ProfileLibrary.device(named: "phone-2021-lte"))
    let options = ReplayOptions(device: device, network: nil)
    var comparison = EraComparison(
      EraSubject.usual(over: 3_000, on: device, seed: 1), eras: Era.all, options: options,
      summary: Drawn.summary(trace), observed: nil)
    comparison.feed(trace)
    return comparison.finishTrace()
  }

  private func row(_ name: String) throws -> EraResult.Row {
    try #require(try Self.result.get().rows.first { $0.name == name })
  }

  /// The single rules that change the last era's outcome into another, by era.
  private func causes(_ row: EraResult.Row) -> [Int: Set<String>] {
    row.causes.reduce(into: [:]) { found, cause in
      guard cause.outcome != row.outcomes.last else { return }
      found[cause.era, default: []].insert(cause.field)
    }
  }

  @Test("Swiped away, an app is not launched again in ios7, and it is that rule")
  func forceQuit() throws {
    let row = try row("significant, swiped away")
    #expect(row.outcomes.map { $0.launches > 0 } == [true, false, true, true])
    #expect(row.outcomes[1].deliveries < row.outcomes[3].deliveries)
    #expect(try #require(causes(row)[1]).contains("relaunchesAfterForceQuit"))
    #expect(causes(row)[0]?.contains("relaunchesAfterForceQuit") != true)
  }

  @Test("Its ranges are those over the draws, as in a comparison, not of all numbers at their ends")
  func ranges() throws {
    let row = try row("significant")
    let last = try #require(row.ranges.last)
    #expect(last.nominal == row.outcomes.last?.energy)
    let trace = Drawn.trace([(100, 0), (2_900, 14)])
    let device = try #require(try ProfileLibrary.device(named: "phone-2021-lte"))
    var options = ReplayOptions(device: device, network: nil)
    options.rules.era = .today
    let subject = try #require(
      EraSubject.usual(over: 3_000, on: device, seed: 1).first { $0.name == "significant" })
    let run = Run(subject.scenario, tracking: subject.plan, options: options)
    var comparison = Comparison(
      run, options: options, summary: Drawn.summary(trace), observed: nil)
    comparison.feed(trace)
    let result = try #require(comparison.finishTrace().runs.first)
    let drawn = Uncertainty(of: [[result.usage]], device: device, network: nil, seed: options.seed)
      .energy(ofRun: 0)
    #expect((last.low, last.high) == (drawn.p5, drawn.p95))
    #expect(result.energy.total.low < last.low && last.high < result.energy.total.high)
  }

  @Test("An upload of 120 s ends its app where tasks have 30 s, and not in 600 and 180 s")
  func upload() throws {
    let row = try row("a long upload")
    #expect(row.outcomes.map(\.terminations) == [0, 0, 1, 1])
    #expect(causes(row) == [0: ["taskBudget"], 1: ["taskBudget"]])
  }

  @Test("With *when in use*, significant changes wake in the eras of one level only")
  func whenInUse() throws {
    let row = try row("significant, when in use")
    #expect(row.outcomes.map { $0.wakes > 0 } == [true, true, false, false])
    #expect(try #require(causes(row)[0]).contains("relaunchNeedsAlways"))
  }

  @Test("There is no fetch in ios4, and no keep-alive in the later two")
  func modes() throws {
    let feed = try row("a feed that fetches")
    #expect(feed.outcomes.map { $0.wakes + $0.launches > 0 } == [false, true, true, true])
    #expect(try #require(causes(feed)[0]).contains("hasFetch"))
    let call = try row("a call waits")
    #expect(call.outcomes.map { $0.wakes > 0 } == [true, true, false, false])
    #expect(causes(call)[1] == ["hasVoIP"])
  }

  @Test("What no rule is about is the same in all")
  func same() throws {
    for name in ["standard", "continuous"] {
      let row = try row(name)
      #expect(row.outcomes.allSatisfy { $0 == row.outcomes[0] }, "\(name)")
      #expect(causes(row).isEmpty, "\(name)")
    }
  }
}
