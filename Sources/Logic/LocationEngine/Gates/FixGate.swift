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
    guard Self.isValid(accuracy: fix.horizontalAccuracy, speed: fix.speed) else {
      return .invalid
    }
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

  private static func isValid(accuracy: Double?, speed: Double?) -> Bool {
    if let accuracy, !(accuracy > 0) { return false }
    if let speed, !(speed >= 0) { return false }
    return true
  }

  // MARK: Rows of reports that are admitted one after the other

  /// Whether a report is admitted, and nothing behind it waits for a confirmation.
  func admitsAtOnce(_ report: ReceiverReport) -> Bool {
    var gate = self
    return gate.judge(report.fix, around: nil, at: report.at) == nil
      && gate.jumps.waits == nil && report.speed != nil
  }

  /// The same for the report that follows an admitted one: nothing else is needed to judge it.
  static func admits(_ report: ReceiverReport, after last: ReceiverReport) -> Bool {
    guard let time = report.time, let before = last.time, before < time, report.speed != nil,
      isValid(accuracy: report.accuracy, speed: report.speed)
    else { return false }
    return BelievedPlace.reaches(report, from: last)
  }

  /// Takes reports that are admitted in a row; the state is that behind the last one.
  mutating func passOver(upTo last: ReceiverReport) {
    (lastTime, lateRun, lastLateTime) = (last.time ?? lastTime, 0, nil)
    jumps.believe(BelievedPlace(last))
  }

  private mutating func isStep(to time: UTCInstant) -> Bool {
    // Two receivers may report each epoch: its second report says nothing more.
    guard lastLateTime != time else { return false }
    lateRun = lastLateTime.map { $0 < time } == true ? lateRun + 1 : 1
    lastLateTime = time
    return lateRun > Self.steppedAfter
  }
}
