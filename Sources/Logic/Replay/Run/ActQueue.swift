// SPDX-License-Identifier: Apache-2.0

package import Geodesy
package import LocationModel

// Theory
// ======
//
// Lines come one after the other: the next one waits for its own moment, and never comes before the one before it. A
// line at a place waits for a crossing of the circle that begins when its turn has come:
//
//   leaving:   seen inside ─► seen outside ─► comes
//   reaching:  seen outside ─► seen inside ─► comes
//
// The true position counts, not a receiver's: it stands for a user who is there.

/// The pending acts of user and system in a run.
package struct ActQueue<What: Sendable & Equatable>: Sendable {
  private var acts: ArraySlice<TimedAct<What>>
  /// The time of the first sample.
  private var start = EngineInstant.zero
  private var startUTC = UTCInstant(microseconds: 0)
  /// The time of the previous line.
  private var last = EngineInstant.zero
  private var crossing = Crossing.none
  /// The latest place of the device.
  private var latest: Coordinate?

  private enum Crossing: Sendable, Equatable {
    case none
    /// The device was seen where a crossing begins.
    case begun
    case done(EngineInstant)
  }

  package init(_ acts: [TimedAct<What>]) { self.acts = acts[...] }

  package mutating func begin(at now: EngineInstant, utc: UTCInstant) {
    (start, last, startUTC) = (now, now, utc)
  }

  /// Whether no line is pending.
  var isEmpty: Bool { acts.isEmpty }

  /// The pending lines.
  package var rest: [TimedAct<What>] { Array(acts) }

  /// The time of the next line; `nil` if it waits for a place, or there is none.
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

  /// Takes a true position of the device.
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

  /// Takes the next line, if its moment has come.
  package mutating func pop(at now: EngineInstant) -> TimedAct<What>? {
    crossing = .none
    last = now
    let act = acts.popFirst()
    // The next one's crossing may begin at the device's place.
    if let latest { see(latest, at: now) }
    return act
  }
}
