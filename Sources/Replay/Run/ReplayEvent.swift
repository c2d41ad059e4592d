// SPDX-License-Identifier: Apache-2.0

package import AppLifecycle
package import LocationEngine
package import LocationModel
package import RadioPower
package import Scenarios

/// One line of a replay's account.
package struct ReplayEvent: Sendable, Equatable {
  package var at: EngineInstant
  /// UTC of the trace at that instant.
  package var time: UTCInstant
  package var kind: Kind
  /// What the app that it is about is called; `nil` where there is only one, or it is about none.
  package var name: String?

  package init(at: EngineInstant, time: UTCInstant, kind: Kind, name: String? = nil) {
    self.name = name
    self.at = at
    self.time = time
    self.kind = kind
  }

  package enum Kind: Sendable, Equatable {
    /// What the engine decided. A receiver's plan is told of recordings, where no profile says what the
    /// receiver did.
    case decided(EngineCommand)
    /// What the app is told of its own life, in order, at the transition before.
    case callbacks(AppID, [AppCallback])
    case radio(Activity.Event)
    case gap(start: UTCInstant, end: UTCInstant, cause: String)
    /// What user, system or world do, of a scenario.
    case user(Happening)
    /// What an app does by itself, of a scenario; the event says which one.
    case did(String)
    /// What the user did could not be done, and why.
    case refused(String)
    /// A line of a scenario whose moment has not come by the trace's end.
    case notPlayed(UserAct)

    package var isDelivery: Bool { if case .decided(.deliver) = self { true } else { false } }
    package var isVerdict: Bool { if case .decided(.verdict) = self { true } else { false } }

    /// What an account says of a decision; `nil` for one that concerns nobody who reads it. Verdicts are
    /// left out unless they are asked for.
    package init?(_ command: EngineCommand, verdicts: Bool) {
      switch command {
      case .deferralEnded, .transition, .launch, .deliver, .motion, .paused, .receiver,
        .tasksExpire, .work,
        .notWoken,
        .notify, .audioStopped, .memoryTaken, .heading:
        self = .decided(command)
      case .verdict:
        guard verdicts else { return nil }
        self = .decided(command)
      case .place(_, .event): self = .decided(command)
      case .place(_, .verdict):
        guard verdicts else { return nil }
        self = .decided(command)
      case .requestNetworkPosition: self = .radio(.wifiScan)
      case .requestFailed, .asksUser, .listen, .ignored, .place: return nil
      }
    }
  }
}
