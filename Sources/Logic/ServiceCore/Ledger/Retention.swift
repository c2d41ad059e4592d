// SPDX-License-Identifier: Apache-2.0

import LocationModel

// Rows older than `keep_days` go when the service is awake anyway: it is not woken for that. So old rows may stay in
// the database while nothing at all happens, which adds nothing to it either.

/// The time of the last search for old rows.
struct Retention: Sendable, Equatable {
  /// The least time between two searches, seconds [ours].
  static let interval = 3_600.0

  private var last: EngineInstant?

  /// Whether to search now; if so, not again within `interval`.
  mutating func begins(at now: EngineInstant) -> Bool {
    if let last, EngineInstant.seconds(from: last, to: now) < Self.interval { return false }
    last = now
    return true
  }

  /// Puts the next search off by `interval`, whenever the last one was.
  mutating func postpone(at now: EngineInstant) { last = now }

  /// Makes the next search immediate: the retention time has changed.
  mutating func renew() { last = nil }
}
