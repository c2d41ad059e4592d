// SPDX-License-Identifier: Apache-2.0

package import LocationModel

/// An event in the life of an app.
package enum LifecycleInput: Sendable, Equatable {
  /// The user started it.
  case launched
  /// The service started it (at its own start, after a crash) without the user's knowledge.
  case launchedByService
  /// Something else took the foreground for a moment.
  case resignedActive
  case becameActive
  /// The user left it.
  case enteredBackground
  /// The user came back to it.
  case enteredForeground
  /// The system wakes it for an event.
  case woken(WakeReason)
  /// The system starts it in the background for an event.
  case relaunched(WakeReason)
  /// The app has finished the work for which it was woken.
  case finishedWork
  /// The handler called for that reason has returned.
  case returned(WakeReason)
  /// The app began, or ended, a background task.
  case beganTask(BackgroundTaskID)
  case endedTask(BackgroundTaskID)
  /// The holds in the background from now on.
  case held(Holds)
  /// Whether the system watches for the app while it is suspended, from now on.
  case watchedFor(Bool)
  /// Memory was needed.
  case purged
  /// The system shuts it down.
  case terminated
  /// The user swiped it away.
  case forceQuit
  /// Another program takes its place under its name.
  case replaced
  /// The device was started again.
  case rebooted
  /// The process ended unasked: a crash, or its own exit.
  case exited
  /// The deadline may have come.
  case timePassed
}

/// One change of state.
package struct LifecycleTransition: Sendable, Equatable {
  package let from: AppState
  package let to: AppState
  package let reason: Reason

  /// Whether the app is told that it will end, in the state in which it stays until then.
  package var announcesEnd: Bool { from == to && reason.isAnEnd }

  package init(from: AppState, to: AppState, reason: Reason) {
    self.from = from
    self.to = to
    self.reason = reason
  }

  package enum Reason: Sendable, Equatable {
    case launched
    case launchedByService
    case resigned
    case activated
    case leftForeground
    case enteredForeground
    case exitsOnSuspend
    case woken(WakeReason)
    case relaunched(WakeReason)
    case finished
    case budgetUsedUp
    case nothingHolds
    case holdChanged
    case purged
    case terminated
    case forceQuit
    case replaced
    case rebooted
    case overran(Overrun)
    case exited

    /// A stable phrase for logs.
    package var text: String {
      switch self {
      case .launched: "launched by the user"
      case .launchedByService: "launched by the service"
      case .resigned: "resigned active"
      case .activated: "became active"
      case .leftForeground: "left the foreground"
      case .enteredForeground: "entered the foreground"
      case .exitsOnSuspend: "exits on suspend"
      case .woken(let reason): "woken by \(reason.rawValue)"
      case .relaunched(let reason): "relaunched by \(reason.rawValue)"
      case .finished: "finished its work"
      case .budgetUsedUp: "wake budget used up"
      case .nothingHolds: "nothing holds it in the background"
      case .holdChanged: "hold changed"
      case .purged: "purged"
      case .terminated: "terminated"
      case .forceQuit: "force-quit by the user"
      case .replaced: "replaced by another manifest"
      case .rebooted: "the device was started again"
      case .overran(.task): "its background task took too long"
      case .overran(.handler(let reason)): "its handler for \(reason.rawValue) took too long"
      case .exited: "exited by itself"
      }
    }
  }
}
