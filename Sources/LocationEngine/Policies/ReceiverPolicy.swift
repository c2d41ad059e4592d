// SPDX-License-Identifier: Apache-2.0

import LocationModel

// Theory
// ======
//
// Without a modem nothing tells that the device has moved, so the receiver is switched on for a short
// session every `interval` seconds, until a fix is at least as good as `accuracy` or `timeout` is over.
// After a fix that was far enough but too soon, the next session begins when the 300 s are over.
//
//   idle(next) ──time──► session(until) ──good fix──► idle(now + interval, or the retry)
//                            └── time, failure ─────► idle(now + interval)
//
// This is the honest, simple schedule: it knows nothing of speed and misses what happens in between.

/// Significant changes from scheduled sessions of the receiver.
package struct ReceiverPolicy: Sendable, Equatable, Codable {
  /// Seconds from the end of a session to the next [ours: the documented minimum interval].
  package var interval = 300.0
  /// Seconds after which a session without a good fix ends; not less than the receiver takes for a cold
  /// start, else it would never get a first one.
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
    case session(until: EngineInstant)
  }

  package init(timeout: Double) { self.timeout = timeout }

  var isInSession: Bool {
    if case .session = phase { true } else { false }
  }

  var nextDeadline: EngineInstant? {
    switch phase {
    case .stopped: nil
    case .idle(let next): next
    case .session(let until): until
    }
  }

  mutating func handle(
    _ event: SignificantPolicy.Event, at now: EngineInstant, rules: EngineRules
  ) {
    let next = now.advanced(bySeconds: interval)
    switch (event, phase) {
    case (.began, _): phase = .session(until: now.advanced(bySeconds: timeout))
    case (.ended, _): phase = .stopped
    case (.judged(let judged), .session):
      if judged.accuracy.map({ $0 <= accuracy }) ?? true {
        phase = .idle(next: judged.retryAt ?? next)
      }
    case (.failed, .session): phase = .idle(next: next)
    case (.timePassed, .idle(let due)) where due <= now:
      phase = .session(until: now.advanced(bySeconds: timeout))
    case (.timePassed, .session(let until)) where until <= now: phase = .idle(next: next)
    case (.cellChanged, _), (.moved, _), (.judged, _), (.failed, _), (.timePassed, _): break
    }
  }
}
