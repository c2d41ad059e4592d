// SPDX-License-Identifier: Apache-2.0

import LocationModel

// Theory
// ======
//
// A fix may be a jump, and after a long sleep hardly any place is out of reach: distance alone does not
// tell. What tells is whether the device moved at all. So a fix is believed if it lies
//
//   moved    within what a moving thing reaches (`JumpGate`'s bound), where the motion sensor, or the
//            Doppler speed of this or the last fix, says that it moves;
//   still    within the noise of both fixes and `leastMove`, where nothing says so; beside a motion sensor
//            as far as it would not have felt (`creep`): it feels 1 m/s, and half the distance of an event
//            that turns out wrong wakes nobody.
//
// A cold start's first fix has nothing to be compared with, so the first three must agree.
// What is not believed is a *candidate* and waits, as in `JumpGate`: three fixes that agree with each
// other for `confirmsAfter` seconds make it the truth, for there are moves that nobody felt (a ferry, a
// motion sensor that is broken); back at the believed place it is forgotten.
//
//   believed ──out of reach──► candidate ──agrees, 3 fixes and 60 s──► believed (there)
//       ▲                       │     └──elsewhere──► candidate (anew)
//       └──fix at the old place─┘

/// Where the device is believed to be, and what speaks against it.
struct PositionBelief: Sendable, Equatable, Codable {
  /// Metres from the last place that noise alone does not explain, beside the accuracies [ours].
  static let leastMove = 50.0
  /// Metres that are believed at most of what a motion sensor did not feel [ours].
  static let mostUnfelt = 200.0
  /// Fixes that must agree before the first place is believed.
  static let firstFixes = 3

  private(set) var place: BelievedPlace?
  private var candidate: BelievedPlace?
  private(set) var candidateSince: EngineInstant?
  private var agreeing = 0

  /// Whether so many fixes agree with the candidate that only its time is missing.
  var isCandidateSteady: Bool { candidate != nil && agreeing >= Self.firstFixes }

  /// Judges a fix; `hasMoved` says whether something else than its place shows movement, `mayCreep` whether
  /// there is a motion sensor, under which the device may have crept.
  mutating func believes(_ fix: Fix, at now: EngineInstant, hasMoved: Bool, mayCreep: Bool) -> Bool
  {
    if let place {
      let distance = place.distance(to: fix)
      let isReachable =
        hasMoved
        ? distance <= place.reach(to: fix, at: now)
        : distance <= place.noise(to: fix) + Self.leastMove
          + (mayCreep ? Self.creep(since: place.at, to: now) : 0)
      if isReachable { return believe(fix, at: now) }
    }
    if let candidate, let since = candidateSince,
      candidate.reaches(fix, at: now),
      place.map({ candidate.distance(to: fix) < $0.distance(to: fix) }) ?? true
    {
      agreeing += 1
      self.candidate = BelievedPlace(fix, at: now)
      let isLong = EngineInstant.seconds(from: since, to: now) >= JumpGate.confirmsAfter
      if agreeing >= Self.firstFixes, isLong || place == nil { return believe(fix, at: now) }
    } else {
      candidate = BelievedPlace(fix, at: now)
      candidateSince = now
      agreeing = 1
    }
    return false
  }

  /// Metres that a motion sensor may not have felt.
  private static func creep(since: EngineInstant, to now: EngineInstant) -> Double {
    min(mostUnfelt, EngineInstant.seconds(from: since, to: now) * MotionRecord.feels)
  }

  private mutating func believe(_ fix: Fix, at now: EngineInstant) -> Bool {
    place = BelievedPlace(fix, at: now)
    candidate = nil
    candidateSince = nil
    agreeing = 0
    return true
  }
}
