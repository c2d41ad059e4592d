// SPDX-License-Identifier: Apache-2.0

import LocationModel
import Testing

@testable import RadioPower

/// The energy computed from a usage against the meter's record by record, in all three lanes.
struct EnergyUsageTests {
  private func metered(
    _ pair: (String, String), _ activities: [Activity]
  ) throws -> (meter: EnergyMeter, formula: EnergyFormula) {
    let profile = try device(pair.0)
    let network = try network(pair.1.isEmpty ? profile.network : pair.1)
    var meter = EnergyMeter(device: profile, network: network)
    for activity in activities { meter.record(activity) }
    meter.finish(at: try #require(activities.last).at)
    return (meter, EnergyFormula(device: profile, network: network))
  }

  /// The joules of the links above the baseline in one lane.
  private func links(_ meter: EnergyMeter, _ lane: Int) -> Double {
    [meter.cell, meter.wifi].filter { !$0.isEmpty }
      .reduce(0) { $0 + $1[lane].energy.dropFirst().reduce(0, +) } * 1e-9
  }

  private func worst(_ meter: EnergyMeter, _ formula: EnergyFormula) -> Double {
    let rest = meter.report().components.filter {
      $0.component != "cell" && ($0.component != "wifi" || $0.state == "scan")
    }
    return Lane.allCases.indices.map { lane in
      let expected = rest.reduce(links(meter, lane)) {
        $0 + [$1.energy.nominal, $1.energy.low, $1.energy.high][lane]
      }
      let values = formula.parameters.values(Lane.allCases[lane])
      return abs(formula.joules(meter.usage, values) / expected - 1)
    }.max() ?? 0
  }

  @Test(arguments: EnergyPropertiesTests.pairs)
  func `Random activity, with queues and cut ends, is met to 4 %`(_ pair: (String, String)) throws {
    for seed in 1...10 as ClosedRange<UInt64> {
      let (meter, formula) = try metered(pair, randomActivity(seed: seed))
      // LoRa takes hours for the requests of random activity: most of it is never sent.
      let isSwamped = meter.network?.name == "lora-sf12"
      #expect(worst(meter, formula) < (isSwamped ? 0.2 : 0.04))
    }
  }

  @Test(arguments: ProfileLibrary.networks)
  func `Regular uploads are met exactly, inside and outside of tails`(_ name: String) throws {
    for period in [3, 7, 11, 13, 16, 30, 60, 300, 3_600] {
      let log = packets(
        at: (1...40).map { Double($0 * period) }, end: Double(period * 41), upload: 40)
      let (meter, formula) = try metered(("phone-2021-lte", name), try activities(log))
      // The first follows nothing, so the second differs slightly from the later ones: in a tail that it would have
      // left, or the other way round. Of 40 that is less than 1 %.
      #expect(worst(meter, formula) < 0.01)
      if period > 30 { #expect(worst(meter, formula) < 1e-6) }
    }
  }

  @Test func `A link in its published example costs the same from its usage`() throws {
    // T5: two packets, the second 5 s after the first: 18.1418 J.
    let log = packets(at: [0, 5.2601], end: 100)
    let (meter, formula) = try metered(
      ("phone-2021-lte", "lte-2012-huang"), try activities(log))
    #expect(
      formula.joules(meter.usage, formula.parameters.values(.nominal)).isWithin(of: 18.1418))
  }

  @Test func `Lingering is worked out with its own duration`() throws {
    // T13 with the profile's numbers: 10 s on, 3 s off, 10 s on, off: (3 + 6) s × 17.5 mW of linger.
    let log = """
      {"at_s":0,"component":"gnss","state":"track"}
      {"at_s":10,"component":"gnss","state":"off"}
      {"at_s":13,"component":"gnss","state":"track"}
      {"at_s":23,"component":"gnss","state":"off"}
      {"at_s":100,"end":true}
      """
    let (meter, formula) = try metered(("phone-2010-3g", ""), try activities(log))
    #expect(
      formula.joules(meter.usage, formula.parameters.values(.nominal))
        .isWithin(1e-9, of: 20 * 0.26894 + 9 * 0.0175))
  }

  @Test func `Usages of several traces add up`() throws {
    var usages: [EnergyUsage] = []
    var joules = 0.0
    var last: EnergyFormula?
    for seed in 50...54 as ClosedRange<UInt64> {
      let (meter, formula) = try metered(("phone-2013-lte", ""), randomActivity(seed: seed))
      usages.append(meter.usage)
      joules += formula.joules(meter.usage, formula.parameters.values(.nominal))
      last = formula
    }
    let formula = try #require(last)
    let sum = total(of: usages, from: EnergyUsage()) { $0.walkSums(&$1) }
    // Cells of both are melted: their means differ a little.
    #expect(
      formula.joules(sum, formula.parameters.values(.nominal)).isWithin(0.02, of: joules))
  }

  @Test func `The size of a usage is bounded`() {
    var random = SplitMix64(seed: 3)
    var tally = TrafficTally()
    var now: Int64 = 0
    for _ in 0..<60_000 {
      // Gaps from a microsecond to a year, evenly by their logarithm.
      now += Int64.random(
        in: 1...(Int64(1) << Int64.random(in: 1...45, using: &random)), using: &random)
      tally.add(at: now, .init())
    }
    #expect(tally.cells.count > 4_000 && tally.cells.count < 8_192)
    #expect(tally.cells.reduce(0) { $0 + $1.count } == 59_999)
  }
}

extension ParameterList {
  /// The values of the meter in one lane.
  fileprivate func values(_ lane: Lane) -> [Double] { numbers.map { $0?.value[lane] ?? 0 } }
}
