// SPDX-License-Identifier: Apache-2.0

package import AppLifecycle
package import LocationModel

/// Everything that the engine can ask of the world, in the order in which it is to be done.
package enum EngineCommand: Sendable, Equatable {
  // Large ones are `indirect`: a command goes through several hands, once a second and more often.

  /// The app's state changed; live, this starts, freezes, thaws or ends a process.
  case transition(AppID, LifecycleTransition)
  /// The app is started in the background; its transition has just been given.
  case launch(AppID, LaunchOptions)
  case deliver(AppID, Delivery)
  /// Judgement of one fix for one app's service.
  indirect case verdict(AppID, Service, Verdict, fixTime: UTCInstant?)
  /// Where the device points to; given to an app that asked for it.
  indirect case heading(AppID, Heading)
  /// The device moves; given to an app that asked for it.
  case motion(AppID)
  /// The updates of the app paused because the device has been still.
  case paused(AppID)
  /// The app's updates are kept back no longer, or cannot be, and why; what was kept has just been delivered.
  case deferralEnded(AppID, Deferral.End)
  /// The app's request for a single location is over and brought none: it is told that its location is
  /// unknown.
  case requestFailed(AppID)
  /// The app started a service, nothing has been decided, and the era asks the user at the start: the
  /// answer comes as `AppInput.authorized`.
  case asksUser(AppID)
  /// The receiver's plan changed.
  case receiver(ReceiverPlan)
  /// One position from Wi-Fi and cells is wanted, by a policy or for an app; answered by `networkFix` or its
  /// failure.
  case requestNetworkPosition
  /// The triggers that are listened to changed.
  case listen(Triggers)
  /// It is to end these background tasks: so many seconds are left.
  case tasksExpire(AppID, [BackgroundTaskID], seconds: Double)
  /// It is called for that reason, which is not a location, and has so many seconds; infinite in front.
  case work(AppID, WakeReason, seconds: Double)
  /// An event came for it and did not wake it.
  case notWoken(AppID, WakeReason, NotWoken)
  /// A notification is due: the app is active and is handed it, or its user is alerted.
  indirect case notify(AppID, LocalNotification, NotificationFate)
  /// Its memory is needed, and why it is its turn; what becomes of it follows.
  case memoryTaken(AppID, MemoryTurn)
  /// Its audio ends, and why.
  case audioStopped(AppID, AudioEnd)
  /// Something about the app's regions or visits.
  indirect case place(AppID, PlaceCommand)
  /// The input made no sense for that app and changed nothing.
  indirect case ignored(AppID, AppInput)

  /// The app that it is about.
  package var app: AppID? {
    switch self {
    case .transition(let app, _), .launch(let app, _), .deliver(let app, _),
      .verdict(let app, _, _, _), .motion(let app), .heading(let app, _),
      .deferralEnded(let app, _), .paused(let app), .requestFailed(let app),
      .asksUser(let app), .tasksExpire(let app, _, _), .work(let app, _, _),
      .notWoken(let app, _, _), .notify(let app, _, _), .memoryTaken(let app, _),
      .audioStopped(let app, _),
      .place(let app, _),
      .ignored(let app, _):
      app
    case .receiver, .requestNetworkPosition, .listen: nil
    }
  }
}

/// Why it is an app's turn to go for its memory.
package struct MemoryTurn: Sendable, Equatable {
  package let megabytes: Double
  /// Suspended apps go first, then those in the background.
  package let state: AppState
  /// How many were in that state, with it, and how many of those as large as it.
  package let candidates: Int
  package let equals: Int
}

/// Why an app's audio ends.
package enum AudioEnd: Sendable, Equatable {
  /// It is in the background, and does not declare the mode.
  case notDeclared
  /// The app in front plays, and goes before it.
  case frontPlays
  case call
}

/// The fate of a notification.
package enum NotificationFate: Sendable, Equatable {
  /// The app is active, and is handed it instead of the user being alerted.
  case handedOver
  case alerted
  /// Its user does not let it notify, so that nobody hears of it.
  case notAllowed
  /// The app has scheduled as many as it may (`LocalNotification.limit`).
  case noRoom
}

/// The reason that a relaunched app is told.
package struct LaunchOptions: Sendable, Equatable {
  /// The launch option's key.
  package let reason: WakeReason

  package init(reason: WakeReason) { self.reason = reason }
}

/// Events from outside that the engine listens to; none of them is free.
package struct Triggers: OptionSet, Sendable, Codable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let cells = Triggers(rawValue: 1)
  package static let motion = Triggers(rawValue: 2)
}

/// The plan of the receiver: the tightest wish of all apps; it is counted once.
package enum ReceiverPlan: Sendable, Equatable, Codable {
  case off(Off)
  /// On, one fix a second, for as long as somebody asks.
  case continuous
  /// On until a position is good enough or the session's time is over.
  case session

  /// Why nobody needs a fix, and what will change that.
  package enum Off: Sendable, Equatable, Codable {
    /// No app asks for locations.
    case nobodyAsks
    /// The apps that asked are suspended or not running, and nothing wakes them.
    case nobodyRuns
    /// Significant changes are judged by network positions, at the next change of cell.
    case awaitsCellChange
    /// The next scheduled session begins then.
    case awaitsSession(EngineInstant)
    /// The device rests: the next session begins when something hints at a move, or then.
    case awaitsHint(EngineInstant)
    /// The last position holds for the accuracy, metres, that is asked for: the receiver rests until then.
    case positionHolds(until: EngineInstant, accuracy: Double)
    /// Positions of the network serve the accuracy, metres, that is asked for.
    case networkServes(accuracy: Double)
    /// The network has no position as good as the accuracy, metres, that is asked for: the receiver looks in
    /// short sessions, the next of them then at the earliest.
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
