// SPDX-License-Identifier: Apache-2.0

import LocationModel

// Theory
// ======
//
// What most trackers do: a session every `interval` seconds by the clock, whatever was seen before
// (Traccar's client asks every 300 s by default, peers 3.3). A session ends with its first good fix.
//
//   idle(next) ──time──► session(until, next) ──good fix, failure, time──► idle(next)
//
// The grid is kept: a long acquisition does not shift the sessions after it; one that lasts beyond the
// next place of the grid skips it.

/// Sessions of the receiver at a fixed interval.
package struct PeriodicPolicy: Sendable, Equatable, Codable {
  /// Seconds from the begin of a session to the begin of the next.
  package var interval = 300.0
  /// Seconds after which a session without a good fix ends.
  package var timeout: Double
  /// Metres at which a fix is good enough [ours].
  package var accuracy = 100.0

  private var phase = Phase.stopped

  private enum Phase: Sendable, Equatable, Codable {
    /// No app monitors.
    case stopped
    /// The receiver is off until the next session.
    case idle(next: EngineInstant)
    /// The receiver is on, at the longest until then.
    case session(until: EngineInstant, next: EngineInstant)
  }

  package init(timeout: Double) { self.timeout = timeout }

  var isInSession: Bool {
    if case .session = phase { true } else { false }
  }

  var nextDeadline: EngineInstant? {
    switch phase {
    case .stopped: nil
    case .idle(let next): next
    case .session(let until, _): until
    }
  }

  mutating func handle(_ event: SignificantPolicy.Event, at now: EngineInstant) {
    switch (event, phase) {
    case (.began, _): begin(at: now, due: now)
    case (.ended, _): phase = .stopped
    case (.judged(let judged), .session(_, let next)):
      if judged.accuracy.map({ $0 <= accuracy }) ?? true { rest(until: next, at: now) }
    case (.failed, .session(_, let next)): rest(until: next, at: now)
    case (.timePassed, .idle(let due)) where due <= now: begin(at: now, due: due)
    case (.timePassed, .session(let until, let next)) where until <= now:
      rest(until: next, at: now)
    case (.cellChanged, _), (.moved, _), (.judged, _), (.failed, _), (.timePassed, _): break
    }
  }

  private mutating func begin(at now: EngineInstant, due: EngineInstant) {
    phase = .session(
      until: now.advanced(bySeconds: timeout), next: due.advanced(bySeconds: interval))
  }

  private mutating func rest(until next: EngineInstant, at now: EngineInstant) {
    let late = EngineInstant.seconds(from: next, to: now)
    let skipped = late < 0 ? 0 : (late / interval).rounded(.down) + 1
    phase = .idle(next: next.advanced(bySeconds: skipped * interval))
  }
}
