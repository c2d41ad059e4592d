// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel

// Theory
// ======
//
// A receiver's error wanders, it does not jitter: multipath and atmosphere change over minutes. Each
// axis is a first-order Gauss–Markov process of standard deviation σ and correlation time τ (120 s,
// `Fix.errorLasts`): after a second, e ← ρ·e + σ·√(1 − ρ²)·n with ρ = exp(−1 s / τ). White noise would average
// out within seconds and make every filter look better than it is.
//
// If the environment changes along the way, σ follows it by a tenth a second: a receiver's own filter
// remembers [estimate].
//
// Several seconds at once are one draw: ρⁿ for ρ, and σ follows as if it were updated every second.
//
// If the trace itself is the truth, this error is added. If there is a `.truth.csv`, the trace's own
// error is used instead and nothing is added.

/// Seeded, time-correlated receiver error, the same for all modes of a comparison.
package struct ReceiverNoise: Sendable, Equatable {
  private let draw: Draw
  private let keep: Double
  private let fresh: Double
  private var counter: UInt64 = 0
  /// Standard deviation per axis, metres; follows the environment within some ten seconds.
  private var sigma: Double
  /// The same of standard deviation 1.
  private var unit: (east: Double, north: Double)
  /// East and north, metres.
  package var east: Double { unit.east * sigma }
  package var north: Double { unit.north * sigma }

  package init(seed: UInt64, environment: Environment) {
    draw = Draw(seed: seed, purpose: .receiverNoise)
    sigma = environment.errorPerAxis
    keep = exponential(-1 / Fix.errorLasts)
    fresh = (1 - keep * keep).squareRoot()
    unit = draw.normalPair(0)
  }

  package static func == (left: ReceiverNoise, right: ReceiverNoise) -> Bool {
    left.draw == right.draw && left.counter == right.counter && left.sigma == right.sigma
  }

  /// The 68 % radius of this error, metres: 1.5096 σ for a circular normal distribution.
  package var accuracy: Double { 1.5096 * sigma }

  /// Advances by `seconds`, 1 or more, in an environment; `nil` is the environment before.
  package mutating func step(in environment: Environment? = nil, seconds: Int = 1) {
    counter += 1
    let drawn = draw.normalPair(counter)
    var (keep, fresh) = (keep, fresh)
    if seconds > 1 {
      keep = exponential(-Double(seconds) / Fix.errorLasts)
      fresh = (1 - keep * keep).squareRoot()
    }
    unit = (keep * unit.east + fresh * drawn.0, keep * unit.north + fresh * drawn.1)
    guard let target = environment?.errorPerAxis else { return }
    var left = seconds
    while left > 0, target != sigma {
      sigma += (target - sigma) / 10
      if abs(target - sigma) < 0.01 { sigma = target }
      left -= 1
    }
  }
}
