// SPDX-License-Identifier: Apache-2.0

import LocationModel
import Testing

@testable import RadioPower

/// The energy computed from a usage against the meter's record by record, in all three lanes.
struct EnergyUsageTests {
  private func metered(
    _ pair: (String, String), _ activities: [Activity]
  ) throws -> EnergyMeter {
    let profile = try device(pair.0)
    let network = try network(pair.1.isEmpty ? profile.network : pair.1)
    var meter = EnergyMeter(device: profile, network: network)
    for activity in activities { meter.record(activity) }
    meter.finish(at: try #require(activities.last).at)
    return meter
  }

  private func worst(_ meter: EnergyMeter) -> Double {
    let formula = meter.formula
    return Lane.allCases.map { lane in
      let numbers = formula.parameters.values(of: lane)
      let expected = formula.joules(meter.usage(in: lane), numbers)
      return abs(joules(meter.usage, formula, lane) / expected - 1)
    }.max() ?? 0
  }

  private func joules(_ usage: EnergyUsage, _ formula: EnergyFormula, _ lane: Lane) -> Double {
    let numbers = formula.parameters.values(of: lane)
    return formula.joules(formula.adapted(usage, to: numbers), numbers)
  }

  @Test(arguments: EnergyPropertiesTests.pairs)
  func `Random activity, with queues and cut ends, is met to 4 %`(_ pair: (String, String)) throws {
    for seed in 1...10 as ClosedRange<UInt64> {
      let meter = try metered(pair, randomActivity(seed: seed))
      #expect(worst(meter) < 0.04)
    }
  }

  @Test(arguments: ProfileLibrary.networks)
  func `Regular uploads are met exactly, inside and outside of tails`(_ name: String) throws {
    for period in [3, 7, 11, 13, 16, 30, 60, 300, 3_600] {
      let log = packets(
        at: (1...40).map { Double($0 * period) }, end: Double(period * 41), upload: 40)
      let meter = try metered(("phone-2021-lte", name), try activities(log))
      // The first follows nothing, so the second differs slightly from the later ones: in a tail that it would have
      // left, or the other way round. Of 40 that is less than 1 %.
      #expect(worst(meter) < 0.01)
      if period > 30 { #expect(worst(meter) < 1e-6) }
    }
  }

  @Test func `A link in its published example costs the same from its usage`() throws {
    // T5: two packets, the second 5 s after the first: 18.1418 J.
    let log = packets(at: [0, 5.2601], end: 100)
    let meter = try metered(
      ("phone-2021-lte", "lte-2012-huang"), try activities(log))
    #expect(joules(meter.usage, meter.formula, .nominal).isWithin(of: 18.1418))
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
    let meter = try metered(("phone-2010-3g", ""), try activities(log))
    #expect(
      joules(meter.usage, meter.formula, .nominal).isWithin(1e-9, of: 20 * 0.26894 + 9 * 0.0175))
  }

  @Test func `Usages of several traces add up`() throws {
    let meters = try (50...54 as ClosedRange<UInt64>).map {
      try metered(("phone-2013-lte", ""), randomActivity(seed: $0))
    }
    let sum = total(of: meters.map(\.usage), from: EnergyUsage()) { $0.walkSums(&$1) }
    for lane in Lane.allCases {
      let apart = meters.reduce(0) { $0 + joules($1.usage, $1.formula, lane) }
      // Gaps of both are melted: their means differ a little.
      #expect(joules(sum, meters[0].formula, lane).isWithin(0.02, of: apart))
    }
  }

  @Test func `The size of a usage is bounded`() {
    var random = SplitMix64(seed: 3)
    var tally = SpanTally()
    for _ in 0..<60_000 {
      // Gaps from a microsecond to a year, evenly by their logarithm.
      let span = Int64.random(
        in: 1...(Int64(1) << Int64.random(in: 1...45, using: &random)), using: &random)
      tally.add(span: span, kind: Int.random(in: 0...9, using: &random), events: 1)
    }
    #expect(tally.bins.count > 1_000 && tally.bins.count < 2_560)
    #expect(tally.bins.reduce(0) { $0 + $1.count } == 60_000)
  }
}
