// SPDX-License-Identifier: Apache-2.0

/// The age of what a receiver has heard, and what that is worth at its next start.
package enum Ephemeris {
  /// Seconds for which an ephemeris is sent, and so surely fits (IS-GPS-200, 20.3.4.4).
  package static let sentFor = 2 * 3_600.0
  /// Seconds for which it fits (the same).
  package static let fitsFor = 4 * 3_600.0
  /// Seconds for which almanac, time and position serve for a warm start [estimate].
  package static let almanacServes = 60 * 86_400.0

  /// The probability of a hot start, against a warm one, with an ephemeris of this age, seconds: it falls linearly from
  /// the time for which it is sent to that for which it fits.
  package static func chanceOfHotStart(age: Double) -> Double {
    min(1, max(0, (fitsFor - age) / (fitsFor - sentFor)))
  }
}
