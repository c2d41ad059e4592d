// SPDX-License-Identifier: Apache-2.0

import Geodesy
import SeededRandom

/// Numbered draws from a seed, which survive a restart.
struct SeededDraws: Sendable, Equatable, Codable {
  private let seed: UInt64
  private var drawn: UInt64 = 0

  init(seed: UInt64) { self.seed = seed }

  /// Uniform in 0 ≤ x < 1: SplitMix64 of seed and counter (Steele, Lea, Flood, OOPSLA 2014).
  mutating func uniform() -> Double {
    drawn += 1
    // Apart from the draws of `IOSFieldPolicy`, which has the same seed.
    let place = (seed &+ 1) &* 0xA24B_AED4_963E_E407 &+ drawn &* SplitMix64.step
    return SplitMix64.uniform(SplitMix64.mixed(place))
  }

  /// Normal, of mean 0 and deviation 1 (Box and Muller, 1958).
  mutating func normal() -> Double {
    let radius = (-2 * logarithm(1 - uniform())).squareRoot()
    return radius * cosine(2 * .pi * uniform())
  }

  mutating func wait(_ wait: PhoneTerms.Wait) -> Double { wait.seconds(normal()) }
}
