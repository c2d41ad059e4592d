// SPDX-License-Identifier: Apache-2.0

package import Geodesy
package import LocationModel
package import Scenarios

// Theory
// ======
//
// Lines come one after the other: the next one waits for its own moment, and never comes before the one before
// it. A line at a place waits for a crossing of the circle that begins when its turn has come:
//
//   leaving:   seen inside ─► seen outside ─► comes
//   reaching:  seen outside ─► seen inside ─► comes
//
// Where the device truly is counts, not what any receiver says: this is what the user does who stands there.

/// What user and system are still to do in a run.
package struct ActQueue: Sendable {
  private var acts: ArraySlice<UserAct>
  /// The first sample.
  private var start = EngineInstant.zero
  private var startUTC = UTCInstant(microseconds: 0)
  /// When the line before came.
  private var last = EngineInstant.zero
  private var crossing = Crossing.none
  /// Where the device was last.
  private var latest: Coordinate?

  private enum Crossing: Sendable, Equatable {
    case none
    /// The device was seen where a crossing begins.
    case begun
    case done(EngineInstant)
  }

  package init(_ acts: [UserAct]) { self.acts = acts[...] }

  package mutating func begin(at now: EngineInstant, utc: UTCInstant) {
    (start, last, startUTC) = (now, now, utc)
  }

  /// Whether nothing is to come.
  var isEmpty: Bool { acts.isEmpty }

  /// Lines that have not come.
  package var rest: [UserAct] { Array(acts) }

  /// When the next line comes; `nil` where it waits for a place, or there is none.
  package var nextDeadline: EngineInstant? {
    guard !isEmpty, let act = acts.first else { return nil }
    let moment: EngineInstant? =
      switch act.when {
      case .elapsed(let seconds): start.advanced(bySeconds: seconds)
      case .utc(let utc):
        start.advanced(bySeconds: UTCInstant.seconds(from: startUTC, to: utc))
      case .later(let seconds): last.advanced(bySeconds: seconds)
      case .leaving, .reaching: if case .done(let at) = crossing { at } else { nil }
      }
    return moment.map { max($0, last) }
  }

  /// The device truly is here.
  package mutating func see(_ point: Coordinate, at now: EngineInstant) {
    latest = point
    guard let act = acts.first else { return }
    let isWhereItEnds: Bool
    switch act.when {
    case .leaving(let place): isWhereItEnds = !place.contains(point)
    case .reaching(let place): isWhereItEnds = place.contains(point)
    case .elapsed, .utc, .later: return
    }
    switch crossing {
    case .none: if !isWhereItEnds { crossing = .begun }
    case .begun: if isWhereItEnds { crossing = .done(now) }
    case .done: break
    }
  }

  /// The next line, whose moment has come.
  package mutating func pop(at now: EngineInstant) -> UserAct? {
    crossing = .none
    last = now
    let act = acts.popFirst()
    // The next one's crossing may begin where the device is.
    if let latest { see(latest, at: now) }
    return act
  }
}
