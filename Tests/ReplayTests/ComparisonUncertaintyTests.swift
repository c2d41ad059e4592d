// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import RadioPower
import Testing

@testable import Replay

@Suite("How sure a comparison is")
struct ComparisonUncertaintyTests {
  private func compared(
    _ policy: UploadPolicy, device name: String = "phone-2021-lte"
  ) throws -> (ComparisonResult, ReplayOptions) {
    var options = try #require(try ReplayOptions.ofParts(name))
    options.uploads = policy
    let trace = Drawn.trace([(600, 0), (1_800, 12), (600, 0), (1_800, 5)])
    var comparison = Comparison(
      RunPlan.standardRows(for: options.device), options: options, summary: Drawn.summary(trace))
    comparison.feed(trace)
    return (comparison.finishTrace(), options)
  }

  @Test(
    "Every run's spread lies within the range in which all numbers are low or high together",
    arguments: [
      UploadPolicy.none, .each, .everySeconds(300), .everyCount(7), .piggyback(maxDelay: 60),
    ])
  func within(_ policy: UploadPolicy) throws {
    for name in ["phone-2021-lte", "phone-2010-3g", "pi-zero-ublox7"] {
      let (result, options) = try compared(policy, device: name)
      let uncertainty = result.uncertainty(options, draws: 200)
      for (index, run) in result.runs.enumerated() {
        let spread = uncertainty.energy(ofRun: index)
        let total = run.energy.total
        #expect(total.low < spread.p5 && spread.p5 < spread.p50, "\(name) \(run.plan)")
        #expect(spread.p50 < spread.p95 && spread.p95 < total.high, "\(name) \(run.plan)")
      }
    }
  }

  @Test("Standard in the foreground to continuous in the pocket: the same work, a ratio of 1")
  func sameWork() throws {
    let (result, options) = try compared(.each)
    let ratio = try #require(result.uncertainty(options).ratio(ofRun: 1, to: 2))
    #expect(ratio.p5 == 1 && ratio.p95 == 1)
  }

  @Test("Uploads make the gap to significant change depend on the network's tail")
  func drivers() throws {
    let (result, options) = try compared(.each)
    let uploading = result.uncertainty(options).drivers(ofRun: 4).map(\.number.key.description)
    #expect(uploading.contains("cell,tail,power"))
    let (silent, same) = try compared(.none)
    let quiet = silent.uncertainty(same).drivers(ofRun: 4).map(\.number.key.description)
    #expect(!quiet.contains { $0.hasPrefix("cell,") } && !quiet.isEmpty)
  }

  @Test("What is wasted is part of the energy, and each upload has its tail")
  func waste() throws {
    let (result, _) = try compared(.each)
    for run in result.runs {
      #expect(run.waste.total.nominal < run.energy.total.nominal)
      #expect(run.waste.tails.count == run.counters.uploads)
      // A policy that switches a receiver on to decide on a delivery may find that none is needed.
      #expect(run.waste.unheardSessions.count == 0 || run.plan.policy?.name == "milepost")
    }
    // 0.178 W of tail for each, 10.2 s if nothing comes in between.
    let significant = try #require(result.runs.first { $0.plan.mode == .significant })
    let tails = significant.waste.tails
    #expect(abs(tails.seconds / Double(significant.counters.uploads) - 10.2) < 0.6)
    #expect(abs(tails.energy.nominal / tails.seconds - 0.178) < 1e-9)
  }
}

extension ComparisonResult {
  /// The uncertainty of the runs' energies and their ratios, with draws common to all runs; the runs
  /// are numbered as in `runs`. `options` are those of the comparison.
  fileprivate func uncertainty(
    _ options: ReplayOptions, draws: Int = Uncertainty.usualDraws
  ) -> Uncertainty {
    Uncertainty(
      of: runs.map { [$0.usage] }, device: options.device, network: options.network,
      seed: options.seed, draws: draws)
  }
}
