// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel

// Theory
// ======
//
// Between two points of a trace that are minutes or hours apart there are no measurements. The world draws its luck
// there once a stride (`TruthStream`), and a run without events in between takes the stride in one step. If it has any
// (its receiver searches, a deadline comes), it makes the seconds that it needs:
//
//   the world    before ────────────────────────────────────────────────────────► after
//   receiver off        ────────────────────────────────────────────────────────►
//   deadline, session   ──────────────────►│·│·│·│·│·│·│·│──────────────────────►
//   hears of a cell     ───────────────────────────────────────────►────────────►
//
// - The made samples lie straight between the two ends: places, the receiver's error. There is sky if
//   both ends have it.
// - *Hints* have their second: the motion sensor's windows end on the way, and a moving device's modem is checked every
//   5 s. At rest both are checked at the end.
// - *Movement that goes on* is no news: in a stride in which the device moves as in the one before, the windows in
//   which it is felt wait for the next second that is looked at, and are reported there in one. That is the latest of
//   them before a deadline, so that a late report is not taken for silence, and else the stride's end. So policies
//   decide once a stride, not every 10 s of a ride.
// - The made samples draw nothing, so no run changes the luck of another one.

/// A stretch of a long leg, from one sample of the world to the next.
struct Stride {
  let before: WorldSample
  let after: WorldSample
  /// The events of the truth at its end.
  let events: [TruthEvent]
  /// The cells on which a modem camps on the way, in order; that of the end is in `after`.
  let cells: [Camping]
  /// The events of the motion sensor, in order, the end included.
  let windows: [EngineInstant]

  /// Seconds between two looks of a modem on the way [ours: a reselection takes one, the flicker 20].
  static let listening = 5

  struct Camping: Sendable, Equatable {
    let at: EngineInstant
    let cell: CellID
  }

  /// Whether the device moves as in the stride before.
  var goesOn: Bool { after.truth.way == before.truth.way }

  var end: EngineInstant { after.truth.at }

  /// The next second at which a modem, or the sensor, has an urgent report.
  func nextHint(
    after latest: EngineInstant, cells hearsCells: Bool, motion hearsMotion: Bool
  ) -> EngineInstant? {
    let change = hearsCells ? cells.first { $0.at > latest }?.at : nil
    let window = hearsMotion && !goesOn ? windows.first { $0 > latest } : nil
    return .earlier(change, window)
  }

  /// The last second before the end, up to `instant`, of an event of the sensor not yet reported.
  func lastWindow(after latest: EngineInstant, upTo instant: EngineInstant) -> EngineInstant? {
    windows.last { $0 > latest && $0 <= instant && $0 < end }
  }

  /// The world at a second within; `latest` is the time of the previous look.
  func sample(at instant: EngineInstant, after latest: EngineInstant) -> WorldSample {
    var sample = after
    sample.truth = after.truth.part(at: instant, after: latest, from: before.truth)
    sample.cell = cells.last { $0.at <= instant }?.cell ?? before.cell
    sample.felt = felt(after: latest, upTo: instant)
    let fraction =
      EngineInstant.seconds(from: before.truth.at, to: instant)
      / EngineInstant.seconds(from: before.truth.at, to: end)
    sample.fix = nil
    if let start = before.fix, let end = after.fix {
      var fix = sample.truth.exactFix
      fix.coordinate = start.coordinate.interpolated(to: end.coordinate, fraction: fraction)
      fix.horizontalAccuracy = end.horizontalAccuracy
      sample.fix = fix
    }
    return sample
  }

  /// Its end, if the previous look was at `latest`.
  func end(after latest: EngineInstant) -> WorldSample {
    var sample = after
    sample.truth = after.truth.remainder(after: latest)
    sample.felt = felt(after: latest, upTo: end)
    return sample
  }

  private func felt(after latest: EngineInstant, upTo instant: EngineInstant) -> Int {
    windows.count { $0 > latest && $0 <= instant }
  }
}
