// SPDX-License-Identifier: Apache-2.0

import LocationModel

// Rows older than `keep_days` go when the service is awake anyway: nothing wakes it for that. So what is too old
// may lie in the database for as long as nothing at all happens, which adds nothing to it either.

/// When what is too old was last looked for.
struct Retention: Sendable, Equatable {
  /// Seconds between two looks at least [ours].
  static let interval = 3_600.0

  private var last: EngineInstant?

  /// Whether it is to be looked for now; then it is, and not again within `interval`.
  mutating func begins(at now: EngineInstant) -> Bool {
    if let last, EngineInstant.seconds(from: last, to: now) < Self.interval { return false }
    last = now
    return true
  }

  /// The next look is after `interval`, whenever the last one was.
  mutating func postpone(at now: EngineInstant) { last = now }

  /// The next look is at once: another time is kept from now on.
  mutating func renew() { last = nil }
}
