// SPDX-License-Identifier: Apache-2.0

package import LocationEngine
package import LocationModel

// The words for the engine's commands and background execution, in one place: logs, timelines and replays all use them.

extension EngineCommand {
  /// The words for the command, besides locations, verdicts, states and launches; `nil` if there are none.
  package var note: String? {
    switch self {
    case .motion: "told that the device moves"
    case .paused: "updates paused: the device is still"
    case .deferralEnded(_, let end): end.words
    case .requestFailed: "its request of a location failed"
    case .asksUser: "its user is asked"
    case .place(_, .event(let delivery)): delivery.event?.words
    case .heading(_, let heading): heading.words
    case .work, .notWoken, .unreachable, .tasksExpire, .notify, .audioStopped, .memoryTaken:
      BackgroundNote(self)?.text
    case .transition, .launch, .deliver, .verdict, .place, .receiver, .listen,
      .requestNetworkPosition, .ignored:
      nil
    }
  }
}

extension Deferral.End {
  /// The reason why a deferral ended, for accounts and logs.
  package var words: String {
    switch self {
    case .finished: "its updates were kept back, and come now"
    case .cancelled: "its updates are kept back no longer"
    case .unsupported: "its updates are not kept back: its era knows no such thing"
    case .notUpdating: "its updates are not kept back: it has not started any"
    case .accuracyTooLow: "its updates are not kept back: it asks for less than the best accuracy"
    case .distanceFiltered: "its updates are not kept back: it has a distance filter"
    }
  }
}

/// A message or refusal to an app in the background, besides locations.
package struct BackgroundNote: Sendable, Equatable {
  package enum Kind: String, Sendable, CaseIterable {
    case called
    case notWoken = "not_woken"
    case unreachable
    case tasksExpire = "tasks_expire"
    case notification
    case audioStopped = "audio_stopped"
    case memoryTaken = "memory_taken"
  }

  package let kind: Kind
  /// The event that called the app, or would have woken it; `nil` if there is none.
  package let reason: WakeReason?
  package let text: String

  /// `nil` for a command of another kind.
  package init?(_ command: EngineCommand) {
    switch command {
    case .work(_, let reason, let seconds):
      let limit = seconds.isFinite ? ", with \(Figures.whole(seconds)) s" : ""
      (kind, self.reason, text) = (.called, reason, "called by \(reason.words)\(limit)")
    case .notWoken(_, let reason, let why):
      (kind, self.reason) = (.notWoken, reason)
      text = "not woken by \(reason.words): \(why.words)"
    case .unreachable(_, let why?):
      (kind, reason, text) = (.unreachable, nil, "no location wakes it now: \(why.words)")
    case .tasksExpire(_, let tasks, let seconds):
      let what =
        tasks.count == 1 ? "its background task is" : "its \(tasks.count) background tasks are"
      (kind, reason, text) = (
        .tasksExpire, nil, "told that \(what) to end within \(Figures.whole(seconds)) s"
      )
    case .notify(_, let notification, let fate):
      (kind, reason, text) = (.notification, nil, notification.words(fate))
    case .memoryTaken(_, let turn): (kind, reason, text) = (.memoryTaken, nil, turn.words)
    case .audioStopped(_, let why):
      (kind, reason, text) = (.audioStopped, nil, "its audio ends: \(why.words)")
    default: return nil
    }
  }
}

extension WakeReason {
  /// The reason why an app was woken or launched.
  package var words: String {
    switch self {
    case .location: "significant change"
    case .motion: "motion of the device"
    case .region: "a region's border was crossed"
    case .visit: "a visit"
    case .fetch: "background fetch"
    case .keepAlive: "keep-alive"
    case .socket: "data on its socket, or a change of network"
    case .push: "a push"
    case .locationPush: "a push that asks where it is"
    case .newsstand: "a new issue"
    case .accessory: "an accessory"
    case .bluetooth: "a Bluetooth device"
    case .boot: "the start of the device"
    case .crash: "its end, which was not its own wish"
    }
  }
}

