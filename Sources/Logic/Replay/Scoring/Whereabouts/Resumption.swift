// SPDX-License-Identifier: Apache-2.0

import LocationModel

// Theory
// ======
//
// Behind a gap of the recording an app knows where its device was before it, and no mode could tell it more. Until the
// next delivery, and for the time in which a receiver finds its place at most, nothing that it does not know counts: else
// the greatest errors would be those of the gap.
//
//   known ── segment ends ──► in the gap ── first sample ──► resuming ── delivery, or `longest` ──► known

/// Whether what an app knows is of before a gap, and nobody's fault yet.
struct Resumption: Sendable, Equatable {
  /// Seconds behind a gap within which an app may learn its place again [ours: a receiver gives a search up after 120 s].
  static let longest = 120.0

  private enum State: Sendable, Equatable {
    case known
    case gap
    case resuming(until: EngineInstant)
  }

  private var state = State.known

  mutating func endSegment() { state = .gap }

  /// The app learns a position.
  mutating func learned() { state = .known }

  /// Whether nothing counts at `now`, a sample of the truth.
  @inline(__always)
  mutating func isOn(at now: EngineInstant) -> Bool {
    if case .known = state { return false }
    return resumes(at: now)
  }

  private mutating func resumes(at now: EngineInstant) -> Bool {
    switch state {
    case .known: return false
    case .gap:
      state = .resuming(until: now.advanced(bySeconds: Self.longest))
      return true
    case .resuming(let end):
      if now > end { state = .known }
      return now <= end
    }
  }
}
