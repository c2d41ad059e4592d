// SPDX-License-Identifier: Apache-2.0

import AppLifecycle
import ControlProtocol
import LocationEngine
import LocationModel
import ServiceContract
import Settings
import Wording

// Background execution of apps besides locations: the engine decides; here it is sent, recorded and passed on.

extension LocationService {
  mutating func appSaysOfBackground(
    _ message: ClientMessage, _ id: AppID, _ client: ClientID, _ request: String?
  ) {
    switch message {
    case .timeRemaining, .notifications: break
    default: needsCheckpoint()
    }
    switch message {
    case .beginTask(let task, _): tell(.app(id, .life(.beganTask(task))))
    case .endTask(let task): tell(.app(id, .life(.endedTask(task))))
    case .timeRemaining, .notifications:
      if let said = standing(of: id)?.answer(to: message) { answer(client, said, request) }
    case .setFetchInterval(let interval): tell(.app(id, .setFetchInterval(interval)))
    case .setKeepAlive(let interval?) where interval < WakeReason.shortestKeepAlive:
      let words = WakeReason.refusal(ofKeepAlive: interval)
      note(id, "refused", words)
      refuse(client, .notPossible, words, request)
    case .setKeepAlive(let interval): tell(.app(id, .setKeepAlive(interval)))
    case .watchSocket(let isOn):
      tell(.app(id, .watchSocket(isOn)))
      if !isOn, let app = apps[id], app.hasOwnProcess {
        intents.append(.effect(.releaseSocket(app.name)))
      }
    case .audio(let isOn): tell(.app(id, .playAudio(isOn)))
    case .returned(let reason, let result):
      if let result { note(id, "fetched", result.words) }
      tell(.app(id, .life(.returned(reason))))
    case .schedule(let notification): tell(.app(id, .schedule(notification, at: now.utc)))
    case .cancelNotification(let identifier): tell(.app(id, .cancelNotification(identifier)))
    default: break
    }
  }

  mutating func performInBackground(_ command: EngineCommand) {
    guard let id = command.app, let said = BackgroundNote(command) else { return }
    note(id, said.kind.rawValue, said.text)
    switch command {
    case .tasksExpire(_, let tasks, let seconds):
      intents.append(.tell(id, .tasksExpire(tasks, seconds: seconds)))
    case .work(_, let reason, let seconds): call(id, for: reason, seconds.isFinite ? seconds : nil)
    case .notify(_, let notification, .handedOver):
      // The end is stored before it is reported: a service after a kill would repeat it.
      needsCheckpoint(now: true)
      intents.append(.tell(id, .notification(notification)))
    case .notify(_, let notification, .alerted):
      needsCheckpoint(now: true)
      if let app = apps[id] {
        intents.append(.effect(.notifyUser(app: app.name, notification)))
      }
    case .audioStopped: intents.append(.tell(id, .audioStopped))
    default: break
    }
  }

  /// A process that has yet to connect hears of it after that; its welcome states the reason of its launch.
  private mutating func call(_ id: AppID, for reason: WakeReason, _ seconds: Double?) {
    guard let app = apps[id] else { return }
    guard app.client == nil else {
      return intents.append(.tell(id, .wake(reason, seconds: seconds)))
    }
    keep(.wake(reason), for: seconds, id)
  }

  /// Handles a message that found no room in an app's connection. A state message is sent again at the next change; a
  /// one-time message is kept until there is room.
  mutating func keep(_ message: ServerMessage, for id: AppID) {
    switch message {
    case .wake(let reason, let seconds): keep(.wake(reason), for: seconds, id)
    case .tasksExpire(let tasks, let seconds): keep(.tasksExpire(tasks), for: seconds, id)
    case .notification(let notification): keep(.notification(notification), for: nil, id)
    default: break
    }
  }

  private mutating func keep(_ what: AppRecord.Call.What, for seconds: Double?, _ id: AppID) {
    let until = seconds.map { now.at.advanced(bySeconds: $0) }
    _ = apps.with(id) { app in
      app.calls.removeAll { $0.what == what }
      app.calls.append(.init(what: what, until: until))
      if app.calls.count > AppRecord.Call.limit { app.calls.removeFirst() }
    }
  }

  /// Sends an app that can hear them the calls that it missed, except for the one in its welcome.
  mutating func tellCalls(of id: AppID, but told: WakeReason? = nil) {
    guard let app = apps[id], app.client != nil, !app.calls.isEmpty,
      engine.state(of: id)?.runsCode == true
    else { return }
    _ = apps.with(id) { $0.calls = [] }
    for call in app.calls {
      let seconds = call.until.map { max(0, EngineInstant.seconds(from: now.at, to: $0)) }
      switch call.what {
      case .wake(let reason) where reason == told: break
      case .wake(let reason): intents.append(.tell(id, .wake(reason, seconds: seconds)))
      case .tasksExpire(let tasks):
        intents.append(.tell(id, .tasksExpire(tasks, seconds: seconds ?? 0)))
      case .notification(let notification):
        intents.append(.tell(id, .notification(notification)))
      }
    }
  }

  /// The instant of a time in UTC, by the present clock.
  func instant(of utc: UTCInstant) -> EngineInstant {
    now.at.advanced(bySeconds: max(0, UTCInstant.seconds(from: now.utc, to: utc)))
  }
}
