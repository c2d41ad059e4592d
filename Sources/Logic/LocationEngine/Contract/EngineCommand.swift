// SPDX-License-Identifier: Apache-2.0

package import LocationModel

/// Everything that the engine can ask of the world, in the order of execution.
package enum EngineCommand: Sendable, Equatable {
  // Large cases are `indirect`: a command passes through several functions, once a second and more often.

  /// The app's state changed; live, this starts, freezes, thaws or ends a process.
  case transition(AppID, LifecycleTransition)
  /// The app is started in the background; its transition has just been given.
  case launch(AppID, LaunchOptions)
  indirect case deliver(AppID, Delivery)
  /// Judgement of one fix for one app's service.
  indirect case verdict(AppID, Service, Verdict, fixTime: UTCInstant?)
  /// The direction in which the device points; given to an app that asked for it.
  indirect case heading(AppID, Heading)
  /// The device moves; given to an app that asked for it.
  case motion(AppID)
  /// The updates of the app paused because the device has been still.
  case paused(AppID)
  /// The deferral of the app's updates ended, or was refused, and why; the deferred fixes have just been delivered.
  case deferralEnded(AppID, Deferral.End)
  /// The app's request for a single location ended without one: the app hears that its location is unknown.
  case requestFailed(AppID)
  /// The app started a service without any decision on authorization, and the era asks the user at the start: the
  /// answer comes as `AppInput.authorized`.
  case asksUser(AppID)
  /// The receiver's plan changed.
  case receiver(ReceiverPlan)
  /// One position from Wi-Fi and cells is wanted, by a policy or for an app; answered by `networkFix` or its
  /// failure.
  case requestNetworkPosition
  /// The triggers that are listened to changed.
  case listen(Triggers)
  /// The app must end these background tasks; `seconds` are left.
  case tasksExpire(AppID, [BackgroundTaskID], seconds: Double)
  /// The app is called for a reason other than a location and has `seconds` for it; infinite in the foreground.
  case work(AppID, WakeReason, seconds: Double)
  /// An event for the app did not wake it.
  case notWoken(AppID, WakeReason, NotWoken)
  /// The app monitors, and from now on no location wakes or launches it, and why; `nil` if one does again, or the app
  /// runs.
  case unreachable(AppID, NotWoken?)
  /// A notification is due: an active app is handed it, else the user is alerted.
  indirect case notify(AppID, LocalNotification, NotificationFate)
  /// The app's memory is needed, and why it was chosen; its fate follows.
  case memoryTaken(AppID, MemoryTurn)
  /// The app's audio ends, and why.
  case audioStopped(AppID, AudioEnd)
  /// Something about the app's regions or visits.
  indirect case place(AppID, PlaceCommand)
  /// The input made no sense for that app and changed nothing.
  indirect case ignored(AppID, AppInput)

  /// The app that the command concerns.
  package var app: AppID? {
    switch self {
    case .transition(let app, _), .launch(let app, _), .deliver(let app, _),
      .verdict(let app, _, _, _), .motion(let app), .heading(let app, _),
      .deferralEnded(let app, _), .paused(let app), .requestFailed(let app),
      .asksUser(let app), .tasksExpire(let app, _, _), .work(let app, _, _),
      .notWoken(let app, _, _), .unreachable(let app, _), .notify(let app, _, _),
      .memoryTaken(let app, _),
      .audioStopped(let app, _),
      .place(let app, _),
      .ignored(let app, _):
      app
    case .receiver, .requestNetworkPosition, .listen: nil
    }
  }
}

/// The reason why an app's memory is reclaimed next.
package struct MemoryTurn: Sendable, Equatable {
  package let megabytes: Double
  /// Suspended apps go first, then those in the background.
  package let state: AppState
  /// The number of apps in that state, including this one, and of those as large as it.
  package let candidates: Int
  package let equals: Int
}

/// The reason why an app's audio ends.
package enum AudioEnd: Sendable, Equatable {
  /// The app is in the background and does not declare the mode.
  case notDeclared
  /// The app in the foreground plays and has priority.
  case frontPlays
  case call
}

/// What becomes of a notification.
package enum NotificationFate: Sendable, Equatable {
  /// The active app is handed it; the user is not alerted.
  case handedOver
  case alerted
  /// The user does not allow the app to notify, so the notification is dropped.
  case notAllowed
  /// The app has scheduled as many as it may (`LocalNotification.limit`).
  case noRoom
}

/// The reason given to a relaunched app.
package struct LaunchOptions: Sendable, Equatable {
  /// The launch option's key.
  package let reason: WakeReason

  package init(reason: WakeReason) { self.reason = reason }
}

/// Events from outside that the engine listens to; none of them is free.
package struct Triggers: OptionSet, Sendable, Codable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// None of them; an empty literal would be made element by element, once a second.
  package static var none: Triggers { Triggers(rawValue: 0) }
  package static let cells = Triggers(rawValue: 1)
  package static let motion = Triggers(rawValue: 2)
}

/// The plan of the receiver: the tightest request of all apps; counted once.
package enum ReceiverPlan: Sendable, Equatable, Codable {
  case off(Off)
  /// On, one fix a second, for as long as any app asks.
  case continuous
  /// On until a position is good enough or the session's time is over.
  case session

  /// The reason why no fix is needed, and what will change that.
  package enum Off: Sendable, Equatable, Codable {
    /// No app asks for locations.
    case nobodyAsks
    /// The apps that asked are suspended or not running, and nothing wakes them.
    case nobodyRuns
    /// Significant changes are judged by network positions, at the next change of cell.
    case awaitsCellChange
    /// So soon after its last event an app may be told of no change, and nothing is asked before then.
    case awaitsInterval(EngineInstant)
    /// A phone's daemon looks for regions and visits, by Wi-Fi and while it moves.
    case awaitsPlace
    /// The next scheduled session begins then.
    case awaitsSession(EngineInstant)
    /// The device rests: the next session begins at a hint of movement, or then.
    case awaitsHint(EngineInstant)
    /// The network is asked for a position in place of the receiver, which is next asked then.
    case awaitsNetwork(EngineInstant)
    /// The last position satisfies the requested accuracy, metres: the receiver rests until then.
    case positionHolds(until: EngineInstant, accuracy: Double)
    /// Network positions satisfy the requested accuracy, metres.
    case networkServes(accuracy: Double)
    /// The network has no position of the requested accuracy, metres: the receiver looks in short sessions, the next
    /// one then at the earliest.
    case networkMissing(until: EngineInstant, accuracy: Double)
    /// Updates are paused until the device moves.
    case awaitsMotion
    /// Updates are paused and nothing ends the pause.
    case paused
  }

  package var isOn: Bool {
    if case .off = self { false } else { true }
  }
}
