// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel

// Theory
// ======
//
// How long before a fix is wanted must the receiver be switched on? Times to first fix are log-normal
// (σ_ln 0.5, power model 4.3). The profile gives a first idea of the mean; the environment nobody knows,
// so the median is learnt: its logarithm moves an eighth of the way to each hot start that is seen.
// Starts with an ephemeris older than 2 h teach nothing, since they are of another kind.
//
// A second too early is a second of tracking, and `again` of these are a look; a second too late is one of
// delay, and `late` of these are a look. So the lead is the quantile again / (again + late) of the times
// (the newsvendor's rule).

/// What is known of the receiver's times to first fix.
struct AcquisitionMemory: Sendable, Equatable, Codable {
  /// σ of the natural logarithm of the times (power model 4.3).
  static let spread = 0.5
  /// Seconds for which an ephemeris is surely good (power model 4.2).
  static let hotFor = 7_200.0
  /// Seconds within which a hot start hears satellites, where there are any.
  static let deaf = 3.0
  /// Share of a new time in what is known.
  private static let rate = 0.125

  /// Seconds after which any acquisition is given up.
  let timeout: Double
  private(set) var logMedian: Double

  /// `hot`: mean seconds of a hot start, as the device's profile expects it.
  ///
  /// Of an unknown receiver 11 s are expected, a field test's mean (power model, section 4.3), and 120 s
  /// are waited at most.
  init(hot: Double = 11, timeout: Double = 120) {
    self.timeout = timeout
    // Mean of a log-normal: exp(μ + σ²/2).
    logMedian = logarithm(max(0.5, hot)) - Self.spread * Self.spread / 2
  }

  /// `logMedian`: natural logarithm of the median seconds of a hot start.
  init(logMedian: Double, timeout: Double) {
    self.timeout = timeout
    self.logMedian = logMedian
  }

  /// Seconds of tracking that draw as much as a look: a mean hot start, during which a receiver draws about
  /// what it does while it tracks.
  var again: Double { exponential(logMedian + Self.spread * Self.spread / 2) }

  /// Seconds by which a session begins before its fix is wanted, where `late` seconds of delay are as dear as
  /// a look.
  func lead(orLate late: Double) -> Double {
    // The quantile of a normal distribution, by that of the logistic one.
    exponential(logMedian + Self.spread * logarithm(again / late) / 1.702)
  }

  /// Seconds after which a start is given up, for a receiver that last tracked `age` seconds ago, `nil`
  /// where it never did: 995 of 1,000 hot starts are faster; another kind of start gets all the time there
  /// is, and the first one twice that, for a cold receiver that is switched off loses what it has collected.
  /// Where the last one failed too, sky is in doubt: nine in ten hot starts are faster, and a cold one gets no more
  /// than any other.
  func patience(age: Double?, isBlind: Bool = false) -> Double {
    guard let age else { return isBlind ? timeout : 2 * timeout }
    guard age <= Self.hotFor else { return timeout }
    if isBlind { return min(timeout, exponential(logMedian + 1.28 * Self.spread)) }
    return min(timeout, max(20, exponential(logMedian + 2.58 * Self.spread)))
  }

  /// The same for one that says that it hears no satellite: of a hot start it knows where they are, and hears the
  /// first within a second or two.
  func silence(age: Double?) -> Double {
    age.map { $0 <= Self.hotFor } == true ? Self.deaf : patience(age: age, isBlind: true)
  }

  /// Seconds that a search which has heard satellites for so long is ahead of a new one: of log-normal times the mean
  /// rest is half a mean start or a little more, from the median on (within 1.5 s of 22, by its integral).
  func saved(by heard: Double) -> Double { min(heard, again / 2) }

  /// A receiver that last tracked `age` seconds ago had its first fix after `seconds`.
  mutating func learn(_ seconds: Double, age: Double?) {
    guard let age, age <= Self.hotFor, seconds >= 0.5, seconds <= timeout else { return }
    logMedian += Self.rate * (logarithm(seconds) - logMedian)
  }
}
