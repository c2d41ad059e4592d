// SPDX-License-Identifier: Apache-2.0

import LocationModel
import RadioPower
import Testing

/// Spreads against distributions whose quantiles are known exactly.
struct UncertaintyTests {
  private func usage(_ log: String, device other: DeviceProfile? = nil) throws -> EnergyUsage {
    let device = try other ?? device()
    var meter = EnergyMeter(device: device, network: try network(device.network))
    let activities = try activities(log)
    for activity in activities { meter.record(activity) }
    meter.finish(at: try #require(activities.last).at)
    return meter.usage
  }

  private func uncertainty(
    _ logs: [String], device other: DeviceProfile? = nil, seed: UInt64 = 7, draws: Int = 20_000
  ) throws -> Uncertainty {
    let device = try other ?? device()
    return Uncertainty(
      of: try logs.map { [try usage($0, device: device)] }, device: device,
      network: try network(device.network), seed: seed, draws: draws)
  }

  /// A state of the receiver for 1,000 s.
  private func held(_ state: String, seconds: Int = 1_000) -> String {
    """
    {"at_s":0,"component":"gnss","state":"\(state)"}
    {"at_s":\(seconds),"end":true}
    """
  }

  @Test func `A log-uniform power has the quantiles of its distribution`() throws {
    // track_good is 40 to 120 mW: 40 × 3^0.05, 40 × 3^0.5, 40 × 3^0.95 J in 1,000 s.
    let spread = try uncertainty([held("track_good")]).energy(ofRun: 0)
    #expect(spread.p5.isWithin(0.005, of: 42.259))
    #expect(spread.p50.isWithin(0.015, of: 69.282))
    #expect(spread.p95.isWithin(0.005, of: 113.587))
  }

  @Test func `A range that begins at 0 is drawn uniformly`() throws {
    // search_backoff is 0 to 5 mW.
    let spread = try uncertainty([held("search_backoff")]).energy(ofRun: 0)
    #expect(abs(spread.p5 - 0.25) < 0.03)
    #expect(abs(spread.p50 - 2.5) < 0.06)
    #expect(abs(spread.p95 - 4.75) < 0.03)
  }

  @Test func `A number without a range is itself, and nothing depends on it`() throws {
    let file = try #require(ProfileLibrary.file(named: "phone-2021-lte"))
    let text = String(decoding: file, as: UTF8.self)
      .replacing("78.81,40,120", with: "78.81,78.81,78.81")
    let device = try DeviceProfile.parse(Array(text.utf8).span, name: "phone-2021-lte")
    let uncertainty = try uncertainty([held("track_good")], device: device, draws: 100)
    let spread = uncertainty.energy(ofRun: 0)
    #expect(spread.p5.isWithin(1e-12, of: 78.81))
    #expect(spread.p5 == spread.p95)
    #expect(uncertainty.drivers(ofRun: 0).isEmpty)
  }

  @Test func `The ratio of runs that share all their numbers is exactly constant`() throws {
    let uncertainty = try uncertainty(
      [held("track_good", seconds: 4_000), held("track_good")], draws: 1_000)
    let ratio = try #require(uncertainty.ratio(ofRun: 0, to: 1))
    #expect(ratio.p5 == 4 && ratio.p50 == 4 && ratio.p95 == 4)
    #expect(uncertainty.drivers(ofRatio: 0, to: 1).isEmpty)
  }

  @Test func `The ratio of runs that share nothing has the interval of both`() throws {
    // 1,000 s of tracking over 1,000 s awake: ln 40…120 less ln 50…200, both uniform. The median is
    // √(40·120) / √(50·200) = 0.6928. The sum of two uniforms of widths a = ln 4 and b = ln 3 has its
    // lower tail P(x below the end by t) = t² / 2ab, so the 5th percentile lies √(0.1·ab) = 0.3903
    // above the end ln(40/200): 0.2 × e^0.3903 = 0.2955; the 95th is 0.6928² / 0.2955 = 1.6243.
    let awake = """
      {"at_s":0,"component":"soc","state":"awake_idle"}
      {"at_s":1000,"end":true}
      """
    let uncertainty = try uncertainty([held("track_good"), awake])
    let ratio = try #require(uncertainty.ratio(ofRun: 0, to: 1))
    #expect(ratio.p5.isWithin(0.02, of: 0.2955))
    #expect(ratio.p50.isWithin(0.02, of: 0.6928))
    #expect(ratio.p95.isWithin(0.02, of: 1.6243))
    // (ln 4)² and (ln 3)² over their sum.
    let drivers = uncertainty.drivers(ofRatio: 0, to: 1)
    #expect(
      drivers.map(\.number.key.description)
        == ["soc,awake_idle,power", "gnss,track_good,power"])
    #expect(drivers.map(\.rises) == [false, true])
    #expect(abs(drivers[0].share - 0.6143) < 0.02)
    #expect(abs(drivers[1].share - 0.3857) < 0.02)
  }

