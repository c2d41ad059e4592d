// SPDX-License-Identifier: Apache-2.0

import Geodesy

// Theory
// ======
//
// A receiver's error wanders, it does not jitter: multipath and atmosphere change over minutes. Each
// axis is a first-order Gauss–Markov process of standard deviation σ and correlation time τ (120 s
// [estimate]): after a second, e ← ρ·e + σ·√(1 − ρ²)·n with ρ = exp(−1 s / τ). White noise would average
// out within seconds and make every filter look better than it is.
//
// Where the trace itself is the truth, this error is added. Where there is a `.truth.csv`, the trace's
// own error is used instead and nothing is added.

/// Seeded, time-correlated receiver error, the same for all modes of a comparison.
package struct ReceiverNoise: Sendable, Equatable {
  /// Correlation time, seconds [estimate].
  package static let correlationTime = 120.0

  private let draw: Draw
  private let sigma: Double
  private let keep: Double
  private let fresh: Double
  private var counter: UInt64 = 0
  /// East and north, metres.
  package private(set) var east: Double
  package private(set) var north: Double

  package init(seed: UInt64, environment: Environment) {
    draw = Draw(seed: seed, purpose: .receiverNoise)
    sigma = environment.errorPerAxis
    keep = exponential(-1 / Self.correlationTime)
    fresh = (1 - keep * keep).squareRoot() * sigma
    let start = draw.normalPair(0)
    (east, north) = (start.0 * sigma, start.1 * sigma)
  }

  /// The 68 % radius of this error, metres: 1.5096 σ for a circular normal distribution.
  package var accuracy: Double { 1.5096 * sigma }

  /// One second passes.
  package mutating func step() {
    counter += 1
    let drawn = draw.normalPair(counter)
    east = keep * east + fresh * drawn.0
    north = keep * north + fresh * drawn.1
  }
}
