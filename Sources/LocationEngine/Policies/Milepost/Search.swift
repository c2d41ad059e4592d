// SPDX-License-Identifier: Apache-2.0

import LocationModel

/// A session of the receiver, from switching it on until it is switched off.
struct Search: Sendable, Equatable, Codable {
  let since: EngineInstant
  /// When it is given up without a further fix.
  var until: EngineInstant
  var hasFix = false
  /// Whether it hears satellites, as is believed until it says so, and since when.
  private(set) var hears = true
  private var changedAt: EngineInstant
  /// Seconds in which it heard some before that, and had no fix.
  private var earlier = 0.0

  init(since now: EngineInstant) { (since, until, changedAt) = (now, now, now) }

  /// Seconds up to now in which it heard satellites.
  func heard(at now: EngineInstant) -> Double {
    earlier + (hears ? EngineInstant.seconds(from: changedAt, to: now) : 0)
  }

  /// When the sky went; `nil` where it hears satellites.
  var deafSince: EngineInstant? { hears ? nil : changedAt }

  mutating func hear(_ isHeard: Bool, at now: EngineInstant) {
    earlier = heard(at: now)
    (hears, changedAt) = (isHeard, now)
  }

  /// What it has heard is given up.
  mutating func forget() { earlier = 0 }
}
