// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import LocationEngine
import LocationModel
import ServiceContract

// What an app says, and what the engine has for it besides locations: the engine decides; here it is passed on.

extension Clients {
  /// Takes a message about locations.
  func receive(
    appMessage message: ClientMessage.App, from client: ClientID, _ request: String?,
    _ step: inout Step
  ) {
    guard let id = app(of: client) else { return refuseStranger(client, request, &step) }
    switch message {
    case .start(let start):
      step.ledger.needCheckpoint()
      switch start.service {
      case .significant: step.tellEngine(.app(id, .startMonitoringSignificantChanges))
      case .standard, .continuous: step.tellEngine(.app(id, .startUpdating(start.request)))
      }
      sayWhetherAllowed(id, client, &step)
      step.want(.sayUnreachable(client))
    case .stop(let service):
      step.ledger.needCheckpoint()
      step.tellEngine(
        .app(id, service == .significant ? .stopMonitoringSignificantChanges : .stopUpdating))
    case .requestLocation(let accuracy):
      step.tellEngine(.app(id, .requestLocation(accuracy: accuracy)))
      sayWhetherAllowed(id, client, &step)
    case .monitorMotion(let isOn):
      step.tellEngine(.app(id, isOn ? .startMonitoringMotion : .stopMonitoringMotion))
    case .heading(let wish):
      step.ledger.needCheckpoint()
      step.tellEngine(.app(id, .heading(wish.isOn ? .updates(filter: wish.filter) : .none)))
      if wish.isOn { sayWhetherAllowed(id, client, &step) }
    case .deferUpdates(let wish):
      step.ledger.needCheckpoint()
      step.tellEngine(.app(id, .deferUpdates(wish.deferral)))
    case .requestAuthorization(let level):
      step.ask(level, for: id)
      if let app = step.apps[id] {
        step.answer(client, .authorization(app.toldAuthorization), request)
      }
    case .acknowledge(let number): step.want(.acknowledge(number, of: id))
    case .done: step.tellEngine(.app(id, .life(.finishedWork)))
    case .monitorRegion(let region):
      step.ledger.needCheckpoint(now: true)
      step.tellEngine(.app(id, .place(.startMonitoring(region))))
      sayWhetherAllowed(id, client, &step)
    case .stopMonitoringRegion(let name):
      step.ledger.needCheckpoint(now: true)
      step.stopRegion(name, of: id)
    case .requestRegionState(let name):
      step.tellEngine(.app(id, .place(.requestState(region: name))))
    case .monitorVisits(let isOn):
      step.ledger.needCheckpoint(now: true)
      step.tellEngine(.app(id, .place(isOn ? .startMonitoringVisits : .stopMonitoringVisits)))
      sayWhetherAllowed(id, client, &step)
    }
  }

  /// Takes a message of background execution.
  func receive(
    backgroundMessage message: ClientMessage.Background, from client: ClientID, _ request: String?,
    _ processes: Processes, _ engine: LocationEngine, _ step: inout Step
  ) {
    guard let id = app(of: client) else { return refuseStranger(client, request, &step) }
    if message != .timeRemaining, message != .notifications { step.ledger.needCheckpoint() }
    switch message {
    case .beginTask(let task, _): step.tellEngine(.app(id, .life(.beganTask(task))))
    case .endTask(let task): step.tellEngine(.app(id, .life(.endedTask(task))))
    case .timeRemaining, .notifications:
      if let said = AppStanding(of: id, engine, at: step.now)?.answer(to: message) {
        step.answer(client, said, request)
      }
    case .setFetchInterval(let interval): step.tellEngine(.app(id, .setFetchInterval(interval)))
    case .setKeepAlive(let interval?) where interval < KeepAlive.shortest:
      let words = WakeReason.refusal(ofKeepAlive: interval)
      step.note(id, "refused", words)
      step.refuse(client, .notPossible, words, request)
    case .setKeepAlive(let interval): step.tellEngine(.app(id, .setKeepAlive(interval)))
    case .watchSocket(let isOn):
      step.tellEngine(.app(id, .watchSocket(isOn)))
      if !isOn, processes.hasOwnProcess(id), let name = step.apps.name(of: id) {
        step.intend(.effect(.releaseSocket(name)))
      }
    case .audio(let isOn): step.tellEngine(.app(id, .playAudio(isOn)))
    case .returned(let reason, let result):
      if let result { step.note(id, "fetched", result.words) }
      step.tellEngine(.app(id, .life(.returned(reason))))
    case .schedule(let notification):
      step.tellEngine(.app(id, .schedule(notification, at: step.now.utc)))
    case .cancelNotification(let identifier):
      step.tellEngine(.app(id, .cancelNotification(identifier)))
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