extension WakeReason {
  /// The refusal of a keep-alive handler that would be called too often.
  package static func refusal(ofKeepAlive interval: Double) -> String {
    "a keep-alive every \(Figures.whole(interval)) s is refused: \(Figures.whole(KeepAlive.shortest)) s are the least"
  }
}

extension MemoryTurn {
  /// `its 200 MB are taken: it is the largest of 3 suspended apps`.
  fileprivate var words: String {
    let isSuspended = state == .suspended
    let place = isSuspended ? "suspended" : "in the background"
    let taken = "its \(Figures.whole(megabytes)) MB are taken: "
    let nobody = isSuspended ? "" : "no app is suspended any more, and "
    if candidates == 1 { return taken + nobody + "it is the only app that is \(place)" }
    let all = "\(candidates) apps that are \(place)"
    if equals == 1 { return taken + nobody + "it is the largest of \(all)" }
    let first = isSuspended ? "it has been suspended for longest" : "it is the first"
    return taken + nobody + "of \(equals) that are the largest of \(all), \(first)"
  }
}

extension AudioEnd {
  fileprivate var words: String {
    switch self {
    case .notDeclared: "the mode is not declared"
    case .frontPlays: "the app in front plays"
    case .call: "there is a call"
    }
  }
}

extension Heading {
  /// A message to an app: `told that it moves to 123°`.
  package var words: String {
    let direction = (trueNorth ?? magneticNorth).map { "\(Figures.whole($0))°" } ?? Figures.unknown
    return "told that it " + (source == .compass ? "points" : "moves") + " to \(direction)"
  }
}

extension FetchResult {
  package var words: String {
    switch self {
    case .newData: "fetched new data"
    case .noData: "fetched, and there was nothing new"
    case .failed: "its fetch failed"
    }
  }
}

extension LocalNotification {
  /// Its outcome: `"Stand up" (stretch): its user was alerted`.
  package func words(_ fate: NotificationFate) -> String {
    let what = (body.isEmpty ? "" : "\"\(body)\" ") + "(\(identifier))"
    switch fate {
    case .handedOver: return "\(what): handed to the app, which is active"
    case .alerted: return "\(what): its user was alerted"
    case .notAllowed: return "\(what): nobody hears of it, since its user does not let it notify"
    case .noRoom:
      return "\(what): not scheduled, \(LocalNotification.limit) are all that an app can have"
    }
  }
}

extension DeviceEvent {
  package var words: String {
    switch self {
    case .lowPower(let isOn): "Low Power Mode is \(isOn ? "on" : "off")"
    case .backgroundRefresh(let isOn): "background refresh is \(isOn ? "on" : "off")"
    case .networkChanged: "the network changed"
    case .memoryNeeded(let megabytes): "\(Figures.whole(megabytes)) MB of memory are needed"
    case .rebooted(let isLocked): "started again" + (isLocked ? ", and locked" : "")
    case .unlocked: "unlocked for the first time since it was started"
    case .call(let isOn): isOn ? "a call came in" : "the call is over"
    }
  }
}

extension NotWoken {
  /// The reason why an event did not wake an app, behind `not woken by a push: `.
  package var words: String {
    switch self {
    case .notDeclared: "the background mode that it needs is not declared"
    case .notInEra: "this era does not have it"
    case .notAsked: "the app has not asked for it"
    case .notRunning: "the app does not run, and this launches none"
    case .isEnding: "the app is ending"
    case .forceQuit: "its user swiped it away"
    case .unauthorized: "that needs another authorization"
    case .refreshIsOff: "background refresh is switched off"
    case .lowPower: "the device is in Low Power Mode"
    case .locked: "the device has not been unlocked since it was started"
    case .optedOut: "it runs in front only, since it has opted out of multitasking"
    }
  }
}
