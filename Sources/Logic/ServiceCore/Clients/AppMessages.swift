// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import LocationEngine
import LocationModel
import ServiceContract

// What an app says, and what the engine has for it besides locations: the engine decides; here it is passed on.

extension Clients {
  /// Takes a message about locations.
  func receive(
    _ message: ClientMessage.App, from client: ClientID, _ request: String?,
    _ step: inout Step
  ) {
    guard let id = app(of: client) else { return refuseStranger(client, request, &step) }
    switch message {
    case .start(let start):
      step.ledger.needCheckpoint()
      switch start.service {
      case .significant: step.tell(.app(id, .startMonitoringSignificantChanges))
      case .standard, .continuous: step.tell(.app(id, .startUpdating(start.request)))
      }
      sayWhetherAllowed(id, client, &step)
      step.want(.sayUnreachable(client))
    case .stop(let service):
      step.ledger.needCheckpoint()
      step.tell(
        .app(id, service == .significant ? .stopMonitoringSignificantChanges : .stopUpdating))
    case .requestLocation(let accuracy):
      step.tell(.app(id, .requestLocation(accuracy: accuracy)))
      sayWhetherAllowed(id, client, &step)
    case .monitorMotion(let isOn):
      step.tell(.app(id, isOn ? .startMonitoringMotion : .stopMonitoringMotion))
    case .heading(let wish):
      step.ledger.needCheckpoint()
      step.tell(.app(id, .heading(wish.isOn ? .updates(filter: wish.filter) : .none)))
      if wish.isOn { sayWhetherAllowed(id, client, &step) }
    case .deferUpdates(let wish):
      step.ledger.needCheckpoint()
      step.tell(.app(id, .deferUpdates(wish.deferral)))
    case .requestAuthorization(let level):
      step.ask(level, for: id)
      if let app = step.apps[id] {
        step.answer(client, .authorization(app.toldAuthorization), request)
      }
    case .acknowledge(let number): step.want(.acknowledge(number, of: id))
    case .done: step.tell(.app(id, .life(.finishedWork)))
    case .monitorRegion(let region):
      step.ledger.needCheckpoint(now: true)
      step.tell(.app(id, .place(.startMonitoring(region))))
      sayWhetherAllowed(id, client, &step)
    case .stopMonitoringRegion(let name):
      step.ledger.needCheckpoint(now: true)
      step.stopRegion(name, of: id)
    case .requestRegionState(let name): step.tell(.app(id, .place(.requestState(region: name))))
    case .monitorVisits(let isOn):
      step.ledger.needCheckpoint(now: true)
      step.tell(.app(id, .place(isOn ? .startMonitoringVisits : .stopMonitoringVisits)))
      sayWhetherAllowed(id, client, &step)
    }
  }

  /// Takes a message of background execution.
  func receive(
    _ message: ClientMessage.Background, from client: ClientID, _ request: String?,
    _ processes: Processes, _ engine: LocationEngine, _ step: inout Step
  ) {
    guard let id = app(of: client) else { return refuseStranger(client, request, &step) }
    if message != .timeRemaining, message != .notifications { step.ledger.needCheckpoint() }
    switch message {
    case .beginTask(let task, _): step.tell(.app(id, .life(.beganTask(task))))
    case .endTask(let task): step.tell(.app(id, .life(.endedTask(task))))
    case .timeRemaining, .notifications:
      if let said = AppStanding(of: id, engine, at: step.now)?.answer(to: message) {
        step.answer(client, said, request)
      }
    case .setFetchInterval(let interval): step.tell(.app(id, .setFetchInterval(interval)))
    case .setKeepAlive(let interval?) where interval < WakeReason.shortestKeepAlive:
      let words = WakeReason.refusal(ofKeepAlive: interval)
      step.note(id, "refused", words)
      step.refuse(client, .notPossible, words, request)
    case .setKeepAlive(let interval): step.tell(.app(id, .setKeepAlive(interval)))
    case .watchSocket(let isOn):
      step.tell(.app(id, .watchSocket(isOn)))
      if !isOn, processes.hasOwnProcess(id), let name = step.apps.name(of: id) {
        step.intend(.effect(.releaseSocket(name)))
      }
    case .audio(let isOn): step.tell(.app(id, .playAudio(isOn)))
    case .returned(let reason, let result):
      if let result { step.note(id, "fetched", result.words) }
      step.tell(.app(id, .life(.returned(reason))))
    case .schedule(let notification):
      step.tell(.app(id, .schedule(notification, at: step.now.utc)))
    case .cancelNotification(let identifier):
      step.tell(.app(id, .cancelNotification(identifier)))
    }
  }

