// SPDX-License-Identifier: Apache-2.0

import LocationModel

// Theory
// ======
//
// A policy that weighs energy against lateness needs the price of a look. Its own currency is the look: a number of
// seconds of lateness are as dear as one (`LookAhead`). The number is decided so:
//
//   nothing is stated      the seconds that a hot start takes in the mean, times the interval over the usual one
//                          (`EngineRules`): at 300 s, delay and tracking cost alike
//   a price of lateness    the joules of a look by the device's profile, over the joules of a second
//   external power         a tenth of either, for a joule is worth a tenth there [ours]: not nothing, since a
//                          receiver that never rests, and an app that is woken all the time, cost more than current
//
// If distance decides, metres follow in the same proportion, up to a fifth of the distance.
//
// A longest lateness is no price: whatever the cost, the next look comes no later than that after the moment at which a
// crossing may have happened unheard (a chance of one in 20). A start longer than the lead comes on top, and without sky
// a look is made in vain that often.

/// The value of a timely event to the apps that wait for it.
package struct LatenessTerms: Sendable, Equatable, Codable {
  /// The greatest lateness of an event, seconds, above 0; `nil` for no limit.
  package var longest: Double?
  /// The price of a second of lateness, joules, above 0; `nil` to derive it from the thresholds.
  package var price: Double?
  /// Whether the device runs on external power, so that no battery drains.
  package var isOnExternalPower: Bool

  /// Derived from the thresholds alone, on battery.
  package static let usual = Self()

  package init(longest: Double? = nil, price: Double? = nil, isOnExternalPower: Bool = false) {
    self.longest = longest
    self.price = price
    self.isOnExternalPower = isOnExternalPower
  }

  /// The value of a joule on external power, as a share of one from a battery.
  static let externalShare = 0.1
}

/// The price of a look to a policy that weighs it against lateness.
package struct LookWorth: Sendable, Equatable {
  /// Seconds of lateness that are as dear as a look.
  package let seconds: Double
  package let terms: LatenessTerms
}
