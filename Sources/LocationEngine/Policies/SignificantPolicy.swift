// SPDX-License-Identifier: Apache-2.0

import LocationModel

// A policy decides *when to look*: when a network position is asked for, when the receiver is switched
// on for a session. Whether what is then seen is significant, each app's own anchor decides
// (`SignificantService`), by the policy's criteria. One policy serves all apps. One file and one case
// each.

/// A strategy of monitoring significant changes.
package enum SignificantPolicy: Sendable, Equatable, Codable {
  /// As documented: network positions at changes of cell, never the receiver.
  case ios(IOSPolicy)
  /// The same, as late as phones were measured to be.
  case iosField(IOSFieldPolicy)
  /// Network positions by the clock: 15 min and 500 m.
  case ownTracks(OwnTracksPolicy)
  /// The receiver while the device moves, with a distance filter that grows with speed.
  case elastic(ElasticPolicy)
  /// Sessions of the receiver at a fixed interval.
  case periodic(PeriodicPolicy)
  /// Scheduled sessions of the receiver, for a device without a modem.
  case receiver(ReceiverPolicy)
  /// Ours: sessions of the receiver when a crossing is likely.
  case milepost(MilepostPolicy)

  /// The name on the command line and in reports.
  package var name: String {
    switch self {
    case .ios: "ios"
    case .iosField: "ios-field"
    case .ownTracks: "owntracks-significant"
    case .elastic: "elastic"
    case .periodic: "periodic"
    case .receiver: "receiver"
    case .milepost: "milepost"
    }
  }

  /// The names of all policies.
  package static let names = [
    "ios", "ios-field", "owntracks-significant", "elastic", "periodic", "receiver", "milepost",
  ]

  /// What a policy hears.
  enum Event: Equatable {
    /// The first app began to monitor, or one began anew.
    case began
    /// The last app ended.
    case ended
    /// The modem camps on another cell; `nil` where it has no name. `mayTellAt` is the first instant at which some app may be
    /// told of a change; `nil` where one may be told now.
    case cellChanged(CellHint?, mayTellAt: EngineInstant?)
    /// The motion sensor fired; `mayTellAt` as above.
    case moved(mayTellAt: EngineInstant?)
    /// A position was admitted and judged for all apps.
    case judged(Judged)
    case failed
    case timePassed
  }

  /// What became of a position.
  struct Judged: Equatable {
    let fix: Fix
    /// When an app that had moved far enough may be told, where it was too soon.
    var retryAt: EngineInstant?
    /// Whether some app was told.
    var hasDelivered = false

    /// Metres.
    var accuracy: Double? { fix.horizontalAccuracy }
  }

  /// Takes an event; answers whether a network position is wanted now.
  mutating func handle(_ event: Event, at now: EngineInstant, rules: EngineRules) -> Bool {
    var isWanted = false
    switch self {
    case .ios(var policy):
      isWanted = policy.handle(event, at: now)
      self = .ios(policy)
    case .iosField(var policy):
      isWanted = policy.handle(event, at: now)
      self = .iosField(policy)
    case .ownTracks(var policy):
      isWanted = policy.handle(event, at: now)
      self = .ownTracks(policy)
    case .elastic(var policy):
      policy.handle(event, at: now)
      self = .elastic(policy)
    case .periodic(var policy):
      policy.handle(event, at: now)
      self = .periodic(policy)
    case .receiver(var policy):
      policy.handle(event, at: now, rules: rules)
      self = .receiver(policy)
    case .milepost(var policy):
      policy.handle(event, at: now)
      self = .milepost(policy)
    }
    return isWanted
  }

  var nextDeadline: EngineInstant? {
    switch self {
    case .ios(let policy): policy.retryAt
    case .iosField(let policy): policy.nextDeadline
    case .ownTracks(let policy): policy.next
    case .elastic(let policy): policy.nextDeadline
    case .periodic(let policy): policy.nextDeadline
    case .receiver(let policy): policy.nextDeadline
    case .milepost(let policy): policy.nextDeadline
    }
  }
}
