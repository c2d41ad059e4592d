// SPDX-License-Identifier: Apache-2.0

import Geodesy

/// Random numbers from one seed: SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
struct Chance: Sendable {
  private var state: UInt64

  /// `purpose` gives each use its own sequence.
  init(seed: UInt64, purpose: UInt64) {
    state = seed &* 0xD134_2543_DE82_EF95 ^ purpose &* 0x9E37_79B9_7F4A_7C15
    _ = next()
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Uniform in 0 ≤ x < 1.
  mutating func uniform() -> Double { Double(next() >> 11) * 0x1p-53 }

  mutating func between(_ low: Double, _ high: Double) -> Double {
    low + (high - low) * uniform()
  }

  /// 0 to `bound` − 1; `bound` is above 0.
  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

  /// True so often.
  mutating func happens(_ probability: Double) -> Bool { uniform() < probability }

  /// Seconds to the next of events that come every `mean` seconds, independently of each other.
  mutating func pause(mean: Double) -> Double { -mean * logarithm(1 - uniform()) }

  /// Seconds from `low` to `high`, each factor of ten as likely as the others.
  mutating func logBetween(_ low: Double, _ high: Double) -> Double {
    low * exponential(uniform() * logarithm(high / low))
  }

  mutating func pick<Element>(_ choices: [Element]) -> Element { choices[below(choices.count)] }
}
