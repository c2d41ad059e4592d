// SPDX-License-Identifier: Apache-2.0

import LocationModel

/// A session of the receiver, from switching it on until it is switched off.
struct Search: Sendable, Equatable, Codable {
  let since: EngineInstant
  /// The time at which it is given up without a further fix.
  var until: EngineInstant
  var hasFix = false
  /// Whether the receiver hears satellites, assumed until it reports, and since when.
  private(set) var hears = true
  private var changedAt: EngineInstant
  /// Earlier seconds in which it heard satellites without a fix.
  private var earlier = 0.0

  init(since now: EngineInstant) { (since, until, changedAt) = (now, now, now) }

  /// Seconds up to now in which it heard satellites.
  func heard(at now: EngineInstant) -> Double {
    earlier + (hears ? EngineInstant.seconds(from: changedAt, to: now) : 0)
  }

  /// The time at which the sky was lost; `nil` if it hears satellites.
  var deafSince: EngineInstant? { hears ? nil : changedAt }

  mutating func hear(_ isHeard: Bool, at now: EngineInstant) {
    earlier = heard(at: now)
    (hears, changedAt) = (isHeard, now)
  }

  /// Discards what it has heard.
  mutating func forget() { earlier = 0 }
}

extension MilepostPolicy {
  enum Phase: Sendable, Equatable, Codable {
    /// No app monitors.
    case stopped
    /// The receiver is on.
    case looking(Search)
    /// The receiver is off until then at most.
    case waiting(EngineInstant)
    /// The receiver is off until then, when a jump may be confirmed.
    case confirming(EngineInstant)
    /// The receiver is off, and the network may answer until then.
    case asking(EngineInstant)

    /// The time at which it ends by itself.
    var until: EngineInstant? {
      switch self {
      case .stopped: nil
      case .looking(let search): search.until
      case .waiting(let until), .confirming(let until), .asking(let until): until
      }
    }
  }
}
