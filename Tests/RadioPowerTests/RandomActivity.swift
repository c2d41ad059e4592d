// SPDX-License-Identifier: Apache-2.0

import LocationModel
import RadioPower

/// SplitMix64: the same seed, the same activity.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

/// A few hundred records of every kind, gaps from microseconds to minutes, ended properly.
func randomActivity(seed: UInt64, count: Int = 300) -> [Activity] {
  var random = SplitMix(seed: seed)
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

private func randomEvent(_ random: inout SplitMix) -> Activity.Event {
  let rate: Double? = Bool.random(using: &random) ? .random(in: 0.05...20, using: &random) : nil
  let up = Int.random(in: 0...200_000, using: &random)
  let down = Int.random(in: 0...200_000, using: &random)
  return switch Int.random(in: 0..<14, using: &random) {
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
  default: .metering(Bool.random(using: &random))
  }
}
