// SPDX-License-Identifier: Apache-2.0

import LocationModel
import RadioPower
import Testing

/// T18: the reference day of the power model, built in code. Its pauses and counts are the vector's,
/// not the product's.
struct ReferenceDayTests {
  /// Profile, joules of the modes standard, continuous and significant change, bytes of an upload.
  static let table: [(String, Double, Double, Double, Int)] = [
    ("phone-2010-3g", 37_341.4, 3_048.5, 199.68, 0),
    ("phone-2013-lte", 32_489.4, 2_712.5, 212.54, 10_240),
    ("phone-2021-lte", 16_410.7, 1_296.9, 60.70, 0),
    ("phone-2020-lowpower", 3_733.5, 302.6, 25.93, 0),
  ]

  private struct Day {
    var meter: EnergyMeter
    var now = 0.0

    init(_ name: String) throws {
      let device = try device(name)
      meter = EnergyMeter(device: device, network: try network(device.network))
      record(.gnss(.off))
    }

    mutating func record(_ event: Activity.Event) {
      meter.record(Activity(at: EngineInstant.zero.advanced(bySeconds: now), event))
    }

    /// The receiver searches for its stated time and then tracks, delivering once a second.
    mutating func session(_ start: ReceiverStart, seconds: Int) {
      record(.gnss(start.state))
      now += meter.device.statedTimeToFirstFix(start).nominal
      record(.gnss(.trackGood))
      record(.soc(.awakeIdle))
      for _ in 0..<seconds {
        record(.delivery)
        now += 1
      }
      record(.soc(.suspended))
    }

    mutating func uploads(_ count: Int, bytes: Int) {
      for _ in 0..<count {
        record(.cellTransfer(uploadBytes: bytes, downloadBytes: 0, rateMbps: 2))
        now += 60
      }
    }

    mutating func joules() -> Double {
      meter.finish(at: EngineInstant.zero.advanced(bySeconds: now))
      return meter.report().total.nominal
    }
  }

  @Test(arguments: table)
  func `T18: standard mode`(
    _ name: String, _ standard: Double, _: Double, _: Double, _ bytes: Int
  ) throws {
    var day = try Day(name)
    day.session(.cold, seconds: 86_400)
    day.record(.gnss(.off))
    day.uploads(18, bytes: bytes)
    #expect(day.joules().isWithin(of: standard))
  }

  @Test(arguments: table)
  func `T18: continuous mode with four pauses`(
    _ name: String, _: Double, _ continuous: Double, _: Double, _ bytes: Int
  ) throws {
    var day = try Day(name)
    for session in 0..<5 {
      day.session(session == 0 ? .cold : .hot, seconds: 1_320)
      day.record(.gnss(.off))
      if session > 0 { day.record(.wifiScan) }
      day.now += 600
    }
    day.uploads(18, bytes: bytes)
    #expect(day.joules().isWithin(of: continuous))
  }

  @Test(arguments: table)
  func `T18: significant change`(
    _ name: String, _: Double, _: Double, _ significant: Double, _ bytes: Int
  ) throws {
    var day = try Day(name)
    for _ in 0..<40 { day.record(.cellWake) }
    for _ in 0..<14 {
      day.record(.launch)
      day.record(.wifiScan)
      day.record(.soc(.awakeIdle))
      day.now += 10
      day.record(.soc(.suspended))
    }
    day.uploads(14, bytes: bytes)
    #expect(day.joules().isWithin(of: significant))
  }
}
