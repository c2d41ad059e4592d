// SPDX-License-Identifier: Apache-2.0

import LocationModel

// A policy decides *when to look*: when a network position is asked for, when the receiver is switched
// on for a session. Whether what is then seen is significant, each app's own anchor decides
// (`SignificantService`). One policy serves all apps. One file and one case each.

/// A strategy of monitoring significant changes.
package enum SignificantPolicy: Sendable, Equatable {
  /// As documented: network positions at changes of cell, never the receiver.
  case ios(IOSPolicy)
  /// Scheduled sessions of the receiver, for a device without a modem.
  case receiver(ReceiverPolicy)

  /// The name on the command line and in reports.
  package var name: String {
    switch self {
    case .ios: "ios"
    case .receiver: "receiver"
    }
  }

  /// The names of all policies.
  package static let names = ["ios", "receiver"]

  /// What a policy hears.
  enum Event: Equatable {
    /// The first app began to monitor, or one began anew.
    case began
    /// The last app ended.
    case ended
    /// The modem camps on another cell. `mayTellAt` is the first instant at which some app may be
    /// told of a change; `nil` where one may be told now.
    case cellChanged(mayTellAt: EngineInstant?)
    /// A position was judged. `accuracy` in metres; `retryAt` is when an app that had moved far enough
    /// may be told, where it was too soon.
    case judged(accuracy: Double?, retryAt: EngineInstant?)
    case failed
    case timePassed
  }

  /// Takes an event; answers whether a network position is wanted now.
  mutating func handle(_ event: Event, at now: EngineInstant, rules: EngineRules) -> Bool {
    switch self {
    case .ios(var policy):
      let isWanted = policy.handle(event, at: now)
      self = .ios(policy)
      return isWanted
    case .receiver(var policy):
      policy.handle(event, at: now, rules: rules)
      self = .receiver(policy)
      return false
    }
  }

  var nextDeadline: EngineInstant? {
    switch self {
    case .ios(let policy): policy.retryAt
    case .receiver(let policy): policy.nextDeadline
    }
  }

  /// What it listens to while at least one app monitors.
  var triggers: Triggers {
    switch self {
    case .ios: .cells
    case .receiver: []
    }
  }

  /// Whether it wants the receiver on now.
  var wantsSession: Bool {
    if case .receiver(let policy) = self { policy.isInSession } else { false }
  }

  /// What the receiver waits for while it is off under this policy.
  var waitsFor: ReceiverPlan.Off {
    switch self {
    case .ios: .awaitsCellChange
    case .receiver(let policy): policy.nextDeadline.map { .awaitsSession($0) } ?? .nobodyAsks
    }
  }
}
