// SPDX-License-Identifier: Apache-2.0

/// SplitMix64 (Steele, Lea, Flood, OOPSLA 2014): the same seed, the same sequence, on every machine.
@usableFromInline package struct SplitMix64: RandomNumberGenerator, Sendable, Equatable {
  /// The step of the state: 2⁶⁴ over the golden ratio, odd.
  @inlinable package static var step: UInt64 { 0x9E37_79B9_7F4A_7C15 }

  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  @usableFromInline package mutating func next() -> UInt64 {
    defer { state &+= Self.step }
    return Self.mixed(state)
  }

  /// The first number of the generator with this seed; with `seed + i × step` its number `i`, from 0.
  @inlinable package static func mixed(_ seed: UInt64) -> UInt64 {
    var z = seed &+ step
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// Uniform in 0 ≤ x < 1, from 64 random bits.
  @inlinable package static func uniform(_ bits: UInt64) -> Double {
    Double(bits >> 11) * 0x1p-53
  }

  /// 0 to `bound` − 1; `bound` is above 0.
  package mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }
}
