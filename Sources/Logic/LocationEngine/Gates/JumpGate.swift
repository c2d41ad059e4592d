// SPDX-License-Identifier: Apache-2.0

package import Geodesy
package import LocationModel

// Theory
// ======
//
// A receiver now and then reports a place that the device cannot have reached. The gate compares each fix with the last
// believed one. A place is reachable if it lies within
//
//     slack + v·t + ½·a·t²,  at most slack + 400 m/s · t
//
// of it: slack is both claimed accuracies (30 m where unknown), what is above 30 m twice, and 30 m more, v the greater
// speed plus 10 m/s, a 4 m/s² (a fast car reaches 100 km/h in 7 s; an airliner takes off with 3), 400 m/s above any
// airliner's ground speed. All [ours]. The bound grows with the gap, so the far end of a tunnel passes.
//
// A fix that is not reachable becomes a *candidate* and waits. A fix that is nearer to the candidate than to the
// believed place, and reachable from it, agrees with it; that the believed place comes into reach as time goes by is no
// agreement, else every jump would be believed after some seconds. Any other fix drops the candidate: it is believed if
// it is reachable, and is the next candidate if it is not. The first place of all is believed at once, or after as many
// agreeing fixes as the caller asks for.
//
// The gate believes the new place (else one bad fix would shut out all good ones for ever) after three agreeing fixes at
// least, as soon as
//
//     they agree for `confirmsAfter` seconds
//     or they are ten, or more than those that speak for the believed place (for apps)
//
// The second is for receivers that are wrong for a moment and right from then on: a log that froze and goes on further
// on, and a start at the last place of the day before, for which a single fix speaks. Those speak for a place that came
// each within a minute of the one before (`support`).

// There are three gates, since their users know different things. `FixGate`, for all apps, knows the last fix and
// physics. `JumpRemoval`, for the truth of a replay, knows what comes after. The policy `milepost` knows the time since
// the last fix, and the hints: for a reachable fix it says how much likelier a jump is than the way
// (`PaceBelief.oddsOfJump`), and a jump is believed once it has lasted for longer than such a one would:
//
//     odds · e^(−t / `lasts`) ≤ `odds`     t the seconds for which others agree, at most `confirmsAfter`
//
// No gate takes another's word: a fix that confirmed a place for one may not have reached another.

/// Believes fixes that a moving object could have produced, and jumps that persist.
package struct JumpGate: Sendable, Equatable, Codable {
  /// Seconds for which candidates must agree with each other before they are believed [ours].
  package static let confirmsAfter = 60.0
  /// The least number of agreeing candidates [ours].
  package static let confirmingFixes = 3
  /// The number of agreeing candidates that need no more time [ours: ten seconds of a usual receiver].
  package static let consistentFixes = 10

  /// Seconds after which only one in e of the persistent jumps still lasts [ours].
  private static let lasts = 10.0
  /// The greatest odds of a jump against a way at which a fix is believed at once.
  private static let odds = 0.1

  /// Seconds for which other fixes must agree with a fix that is `odds` times likelier a jump than a way.
  static func doubt(odds: Double) -> Double { max(0, lasts * logarithm(odds / Self.odds)) }

  /// The believed place.
  private(set) var believed: BelievedPlace?
  private var candidate: Candidate?
  /// The number of fixes in a row that speak for the believed place, at most `consistentFixes`, as all do for a
  /// first one that the caller has judged.
  private var support = consistentFixes

  /// A far-off place that waits for its confirmation.
  var waits: Candidate? { candidate }

  struct Candidate: Sendable, Equatable, Codable {
    fileprivate(set) var latest: BelievedPlace
    let since: EngineInstant
    /// The number of fixes that agree with it.
    fileprivate(set) var count: Int
    /// Seconds for which they must agree, if less than usual.
    fileprivate var doubt: Double?

    var patience: Double { doubt ?? JumpGate.confirmsAfter }
  }

  package enum Judgement: Sendable, Equatable {
    case believed
    /// Far off; waits for confirmation. `isFirst` if it agrees with no candidate before it.
    case candidate(isFirst: Bool)
    /// Far off like the ones before it, and now there are enough: all of them were right.
    case confirmed
  }

  package init() {}

  /// Believes a place that the caller has judged by the rules of this gate.
  mutating func believe(_ place: BelievedPlace) { (believed, candidate) = (place, nil) }

  /// Believes a fix that is the last one of a row of `count` that began at `first`, each reachable from the one before.
  mutating func believe(
    lastOf count: Int, since first: EngineInstant, _ fix: Fix, around frame: LocalFrame?,
    at now: EngineInstant
  ) {
    support = min(Self.consistentFixes, supportBehind(first) + count - 1)
    believe(BelievedPlace(fix, around: frame, at: now))
  }

  /// The support of the believed place with a fix of `now`.
  private func supportBehind(_ now: EngineInstant) -> Int {
    guard let believed, EngineInstant.seconds(from: believed.at, to: now) <= Self.confirmsAfter
    else { return 1 }
    return min(Self.consistentFixes, support + 1)
  }

  /// Judges one fix; times must not decrease.
  ///
  /// `doubt` is further knowledge of the way: the seconds for which others must agree with a reachable fix.
  /// `firstFixes` must agree before the first place of all is believed. `frame` is the one around the fix, if the
  /// caller has it. `byCount`: whether ten fixes confirm a place, however short their time.
  package mutating func judge(
    _ fix: Fix, around frame: LocalFrame? = nil, at now: EngineInstant, doubt: Double = 0,
    firstFixes: Int = 1, byCount: Bool = true
  ) -> Judgement {
    guard let believed else { return judgeFirst(fix, of: firstFixes, at: now) }
    guard var candidate, Self.agrees(fix, at: now, with: candidate.latest, before: believed) else {
      let isReached = believed.reaches(fix, at: now)
      guard isReached, doubt <= 0 else {
        self.candidate = Candidate(
          latest: BelievedPlace(fix, at: now), since: now, count: 1,
          doubt: isReached && doubt < Self.confirmsAfter ? doubt : nil)
        return .candidate(isFirst: true)
      }
      support = supportBehind(now)
      self.believed = BelievedPlace(fix, around: frame, at: now, after: believed)
      self.candidate = nil
      return .believed
    }
    candidate.latest = BelievedPlace(fix, at: now, after: candidate.latest)
    candidate.count += 1
    if candidate.count >= Self.confirmingFixes,
      byCount && candidate.count > min(support, Self.consistentFixes - 1)
        || EngineInstant.seconds(from: candidate.since, to: now) >= candidate.patience
    {
      support = min(Self.consistentFixes, candidate.count)
      self.believed = candidate.latest
      self.candidate = nil
      return .confirmed
    }
    self.candidate = candidate
    return .candidate(isFirst: false)
  }

  private mutating func judgeFirst(
    _ fix: Fix, of firstFixes: Int, at now: EngineInstant
  ) -> Judgement {
    let last = candidate.flatMap { $0.latest.reaches(fix, at: now) ? $0 : nil }
    let count = (last?.count ?? 0) + 1
    let latest = BelievedPlace(fix, at: now, after: last?.latest)
    guard count < firstFixes else {
      (believed, candidate, support) = (latest, nil, count)
      return .believed
    }
    candidate = Candidate(latest: latest, since: last?.since ?? now, count: count)
    return .candidate(isFirst: count == 1)
  }

  private static func agrees(
    _ fix: Fix, at now: EngineInstant, with candidate: BelievedPlace, before believed: BelievedPlace
  ) -> Bool {
    candidate.distance(to: fix) < believed.distance(to: fix) && candidate.reaches(fix, at: now)
  }
}
