// SPDX-License-Identifier: Apache-2.0

import LocationModel
import RadioPower
import Testing

/// The reference day (vector T18), which `Tools/make-reference-day` describes, built in code. Its pauses and counts are
/// the vector's, not the product's.
struct ReferenceDay {
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

  mutating func usage() -> EnergyUsage {
    meter.finish(at: EngineInstant.zero.advanced(bySeconds: now))
    return meter.usage
  }

  init(standard name: String, bytes: Int) throws {
    try self.init(name)
    session(.cold, seconds: 86_400)
    record(.gnss(.off))
    uploads(18, bytes: bytes)
  }

  /// Four pauses, each ended by a scan and a hot start.
  init(continuous name: String, bytes: Int) throws {
    try self.init(name)
    for number in 0..<5 {
      session(number == 0 ? .cold : .hot, seconds: 1_320)
      record(.gnss(.off))
      if number > 0 { record(.wifiScan) }
      now += 600
    }
    uploads(18, bytes: bytes)
  }

  init(significant name: String, bytes: Int) throws {
    try self.init(name)
    for _ in 0..<40 { record(.cellWake) }
    for _ in 0..<14 {
      record(.launch)
      record(.wifiScan)
      record(.soc(.awakeIdle))
      now += 10
      record(.soc(.suspended))
    }
    uploads(14, bytes: bytes)
  }
}
