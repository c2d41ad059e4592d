// SPDX-License-Identifier: Apache-2.0

import LocationModel
import RadioPower

/// A few hundred records of every kind, gaps from microseconds to minutes, ended properly.
func randomActivity(seed: UInt64, count: Int = 300) -> [Activity] {
  var random = SplitMix64(seed: seed)
  var at: Int64 = 0
  var activities: [Activity] = []
  for _ in 0..<count {
    let spans: [Int64] = [0, 1_000, 400_000, 5_000_000, 60_000_000]
    at += Int64.random(in: 0...(spans.randomElement(using: &random) ?? 0), using: &random)
    activities.append(
      Activity(at: EngineInstant(microseconds: at), randomEvent(&random)))
  }
  activities.append(Activity(at: EngineInstant(microseconds: at + 30_000_000), .end))
  return activities
}

private func randomEvent(_ random: inout SplitMix64) -> Activity.Event {
  let rate: Double? = Bool.random(using: &random) ? .random(in: 0.05...20, using: &random) : nil
  let up = Int.random(in: 0...200_000, using: &random)
  let down = Int.random(in: 0...200_000, using: &random)
  return switch Int.random(in: 0..<15, using: &random) {
  case 0...2: .gnss(Activity.GNSSState.allCases.randomElement(using: &random) ?? .off)
  case 3, 4: .cellTransfer(uploadBytes: up, downloadBytes: down, rateMbps: rate)
  case 5: .wifiTransfer(uploadBytes: up, downloadBytes: down, rateMbps: rate)
  case 6: .soc(Activity.SoCState.allCases.randomElement(using: &random) ?? .active)
  case 7: .launch
  case 8: .wake
  case 9: .delivery
  case 10: .motionSensor(Bool.random(using: &random))
  case 11: Bool.random(using: &random) ? .flashCommit : .cellWake
  case 12: .wifiScan
  case 13: .moving(Bool.random(using: &random))
  default: .metering(Bool.random(using: &random))
  }
}
