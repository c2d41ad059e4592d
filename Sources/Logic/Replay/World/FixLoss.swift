// SPDX-License-Identifier: Apache-2.0

// Theory
// ======
//
//          q = 1/5                  The receiver's fixes that are lost on the way (a serial line that garbles,
//   lost ──────────► heard          a radio link that fades) go missing in bursts: Gilbert, "Capacity of a
//     ▲                │            burst-noise channel", Bell System Technical Journal 39, 1960. Bursts last
//     └────────────────┘            5 s on the average [estimate], and p = q·share / (1 − share) makes `share`
//          p                        of all seconds lost. The receiver notices nothing: it goes on tracking.
//
// If several seconds pass at once, the answer is that of the last one: the chain forgets its state by 1 − p − q a
// second, so after n of them it is lost with share + (was lost − share)·(1 − p − q)ⁿ.

/// A seeded share of fixes that go missing on their way.
package struct FixLoss: Sendable, Equatable {
  /// The largest share that bursts of 5 s can make: p = 1 at 5/6.
  package static let most = 0.8
  /// Mean duration of a burst, seconds [estimate].
  static let burst = 5.0

  private let begins: Double
  private let draw: Draw
  private var isLosing = false
  private var second: UInt64 = 0

  /// `share` of all fixes, 0 to `most`.
  package init(seed: UInt64, share: Double) {
    let share = min(Self.most, max(0, share))
    begins = share / (1 - share) / Self.burst
    draw = Draw(seed: seed, purpose: .fixLoss)
    isLosing = draw.uniform(0) < share
  }

  /// Advances by a second, or several; returns whether a fix of the last one goes missing.
  package mutating func loses(after seconds: Int = 1) -> Bool {
    second += 1
    var chance = isLosing ? 1 - 1 / Self.burst : begins
    if seconds > 1 {
      let share = begins / (begins + 1 / Self.burst)
      var left = 1.0
      for _ in 0..<seconds { left *= 1 - begins - 1 / Self.burst }
      chance = share + ((isLosing ? 1 : 0) - share) * left
    }
    isLosing = draw.uniform(second) < chance
    return isLosing
  }
}