  @Test func `A product depends on its factors as their ranges are wide`() throws {
    // A launch is 0.5…3 s of 130…600 mW: (ln 6)² and (ln 4.615)² over their sum.
    let launches = """
      {"at_s":0,"component":"soc","event":"launch"}
      {"at_s":1,"end":true}
      """
    let drivers = try uncertainty([launches]).drivers(ofRun: 0)
    #expect(
      drivers.map(\.number.key.description) == ["soc,launch,duration", "soc,active,power"])
    #expect(abs(drivers[0].share - 0.5785) < 0.02)
    #expect(abs(drivers[1].share - 0.4215) < 0.02)
    #expect(drivers.map(\.rises) == [true, true])
  }

  @Test func `A run that costs nothing has no ratio`() throws {
    let uncertainty = try uncertainty([held("track_good"), held("off")], draws: 10)
    #expect(uncertainty.ratio(ofRun: 0, to: 1) == nil)
    #expect(uncertainty.energy(ofRun: 1).p95 == 0)
    #expect(uncertainty.drivers(ofRun: 1).isEmpty)
  }

  @Test func `The seed decides, and company changes nothing`() throws {
    let one = try uncertainty([held("track_good")], draws: 500).energy(ofRun: 0)
    let again = try uncertainty([held("powersave"), held("track_good")], draws: 500)
    #expect(again.energy(ofRun: 1) == one)
    #expect(try uncertainty([held("track_good")], seed: 8, draws: 500).energy(ofRun: 0) != one)
  }

  /// 5–50–95 % of standard : significant and of continuous : significant on the reference day, from a calculation
  /// apart from the meter. It had similar ranges and results of 3 digits, so medians are taken to 10 % and ends to
  /// 22 %.
  static let published: [(String, Int, [Double], [Double])] = [
    ("phone-2010-3g", 0, [144, 221, 335], [12, 18, 27]),
    ("phone-2013-lte", 10_240, [125, 186, 276], [11, 15, 22]),
    ("phone-2021-lte", 0, [166, 291, 458], [14, 23, 36]),
    ("phone-2020-lowpower", 0, [84, 182, 379], [7, 15, 30]),
  ]

  private func day(_ name: String, _ bytes: Int) throws -> Uncertainty {
    var days = [
      try ReferenceDay(standard: name, bytes: bytes),
      try ReferenceDay(continuous: name, bytes: bytes),
      try ReferenceDay(significant: name, bytes: bytes),
    ]
    let device = try device(name)
    return Uncertainty(
      of: days.indices.map { [days[$0].usage()] }, device: device,
      network: try network(device.network), seed: 1, draws: 5_000)
  }

  private func expect(_ spread: Spread?, _ published: [Double]) throws {
    let spread = try #require(spread)
    #expect(spread.p5.isWithin(0.22, of: published[0]), "\(spread)")
    #expect(spread.p50.isWithin(0.1, of: published[1]), "\(spread)")
    #expect(spread.p95.isWithin(0.22, of: published[2]), "\(spread)")
  }

  @Test(arguments: published)
  func `The published intervals of the reference day come out again`(
    _ name: String, _ bytes: Int, _ standard: [Double], _ continuous: [Double]
  ) throws {
    let day = try day(name, bytes)
    try expect(day.ratio(ofRun: 0, to: 2), standard)
    try expect(day.ratio(ofRun: 1, to: 2), continuous)
    // "Standard : continuous = 12.0 to 12.7 on all four profiles": they share everything.
    let shared = try #require(day.ratio(ofRun: 0, to: 1))
    #expect(shared.p50 > 12 && shared.p50 < 12.9 && shared.p95 / shared.p5 < 1.1)
    // Of the totals: P2 24–31–39 kJ and 121–165–225 J, P3 10–16–24 kJ and 34–55–86 J.
    if name == "phone-2013-lte" {
      try expect(day.energy(ofRun: 0), [24_000, 31_000, 39_000])
      try expect(day.energy(ofRun: 2), [121, 165, 225])
    } else if name == "phone-2021-lte" {
      try expect(day.energy(ofRun: 0), [10_000, 16_000, 24_000])
      try expect(day.energy(ofRun: 2), [34, 55, 86])
    }
  }

  @Test func `What the ratio to significant change depends on is tail, tracking and idling awake`()
    throws
  {
    // By the same calculation: uploads and tail first, then tracking, then awake-idle.
    let keys = try day("phone-2013-lte", 10_240).drivers(ofRatio: 0, to: 2)
      .map(\.number.key.description)
    #expect(keys == ["cell,tail,duration", "gnss,track_good,power", "soc,awake_idle,power"])
  }
}
