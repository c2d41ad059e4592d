// SPDX-License-Identifier: Apache-2.0

import LocationModel

// Theory
// ======
//
// A policy that weighs energy against lateness needs to know what a look may cost. Its own currency is the look:
// so many seconds of lateness are as dear as one (`LookAhead`). How many is decided so:
//
//   nothing is stated      a second is worth one of tracking, for 270 s between events: as many seconds as a hot
//                          start takes in the mean, times the interval over 270 s
//   a price of lateness    the joules of a look by the device's profile, over the joules of a second
//   external power         a tenth of either, for a joule is worth a tenth there [ours]: not nothing, since a
//                          receiver that never rests, and an app that is woken all the time, cost more than current
//
// Where distance decides, metres follow in the same proportion, up to a fifth of the distance.
//
// A longest lateness is no price: whatever it costs, the next look comes no later than that after the moment at
// which a crossing may have happened unheard (a chance of one in 20). The receiver's time to its first fix comes on
// top, and where there is no sky a look is made in vain that often.

/// The worth of an event's coming in time to those who wait for it.
package struct LatenessTerms: Sendable, Equatable, Codable, UsualValue {
  /// Seconds that an event may be late, above 0; `nil` for as late as its price makes it.
  package var longest: Double?
  /// Joules that a second of lateness is worth, above 0; `nil` for a price by the thresholds.
  package var price: Double?
  /// Whether the energy comes from outside, and no battery empties.
  package var isOnExternalPower: Bool

  /// By the thresholds alone, from a battery.
  package static let usual = Self()

  package init(longest: Double? = nil, price: Double? = nil, isOnExternalPower: Bool = false) {
    self.longest = longest
    self.price = price
    self.isOnExternalPower = isOnExternalPower
  }

  /// The worth of a joule on external power, as a share of one from a battery.
  static let externalShare = 0.1
}

/// The worth of a look to a policy that weighs it against lateness.
package struct LookWorth: Sendable, Equatable {
  /// Seconds of lateness that are as dear as a look.
  package let seconds: Double
  package let terms: LatenessTerms
}
