// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel

// Theory
// ======
//
//   sky ──no fix of a receiver that tracks──► dark ──`radius` away from there──► hidden
//    ▲                                         │                                 │
//    └───────────────── a fix ─────────────────┴─────────────────────────────────┘
//
// A device that lies still without sky, as in a house, is where it was, and everybody can know that. One that goes on, as
// in a tunnel, is nobody knows where.

/// Whether a receiver, had it tracked all the time, could have known the device's place.
struct LostSky: Sendable {
  /// Metres from where the sky was lost [ours: as around a place of a visit].
  static let radius = ScoringRules.Stay.radius

  private enum Phase: Sendable {
    case sky
    case dark(from: LocalFrame)
    case hidden
  }

  private var phase = Phase.sky

  /// Whether the place is hidden.
  var isHidden: Bool { if case .hidden = phase { true } else { false } }

  /// Advances the truth by a second at which there is sky, or not.
  @inline(__always)
  mutating func pass(_ truth: TruthSample, hasSky: Bool) {
    if truth.beginsSegment || hasSky { phase = .sky }
    if !hasSky { darken(at: truth.place) }
  }

  private mutating func darken(at place: LocalFrame) {
    switch phase {
    case .sky: phase = .dark(from: place)
    case .dark(let start):
      if start.distance(to: place.origin) >= Self.radius { phase = .hidden }
    case .hidden: break
    }
  }
}
