// SPDX-License-Identifier: Apache-2.0

package import Geodesy
package import LocationModel

// Theory
// ======
//
// A receiver now and then reports a place that the device cannot have reached. The gate compares each
// fix with the last believed one. Reachable is whatever lies within
//
//     slack + v·t + ½·a·t²,  at most slack + 400 m/s · t
//
// of it: slack is both claimed accuracies (30 m where unknown) and 30 m more, v the last speed plus
// 10 m/s, a 4 m/s² (a fast car reaches 100 km/h in 7 s; an airliner takes off with 3), 400 m/s above any
// airliner's ground speed. All [ours]. The bound grows with the gap, so the far end of a tunnel passes.
//
// A fix that is not reachable becomes a *candidate* and waits. A fix that is nearer to the candidate than to
// the believed place, and reachable from it, agrees with it; that the believed place comes into reach as
// time goes by is no agreement, else every jump would be believed after some seconds. After
// `confirmsAfter` seconds and three fixes of agreement the gate believes the new place (else one bad
// first fix would shut out all good ones for ever). Any other fix drops the candidate: it is believed if
// it is reachable, and is the next candidate if it is not. The first place of all is believed at once, or
// once so many fixes agree as the caller asks for.

/// Believes fixes that a moving thing could have produced, and jumps that persist.
package struct JumpGate: Sendable, Equatable, Codable {
  /// Seconds for which candidates must agree with each other before they are believed [ours].
  package static let confirmsAfter = 60.0
  /// How many of them there must be at least [ours].
  package static let confirmingFixes = 3

  /// The place that is believed.
  private(set) var believed: BelievedPlace?
  private var candidate: Candidate?

  /// Since when a candidate waits for its confirmation, and how many fixes agree with it.
  var waits: (since: EngineInstant, count: Int)? { candidate.map { ($0.since, $0.count) } }

  private struct Candidate: Sendable, Equatable, Codable {
    var latest: BelievedPlace
    var since: EngineInstant
    var count: Int
  }

  package enum Judgement: Sendable, Equatable {
    case believed
    /// Far off; waits for confirmation. `isFirst` where it agrees with no candidate before it.
    case candidate(isFirst: Bool)
    /// Far off as the ones before it, and now there are enough: they all were right.
    case confirmed
  }

  package init() {}

  /// Judges one fix; times must not decrease.
  ///
  /// `isLikely` is what else is known of the way to it: a fix that is not likely is a candidate although it
  /// could be reached. `firstFixes` must agree before the first place of all is believed. `frame` is the one
  /// around the fix, where somebody has it.
  package mutating func judge(
    _ fix: Fix, around frame: LocalFrame? = nil, at now: EngineInstant, isLikely: Bool = true,
    firstFixes: Int = 1
  ) -> Judgement {
    guard let believed else { return judgeFirst(fix, of: firstFixes, at: now) }
    guard var candidate, Self.agrees(fix, at: now, with: candidate.latest, before: believed) else {
      guard isLikely, believed.reaches(fix, at: now) else {
        self.candidate = Candidate(
          latest: BelievedPlace(fix, at: now), since: now, count: 1)
        return .candidate(isFirst: true)
      }
      self.believed = BelievedPlace(fix, around: frame, at: now, after: believed)
      self.candidate = nil
      return .believed
    }
    candidate.latest = BelievedPlace(fix, at: now, after: candidate.latest)
    candidate.count += 1
    if candidate.count >= Self.confirmingFixes,
      EngineInstant.seconds(from: candidate.since, to: now) >= Self.confirmsAfter
    {
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
      (believed, candidate) = (latest, nil)
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
