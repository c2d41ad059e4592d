// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel

// Theory
// ======
//
// The lead of the receiver's start before a wanted fix. TTFF is log-normal (σ_ln 0.5 [estimate]). The
// profile gives a first estimate of the mean; the environment is unknown, so the median is learnt: its logarithm moves
// an eighth of the way to each observed hot start. Starts with an ephemeris older than 2 h teach nothing, since they
// are of another kind. With assistance data all starts are alike, and called hot here.
//
// *Stale.* After 2 h an ephemeris may have expired, after 4 h it has: the mean start is then that of a warm one. A look pays
// for it if it finds no crossing; one that finds it costs no more than any other policy's first look after such a pause.
//
// A second too early is a second of tracking, and `again` of these are a look; a second too late is one of delay, and
// `late` of these are a look. So the lead is the quantile again / (again + late) of the TTFF (the newsvendor's rule).

/// The learned TTFF of the receiver.
struct AcquisitionMemory: Sendable, Equatable, Codable {
  /// σ of the natural logarithm of the TTFF [estimate].
  static let spread = 0.5
  /// Mean seconds of a warm start over those of a hot one, in a pocket in a town [estimate].
  private static let warm = 10.0 / 3
  /// Seconds within which a hot start hears satellites, if there are any.
  static let deaf = 3.0
  /// The weight of a new time in the estimate.
  private static let rate = 0.125

  /// The timeout of any acquisition, seconds.
  let timeout: Double
  /// Whether a start is hot whenever the receiver tracked last, if it ever did.
  let isAssisted: Bool
  private(set) var logMedian: Double

  /// `hot`: mean seconds of a hot start, as the device's profile expects it.
  ///
  /// An unknown receiver is expected to take 11 s, a field test's mean (profile `tracker-lora-m10`), and is given 120 s
  /// at most.
  init(hot: Double = 11, timeout: Double = 120) {
    self.timeout = timeout
    isAssisted = false
    // Mean of a log-normal: exp(μ + σ²/2).
    logMedian = logarithm(max(0.5, hot)) - Self.spread * Self.spread / 2
  }

  /// `logMedian`: natural logarithm of the median seconds of a hot start.
  init(logMedian: Double, timeout: Double, isAssisted: Bool) {
    self.timeout = timeout
    self.isAssisted = isAssisted
    self.logMedian = logMedian
  }

  /// The age that counts, seconds, of a receiver that last tracked `age` seconds ago, `nil` if it never did.
  private func counting(_ age: Double?) -> Double? { isAssisted ? 0 : age }

  /// Seconds of tracking that draw as much as a look: a mean hot start, during which a receiver draws about as much
  /// as in tracking.
  var again: Double { exponential(logMedian + Self.spread * Self.spread / 2) }

  /// The mean start of a receiver that last tracked `age` seconds ago, `nil` if it never did, over that of a hot one.
  static func staleness(age: Double?) -> Double {
    guard let age else { return warm }
    return 1 + (warm - 1) * (1 - Ephemeris.chanceOfHotStart(age: age))
  }

  /// Seconds by which a session precedes its wanted fix, if `late` seconds of delay are as dear as a look and the
  /// receiver has last tracked `age` seconds before.
  func lead(orLate late: Double, age: Double? = 0) -> Double {
    // The quantile of a normal distribution, by that of the logistic one.
    Self.staleness(age: counting(age))
      * exponential(logMedian + Self.spread * logarithm(again / late) / 1.702)
  }

  /// The timeout of a start, seconds, for a receiver that last tracked `age` seconds ago, `nil` if it never did: the
  /// first one gets twice as long, for a cold receiver that is switched off loses the data that it has collected.
  func timeout(age: Double?) -> Double { counting(age) == nil ? 2 * timeout : timeout }

  /// The same for a receiver that does not report satellites: 995 of 1,000 hot starts are faster. If the last one
  /// failed too, sky is in doubt: nine in ten hot starts are faster, and a cold one gets no more than any other.
  func patience(age: Double?, isBlind: Bool = false) -> Double {
    guard let age = counting(age) else { return isBlind ? timeout : timeout(age: nil) }
    guard age <= Ephemeris.sentFor else { return timeout }
    if isBlind { return min(timeout, exponential(logMedian + 1.28 * Self.spread)) }
    return min(timeout, max(20, exponential(logMedian + 2.58 * Self.spread)))
  }

  /// The timeout of a search that hears no satellites: in a hot start a receiver knows where they are, and hears the
  /// first within a second or two.
  func silence(age: Double?) -> Double {
    counting(age).map { $0 <= Ephemeris.sentFor } == true
      ? Self.deaf : patience(age: age, isBlind: true)
  }

  /// Seconds by which a search that has heard satellites for `heard` seconds is ahead of a new one: of log-normal times
  /// the mean rest is half a mean start or a little more, from the median on (within 1.5 s of 22, by its integral).
  func saved(by heard: Double) -> Double { min(heard, again / 2) }

  /// Learns from a receiver that last tracked `age` seconds ago and had its first fix after `seconds`.
  mutating func learn(_ seconds: Double, age: Double?) {
    guard let age = counting(age), age <= Ephemeris.sentFor, seconds >= 0.5,
      seconds <= timeout
    else {
      return
    }
    logMedian += Self.rate * (logarithm(seconds) - logMedian)
  }
}

/// A session of the receiver, from switching it on until it is switched off.
struct Search: Sendable, Equatable, Codable {
  let since: EngineInstant
  /// The time at which it is given up without a further fix.
  var until: EngineInstant
  var hasFix = false
  /// Whether the receiver hears satellites, assumed until it reports, and since when.
  private(set) var hears = true
  private var changedAt: EngineInstant
  /// Earlier seconds in which it heard satellites without a fix.
  private var earlier = 0.0

  init(since now: EngineInstant) { (since, until, changedAt) = (now, now, now) }

  /// Seconds up to now in which it heard satellites.
  func heard(at now: EngineInstant) -> Double {
    earlier + (hears ? EngineInstant.seconds(from: changedAt, to: now) : 0)
  }

  /// The time at which the sky was lost; `nil` if it hears satellites.
  var deafSince: EngineInstant? { hears ? nil : changedAt }

  mutating func hear(_ isHeard: Bool, at now: EngineInstant) {
    earlier = heard(at: now)
    (hears, changedAt) = (isHeard, now)
  }

  /// Discards what it has heard.
  mutating func forgetHeard() { earlier = 0 }
}
