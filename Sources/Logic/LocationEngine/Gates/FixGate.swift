// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel

// Theory
// ======
//
// Late, duplicate, impossible and jumping fixes are ordinary inputs; the gate names them before any app's
// filter sees them. Order by fix time is judged against the last admitted one. A receiver's clock may
// also step back for good (week rollover, a leap second learnt late): then every fix would be late for
// ever. So after `steppedAfter` late ones in a row whose own times rise, the gate adopts the new axis.

/// Admits the fixes that are worth judging and says what is wrong with the others.
struct FixGate: Sendable, Equatable, Codable {
  /// The number of late fixes in a row, rising among themselves, that make a stepped clock [ours].
  static let steppedAfter = 10

  private var lastTime: UTCInstant?
  private var lateRun = 0
  private var lastLateTime: UTCInstant?
  private var jumps = JumpGate()

  /// The fault of the fix, or `nil` if it is admitted; `frame` is the one around it, if the caller has it.
  mutating func judge(
    _ fix: Fix, around frame: LocalFrame?, at now: EngineInstant
  ) -> Verdict.Outcome? {
    if let accuracy = fix.horizontalAccuracy, !(accuracy > 0) { return .invalid }
    if let speed = fix.speed, !(speed >= 0) { return .invalid }
    if let time = fix.time, let last = lastTime {
      if time == last { return .duplicate }
      if time < last && !isStep(to: time) { return .late }
    }
    lateRun = 0
    lastLateTime = nil
    if fix.time != nil { lastTime = fix.time }
    switch jumps.judge(fix, around: frame, at: now) {
    case .believed, .confirmed: return nil
    case .candidate: return .jumpUnconfirmed
    }
  }

  /// Admits a row of `count` fixes that began at `first`, each admitted after the one before; only the last is remembered.
  mutating func admit(
    _ count: Int, since first: EngineInstant, to last: Fix, around frame: LocalFrame,
    at now: EngineInstant
  ) {
    (lastTime, lateRun, lastLateTime) = (last.time, 0, nil)
    jumps.believe(lastOf: count, since: first, last, around: frame, at: now)
  }

  private mutating func isStep(to time: UTCInstant) -> Bool {
    // Two receivers may report each epoch: its second report says nothing more.
    guard lastLateTime != time else { return false }
    lateRun = lastLateTime.map { $0 < time } == true ? lateRun + 1 : 1
    lastLateTime = time
    return lateRun > Self.steppedAfter
  }
}
