// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel

/// Random numbers that depend on a seed, a purpose and a counter, and on nothing else.
///
/// Two runs that ask the same question get the same answer, in any order: that is how the modes of a
/// comparison share their luck. SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number
/// generators", OOPSLA 2014) is applied to seed, purpose and counter.
package struct Draw: Sendable, Equatable {
  /// The purpose of a number; each has its own sequence.
  package enum Purpose: UInt64, Sendable {
    case receiverNoise = 1
    case acquisition
    case acquisitionFailure
    case ephemerisAge
    case networkPosition
    case towerPlacement
    case shadowing
    case cellFlicker
    case place
    case falseMotion
    case fixLoss
    case motionWindow
    case smoothRide
  }

  private let base: UInt64

  package init(seed: UInt64, purpose: Purpose) {
    base = SplitMix64.mixed(SplitMix64.mixed(seed) ^ purpose.rawValue &* SplitMix64.step)
  }

  /// 64 random bits for a counter.
  package func bits(_ counter: UInt64) -> UInt64 {
    SplitMix64.mixed(base &+ counter &* SplitMix64.step)
  }

  /// Uniform in 0 ≤ x < 1.
  package func uniform(_ counter: UInt64) -> Double {
    SplitMix64.uniform(bits(counter))
  }

  /// Two independent numbers of mean 0 and standard deviation 1 (Box and Muller, 1958).
  package func normalPair(_ counter: UInt64) -> (Double, Double) {
    let radius = (-2 * logarithm(1 - uniform(counter &* 2))).squareRoot()
    let angle = 2 * Double.pi * uniform(counter &* 2 &+ 1)
    return (radius * cosine(angle), radius * sine(angle))
  }

  /// A number of mean 0 and standard deviation 1 that is nearly normal, within ±3.46, and cheap: the sum
  /// of four uniform ones of 16 bits.
  package func nearlyNormal(_ counter: UInt64) -> Double {
    let bits = bits(counter)
    let sum =
      (bits & 0xFFFF) &+ (bits >> 16 & 0xFFFF) &+ (bits >> 32 & 0xFFFF) &+ (bits >> 48)
    return (Double(sum) - 131_070) * (1.732_050_807_568_877_2 / 65_536)
  }
}
