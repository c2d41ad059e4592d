// SPDX-License-Identifier: Apache-2.0

package import LocationEngine
package import LocationModel
package import RadioPower
package import ServiceContract

/// What a sink's other side took in one transfer.
package struct SinkTransfer: Sendable, Equatable {
  package var events: [PendingDelivery]
  /// On the wire above TCP; 0 where no network is needed.
  package var bytes: Int

  package init(events: [PendingDelivery], bytes: Int) {
    self.events = events
    self.bytes = bytes
  }
}

/// One line of a replay's account.
package struct ReplayEvent: Sendable, Equatable {
  package var at: EngineInstant
  /// UTC of the trace at that instant.
  package var time: UTCInstant
  package var kind: Kind
  /// The name of the app concerned; `nil` if there is only one, or none is concerned.
  package var name: String?

  package init(at: EngineInstant, time: UTCInstant, kind: Kind, name: String? = nil) {
    self.name = name
    self.at = at
    self.time = time
    self.kind = kind
  }

  package enum Kind: Sendable, Equatable {
    /// A decision of the engine. A receiver's plan is reported for recordings, in which no profile
    /// determines the receiver's behaviour.
    case decided(EngineCommand)
    /// The callbacks to the app about its life, in order, at the preceding transition.
    case callbacks(AppID, [AppCallback])
    case radio(Activity.Event)
    case gap(start: UTCInstant, end: UTCInstant, cause: String)
    /// An act of user, system or world, from a scenario.
    case user(Happening)
    /// An act of an app, from a scenario; the event names the app.
    case did(String)
    /// A sink's other side took this; the event names the sink.
    case sent(SinkTransfer)
    /// The user's act could not be done, and why.
    case refused(String)
    /// A line of a scenario whose moment has not come by the trace's end.
    case notPlayed(UserAct)

    package var isDelivery: Bool { if case .decided(.deliver) = self { true } else { false } }
    package var isVerdict: Bool { if case .decided(.verdict) = self { true } else { false } }

    /// The account of a decision; `nil` if it concerns no reader. Verdicts are left out unless requested.
    package init?(_ command: EngineCommand, verdicts: Bool) {
      switch command {
      case .deferralEnded, .transition, .launch, .deliver, .motion, .paused, .receiver,
        .tasksExpire, .work, .notWoken, .unreachable, .notify, .audioStopped, .memoryTaken,
        .heading:
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
