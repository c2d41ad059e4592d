// SPDX-License-Identifier: Apache-2.0

package import LocationModel

// Theory
// ======
//
// The callbacks that the app receives about its own life, in order (Scenarios.md, "Callbacks"):
//
//   by its user:       didFinishLaunching ─► didBecomeActive ─► willResignActive ─► didEnterBackground
//                        └─► (suspended) ─► willEnterForeground ─► didBecomeActive
//   by an event:       didFinishLaunching(reason) ─► didEnterBackground, in eras that call it
//   opted out:         willResignActive ─► willTerminate, 5 s, the end
//   shut down:         willTerminate, if it runs; nothing if it is suspended
//
// A suspension, a wake, a purge, a force-quit and a crash have no callback: the app runs no code, is handed its
// event, or is gone.

/// One callback to the app about its own life.
package enum AppCallback: Sendable, Equatable {
  /// The process has begun; the launch option names the event that started it, `nil` if the user did.
  case didFinishLaunching(WakeReason?)
  case didBecomeActive
  case willResignActive
  case didEnterBackground
  case willEnterForeground
  /// The app has 5 s to end.
  case willTerminate

  /// The name of the callback, with the launch option: `didFinishLaunching(location)`.
  package var text: String {
    switch self {
    case .didFinishLaunching(let reason):
      "didFinishLaunching" + (reason.map { "(\($0.rawValue))" } ?? "")
    case .didBecomeActive: "didBecomeActive"
    case .willResignActive: "willResignActive"
    case .didEnterBackground: "didEnterBackground"
    case .willEnterForeground: "willEnterForeground"
    case .willTerminate: "willTerminate"
    }
  }

  /// Whether a launch has no callback that names the state: a launch into the background, for an event, in some eras.
  package static func isSilent(
    launchInto state: AppState, for reason: WakeReason?, in era: Era
  ) -> Bool {
    state == .background && reason != nil && !era.entersBackgroundOnLaunch
  }

  /// The callbacks of a transition, in order.
  package static func callbacks(
    for transition: LifecycleTransition, in era: Era
  ) -> [AppCallback] {
    switch (transition.from, transition.to) {
    case (.notRunning, .inactive), (.notRunning, .active): [.didFinishLaunching(nil)]
    case (.notRunning, .background), (.notRunning, .suspended):
      [.didFinishLaunching(transition.reason.launchOption)]
        + (isSilent(launchInto: transition.to, for: transition.reason.launchOption, in: era)
          ? [] : [.didEnterBackground])
    case (.inactive, .active): [.didBecomeActive]
    case (.active, .inactive): [.willResignActive]
    case (.background, .inactive), (.suspended, .inactive): [.willEnterForeground]
    case (.active, .background), (.inactive, .background): [.didEnterBackground]
    case (.inactive, .inactive), (.active, .active), (.background, .background):
      transition.announcesEnd ? [.willTerminate] : []
    // These pass through inactive, and are two transitions.
    case (.active, .suspended), (.inactive, .suspended), (.background, .active),
      (.suspended, .active):
      []
    case (.suspended, .background), (.background, .suspended), (_, .notRunning),
      (.suspended, .suspended):
      []
    }
  }
}

extension LifecycleTransition.Reason {
  /// The reason of the launch; `nil` if by the user.
  fileprivate var launchOption: WakeReason? {
    switch self {
    case .relaunched(let reason), .woken(let reason): reason
    case .launched, .launchedByService, .resigned, .activated, .leftForeground, .enteredForeground,
      .exitsOnSuspend, .finished, .budgetUsedUp, .nothingHolds, .holdChanged, .purged, .terminated,
      .forceQuit, .replaced, .rebooted, .overran, .exited:
      nil
    }
  }

  /// Whether the app has been told to end.
  package var isAnEnd: Bool { self == .exitsOnSuspend || self == .terminated }
}
