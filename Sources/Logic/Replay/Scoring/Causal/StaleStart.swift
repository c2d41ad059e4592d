// SPDX-License-Identifier: Apache-2.0

import LocationModel

// Theory
// ======
//
// A receiver that was off for more than 2 h needs a warm start, as its ephemeris is too old. Nobody who sleeps through a
// night can avoid that, but a few looks on the way may be cheaper. Over a pause of g seconds k looks lie at best g / (k +
// 1) apart, and each of the k + 1 starts is warm with the probability w of that age:
//
//     least k:  k · hot + (k + 1) · w(g / (k + 1)) · (warm − hot)
//
// The fewest seconds of search, so that it bounds every policy. With hot 8 s and warm 33 s a night of 8 h costs a warm
// start or three looks, 24 s.

/// The search that a pause of the receiver costs beyond the hot start at its end.
package struct StaleStart: Sendable, Equatable {
  /// Mean seconds of a hot and of a warm start.
  private let hot: Double
  private let warm: Double

  package init(hot: Double, warm: Double) { (self.hot, self.warm) = (hot, warm) }

  /// A receiver whose starts are all alike.
  package static let none = Self(hot: 0, warm: 0)

  /// The least seconds for a pause of `pause` seconds.
  func seconds(after pause: Double) -> Double {
    var least = Double.infinity
    var looks = 0.0
    while looks * hot < least {
      let stale = 1 - Ephemeris.chanceOfHotStart(age: pause / (looks + 1))
      least = min(least, looks * hot + (looks + 1) * stale * max(0, warm - hot))
      if stale == 0 { break }
      looks += 1
    }
    return least
  }
}