  private func refuseStranger(_ client: ClientID, _ request: String?, _ step: inout Step) {
    step.refuse(
      client, .notAnApp, "say who you are first: ?HELLO={\"app\":\"NAME\"};", request)
  }

  private func sayWhetherAllowed(_ id: AppID, _ client: ClientID, _ step: inout Step) {
    guard let app = step.apps[id], !app.allowsLocation else { return }
    step.answer(client, .authorization(app.toldAuthorization))
  }

  /// Takes what the engine has for an app of background execution.
  mutating func receive(_ command: BackgroundCommand, _ step: inout Step) {
    step.note(command.app, command.note.kind.rawValue, command.note.text)
    let id = command.app
    switch command.what {
    case .tasksExpire(let tasks, let seconds):
      step.intend(.tell(id, .tasksExpire(tasks, seconds: seconds)))
    case .work(let reason, let seconds):
      call(id, for: reason, within: seconds.isFinite ? seconds : nil, &step)
    case .notify(let notification, .handedOver):
      // The end is stored before it is reported: a service after a kill would repeat it.
      step.ledger.needCheckpoint(now: true)
      step.intend(.tell(id, .notification(notification)))
    case .notify(let notification, .alerted):
      step.ledger.needCheckpoint(now: true)
      if let name = step.apps.name(of: id) {
        step.intend(.effect(.notifyUser(app: name, notification)))
      }
    case .audioStopped: step.intend(.tell(id, .audioStopped))
    case .notify(_, .notAllowed), .notify(_, .noRoom), .noted: break
    }
  }

  /// Takes what the engine has for an app of its regions, besides their events and verdicts.
  func receive(_ state: RegionState, of region: String, for id: AppID, _ step: inout Step) {
    let notice = RegionNotice(
      identifier: region, event: .state, state: state, received: step.now.utc)
    step.intend(.tell(id, .region(notice)))
  }

  func failed(_ region: String, _ trouble: RegionTrouble, of id: AppID, _ step: inout Step) {
    let reason = trouble.words
    step.note(id, "region_failed", "the region '\(region)' is not monitored: \(reason)")
    step.intend(.tell(id, .regionFailed(region, reason: reason)))
  }

  /// A single request ended without a location.
  func requestFailed(_ id: AppID, _ engine: LocationEngine, _ step: inout Step) {
    let seconds = Int(engine.rules.requestTimeout)
    step.intend(.tell(id, .requestFailed("no location came within \(seconds) s")))
    if step.apps.isSink(id) { step.want(.putAway(id)) }
  }
}

/// A command of the engine about an app's execution in the background, with its words.
struct BackgroundCommand {
  enum What {
    case tasksExpire([BackgroundTaskID], seconds: Double)
    case work(WakeReason, seconds: Double)
    case notify(LocalNotification, NotificationFate)
    case audioStopped
    /// Only said.
    case noted
  }

  let app: AppID
  let note: BackgroundNote
  let what: What

  /// `nil` if there is nothing to say.
  init?(_ command: EngineCommand, of app: AppID, _ what: What) {
    guard let note = BackgroundNote(command) else { return nil }
    (self.app, self.note, self.what) = (app, note, what)
  }
}

extension RegionTrouble {
  /// The reason why a region is not monitored, and a remedy.
  var words: String {
    switch self {
    case .tooMany:
      "this app monitors \(MonitoredRegion.limit) regions, and may not monitor more; stop one of them"
    case .invalid:
      "its identifier has 1 to \(MonitoredRegion.identifierLimit) bytes, and its radius is from "
        + "\(Int(MonitoredRegion.radii.lowerBound)) m to \(Int(MonitoredRegion.radii.upperBound)) m"
    }
  }
}
