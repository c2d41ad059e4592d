// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel

/// Draws from a seed at an instant: they hold no state, so equal inputs at equal times have equal luck.
struct SeededDraws: Sendable, Equatable, Codable {
  private let seed: UInt64

  init(seed: UInt64) { self.seed = seed }

  /// What is drawn: of each one number, or one pair, at an instant.
  private enum Purpose: UInt64 {
    case firstLook = 1
    case wait = 2
  }

  /// Uniform in 0 ≤ x < 1: SplitMix64 of the numbers mixed one by one (Steele, Lea, Flood, OOPSLA 2014).
  private func uniform(_ purpose: Purpose, _ number: UInt64, at now: EngineInstant) -> Double {
    var mixed = SplitMix64.mixed(seed)
    for part in [UInt64(bitPattern: now.microseconds), 2 * purpose.rawValue + number] {
      mixed = SplitMix64.mixed(mixed ^ part)
    }
    return SplitMix64.uniform(mixed)
  }

  /// The part of an interval after which the first look comes, 0 to 1.
  func firstLook(at now: EngineInstant) -> Double { uniform(.firstLook, 0, at: now) }

  /// Seconds of a wait that begins now; the normal number by Box and Muller (1958).
  func wait(_ wait: PhoneTerms.Wait, at now: EngineInstant) -> Double {
    let radius = (-2 * logarithm(1 - uniform(.wait, 0, at: now))).squareRoot()
    return wait.seconds(radius * cosine(2 * .pi * uniform(.wait, 1, at: now)))
  }
}
