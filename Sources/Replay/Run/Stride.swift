// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel
import RadioWorld

// Theory
// ======
//
// Between two points of a trace that are minutes or hours apart nobody measured anything. The world draws its luck
// there once a stride (`TruthStream`), and a run that has nothing to see in between takes the stride in one step.
// Where it has (its receiver searches, a deadline comes), it makes the seconds that it needs:
//
//   the world    before ────────────────────────────────────────────────────────► after
//   receiver off        ────────────────────────────────────────────────────────►
//   deadline, session   ──────────────────►│·│·│·│·│·│·│·│──────────────────────►
//   hears of a cell     ───────────────────────────────────────────►────────────►
//
// - What is made lies straight between the two ends: places, the receiver's error. There is sky where both ends
//   have it.
// - *Hints* have their second: the motion sensor's windows end on the way, and a modem of a device that moves is asked
//   every 5 s. At rest both are asked at the end.
// - What is made draws nothing, so that no run changes the luck of another one.

/// A stretch of a long leg, from one sample of the world to the next.
struct Stride {
  let before: WorldSample
  let after: WorldSample
  /// What can be heard on the way, in order; what is at its end is in `after`.
  let hints: [Hint]

  /// Seconds between two looks of a modem on the way [ours: a reselection takes one, the flicker 20].
  static let listening = 5

  struct Hint: Sendable, Equatable {
    let at: EngineInstant
    /// The cell that a modem camps on from then on.
    let cell: CellID
    /// Whether the motion sensor fires.
    var isMotion = false
  }

  var end: EngineInstant { after.truth.at }

  /// The world at a second within; `latest` is when it was looked at before.
  func sample(at instant: EngineInstant, after latest: EngineInstant) -> WorldSample {
    var sample = after
    sample.truth = after.truth.part(at: instant, after: latest, from: before.truth)
    let heard = hints.last { $0.at <= instant }
    sample.cell = heard?.cell ?? before.cell
    sample.moves = heard.map { $0.at == instant && $0.isMotion } ?? false
    sample.fix = fix(at: sample.truth)
    sample.hasSky = sample.fix != nil
    return sample
  }

  /// Its end, where the world was looked at before at `latest`.
  func end(after latest: EngineInstant) -> WorldSample {
    var sample = after
    sample.truth = after.truth.remainder(after: latest)
    return sample
  }

  private func fix(at truth: TruthSample) -> Fix? {
    guard let first = before.fix, var fix = after.fix else { return nil }
    let fraction =
      EngineInstant.seconds(from: before.truth.at, to: truth.at)
      / EngineInstant.seconds(from: before.truth.at, to: end)
    fix.time = truth.time
    fix.coordinate = first.coordinate.interpolated(to: fix.coordinate, fraction: fraction)
    fix.altitude = truth.details.altitude
    fix.ellipsoidalHeight = truth.details.ellipsoidalHeight
    fix.verticalAccuracy = truth.details.verticalAccuracy
    fix.course = truth.details.course
    fix.speedAccuracy = truth.details.speedAccuracy
    fix.courseAccuracy = truth.details.courseAccuracy
    return fix
  }
}
