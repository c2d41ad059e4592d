// SPDX-License-Identifier: Apache-2.0

import LocationModel
import RadioPower
import Testing

/// The properties of any activity on any device and network.
struct EnergyPropertiesTests {
  /// Every device on its own network, and the default device on every network.
  static let pairs: [(String, String)] =
    ProfileLibrary.devices.map { ($0, "") }
    + ProfileLibrary.networks.map { (ProfileLibrary.defaultDevice, $0) }

  private func metered(_ pair: (String, String), _ activities: [Activity], splits: UInt64? = nil)
    throws -> EnergyReport
  {
    let profile = try device(pair.0)
    var meter = EnergyMeter(
      device: profile, network: try network(pair.1.isEmpty ? profile.network : pair.1))
    var random = SplitMix64(seed: splits ?? 0)
    var last = activities[0].at.microseconds
    for activity in activities {
      if splits != nil {
        let between = Int64.random(in: last...activity.at.microseconds, using: &random)
        meter.finish(at: EngineInstant(microseconds: between))
      }
      meter.record(activity)
      last = activity.at.microseconds
    }
    meter.finish(at: EngineInstant(microseconds: last))
    return meter.report()
  }

  @Test(arguments: pairs)
  func `Energy is additive over a split interval`(_ pair: (String, String)) throws {
    for seed in 1...4 as ClosedRange<UInt64> {
      let activities = randomActivity(seed: seed)
      let whole = try metered(pair, activities)
      let split = try metered(pair, activities, splits: seed)
      #expect(whole.components.map(\.seconds) == split.components.map(\.seconds))
      #expect(split.total.nominal.isWithin(1e-12, of: whole.total.nominal))
      #expect(split.total.high.isWithin(1e-12, of: whole.total.high))
    }
  }

  @Test(arguments: pairs)
  func `Nothing is negative, ranges hold, rows add up to the total`(_ pair: (String, String)) throws
  {
    for seed in 10...13 as ClosedRange<UInt64> {
      let report = try metered(pair, randomActivity(seed: seed))
      for row in report.components + report.baseline {
        #expect(row.seconds >= 0 && row.energy.low >= 0)
        #expect(row.energy.low <= row.energy.nominal && row.energy.nominal <= row.energy.high)
      }
      let sum = report.components.reduce(0) { $0 + $1.energy.nominal }
      #expect(sum == report.total.nominal && sum > 0)
    }
  }

  @Test(arguments: ProfileLibrary.devices)
  func `Each link is in exactly one state at any time`(_ name: String) throws {
    let activities = randomActivity(seed: 21)
    let report = try metered((name, ""), activities)
    let cell = (report.components + report.baseline).filter { $0.component == "cell" }
    let sum = cell.reduce(0) { $0 + $1.seconds }
    // LoRa's radio is off between messages, and off is not a row; nor is the idle radio within a whole phone's floor.
    if try network(device(name).network).frame == nil, try device(name).floor == .parts {
      #expect(sum.isWithin(1e-9, of: report.seconds))
    }
    #expect(
      report.components.filter { $0.component == "gnss" }.reduce(0) { $0 + $1.seconds }
        <= report.seconds + 1e-9)
  }

  @Test(arguments: pairs)
  func `A written log meters to the same joules`(_ pair: (String, String)) throws {
    for seed in 30...33 as ClosedRange<UInt64> {
      let direct = randomActivity(seed: seed)
      var bytes: [UInt8] = []
      for activity in direct { ActivityLogWriter().write(activity: activity, into: &bytes) }
      let read = try activities(String(decoding: bytes, as: UTF8.self))
      #expect(read == direct)
      #expect(try metered(pair, read) == metered(pair, direct))
    }
  }

  @Test func `A log reads the same in pieces of any size`() throws {
    var bytes: [UInt8] = []
    for activity in randomActivity(seed: 40) {
      ActivityLogWriter().write(activity: activity, into: &bytes)
    }
    let whole = try activities(String(decoding: bytes, as: UTF8.self))
    for size in [1, 7, 64] {
      var reader = ActivityLogReader()
      var pieces: [Activity] = []
      for start in stride(from: 0, to: bytes.count, by: size) {
        try reader.decode(
          bytes[start..<min(start + size, bytes.count)].span, into: &pieces)
      }
      try reader.finish(into: &pieces)
      #expect(pieces == whole && reader.hasEnd)
    }
  }

  @Test(arguments: ["phone-2010-3g", "phone-2013-lte", "phone-2021-lte", "phone-2020-lowpower"])
  func `A day without an event costs a phone nothing above the floor`(_ name: String) throws {
    let day = try activities(
      """
      {"at_s":0,"component":"gnss","state":"off"}
      {"at_s":86400,"end":true}
      """)
    let report = try metered((name, ""), day)
    #expect(report.total == .zero && report.components.isEmpty)
    #expect(report.baseline.first?.seconds == 86_400)
  }

  @Test func `A receiver that two apps share costs no more than their sum`() throws {
    // [0, 600] and [300, 900] are held together from 0 to 900: the union, not the sum.
    func session(_ from: Int, _ to: Int) throws -> Double {
      try metered(
        ("phone-2021-lte", ""),
        try activities(
          """
          {"at_s":0,"component":"gnss","state":"off"}
          {"at_s":\(from),"component":"gnss","state":"track"}
          {"at_s":\(to),"component":"gnss","state":"off"}
          {"at_s":1000,"end":true}
          """)
      ).total.nominal
    }
    #expect(try session(0, 900) < session(0, 600) + session(300, 900))
  }

  @Test(arguments: ProfileLibrary.networks)
  func `Under batching, more delay never costs more uplink energy`(_ name: String) throws {
    // 600 items of 100 bytes, one every 6 s; each batch holds the arrivals since the last. A frame of LoRa is rounded
    // up to a block of 5 symbols, of the 85.25 that a full one has: 47 bytes fill theirs, 51 do not.
    let slack = try network(name).frame != nil ? 5 / 85.25 : 1e-9
    var before = Double.infinity
    for items in [1, 2, 3, 5, 6, 10, 20, 30, 60, 100, 200, 300, 600] {
      var log = ""
      for batch in stride(from: items, through: 600, by: items) {
        log +=
          "{\"at_s\":\(batch * 6),\"component\":\"cell\",\"upload_bytes\":\(items * 100)}\n"
      }
      log += "{\"at_s\":3700,\"end\":true}"
      let energy = try metered(
        ("phone-2021-lte", name), try activities("{\"at_s\":0,\"metering\":true}\n" + log)
      )
      .total.nominal
      #expect(energy <= before * (1 + slack))
      before = energy
    }
  }
}
