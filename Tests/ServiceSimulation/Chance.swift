// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel

/// Random numbers from one seed: SplitMix64.
struct Chance: Sendable {
  private var generator: SplitMix64

  /// `purpose` gives each use its own sequence.
  init(seed: UInt64, purpose: UInt64) {
    generator = SplitMix64(seed: seed &* 0xD134_2543_DE82_EF95 ^ purpose &* SplitMix64.step)
    _ = next()
  }

  mutating func next() -> UInt64 { generator.next() }

  /// Uniform in 0 ≤ x < 1.
  mutating func uniform() -> Double { SplitMix64.uniform(next()) }

  mutating func between(_ low: Double, _ high: Double) -> Double {
    low + (high - low) * uniform()
  }

  /// 0 to `bound` − 1; `bound` is above 0.
  mutating func below(_ bound: Int) -> Int { generator.below(bound) }

  /// Returns true with this probability.
  mutating func happens(_ probability: Double) -> Bool { uniform() < probability }

  /// Seconds until the next of independent events that come every `mean` seconds on average.
  mutating func pause(mean: Double) -> Double { -mean * logarithm(1 - uniform()) }

  /// Seconds from `low` to `high`, each factor of ten equally likely.
  mutating func logBetween(_ low: Double, _ high: Double) -> Double {
    low * exponential(uniform() * logarithm(high / low))
  }

  mutating func pick<Element>(_ choices: [Element]) -> Element { choices[below(choices.count)] }
}
