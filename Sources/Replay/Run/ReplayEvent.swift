// SPDX-License-Identifier: Apache-2.0

package import AppLifecycle
package import LocationEngine
package import LocationModel
package import RadioPower

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
    case deliver(AppID, Delivery)
    case app(AppID, LifecycleTransition)
    /// What the app is told of its own life, in order, at the transition before.
    case callbacks(AppID, [AppCallback])
    case launch(AppID, LaunchOptions)
    /// The updates of the app paused, or the app was told that the device moves.
    case paused(AppID)
    case motion(AppID)
    case radio(Activity.Event)
    /// The receiver's plan changed; told of recordings, where no profile says what the receiver did.
    case receiver(ReceiverPlan)
    case verdict(AppID, Service, Verdict, fixTime: UTCInstant?)
    case gap(start: UTCInstant, end: UTCInstant, cause: String)
  }
}
