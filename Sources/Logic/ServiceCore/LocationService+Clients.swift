// SPDX-License-Identifier: Apache-2.0

import AppLifecycle
import ControlProtocol
import LocationEngine
import LocationModel
import ServiceContract
import Settings

// Connections: apps, and ordinary gpsd clients. The user's are in `LocationService+User`. Answers come in the order of
// the questions, each with its question's id.

extension LocationService {
  mutating func client(_ event: ClientEvent) {
    switch event {
    case .connected(let client, let origin):
      var entry = Client(origin: origin)
      if case .gpsdPort(let port) = origin,
        let listener = listeners.values.first(where: { $0.listener.port == port })
      {
        entry.role = .listener(listener.id)
      }
      clients[client] = entry
      // As gpsd does: its clients wait for this before they send anything.
      if case .listener = entry.role { answer(client, .version(release: settings.release)) }
    case .disconnected(let client): left(client)
    case .writable(let client):
      guard case .app(let id) = clients[client]?.role else { return }
      tellCalls(of: id)
      intents.append(.flush(id))
    case .refused(let client, let message):
      // A message that did not fit is sent again once there is room.
      guard case .app(let id) = clients[client]?.role else { return }
      if let number = message.sequence {
        _ = apps.with(id) { $0.outbox.rewind(to: number) }
      } else {
        keep(message, for: id)
      }
    case .malformed(let client, let error, let request): answer(client, error, request)
    case .message(let client, let message, let request): take(message, from: client, request)
    }
  }

  mutating func answer(_ client: ClientID, _ message: ServerMessage, _ request: String? = nil) {
    intents.append(.answer(client, message, id: request))
  }

  mutating func refuse(
    _ client: ClientID, _ code: ServerMessage.ErrorCode, _ text: String, _ request: String?
  ) {
    answer(client, .error(code: code, text), request)
  }

  private mutating func take(
    _ message: ClientMessage, from client: ClientID, _ request: String?
  ) {
    switch message {
    case .hello(let hello): greet(hello, client, request)
    case .start, .stop, .requestLocation, .monitorMotion, .requestAuthorization, .acknowledge,
      .done, .beginTask, .endTask, .timeRemaining, .setFetchInterval, .setKeepAlive, .watchSocket,
      .audio, .returned, .schedule, .cancelNotification, .notifications, .monitorRegion,
      .stopMonitoringRegion, .requestRegionState, .monitorVisits, .heading,
      .deferUpdates:
      guard case .app(let id) = clients[client]?.role else {
        return refuse(
          client, .notAnApp, "say who you are first: ?HELLO={\"app\":\"NAME\"};", request)
      }
      appSays(message, id, client, request)
    case .version: answer(client, .version(release: settings.release), request)
    case .devices: answer(client, .devices(deviceList(for: client)), request)
    case .watch(let isOn): watch(client, reports: isOn, sentences: false, request)
    case .watchSentences(let json): watch(client, reports: json, sentences: true, request)
    case .poll: answer(client, poll(client), request)
    case .status, .apps, .app, .add, .update, .remove, .authorize, .control, .log, .explain,
      .reload, .overview, .history,
      .events, .resend, .discard, .event, .device, .forget:
      userSays(message, client, request)
    case .sinks, .trySink: sinkSays(message, client, request)
    }
  }

  // MARK: Apps

  private mutating func greet(
    _ hello: ClientMessage.Hello, _ client: ClientID, _ request: String?
  ) {
    guard case .socket(let pid, let group, _) = clients[client]?.origin else { return }
    if case .app(let own) = clients[client]?.role, let name = apps[own]?.name, name != hello.app {
      return refuse(
        client, .notPossible,
        "this connection is '\(name)'; open another one for '\(hello.app)'", request)
    }
    guard !leaving.contains(hello.app) else {
      // It may be that very process: it would take the name as one that somebody else started.
      return refuse(
        client, .alreadyConnected,
        "'\(hello.app)' was removed, and its process is still being ended; come again later",
        request)
    }
    guard let id = apps.id(of: hello.app) ?? introduce(hello.app) else {
      return refuse(
        client, .unknownApp,
        "'\(hello.app)' is no name for an app: 1 to 64 of a-z, A-Z, 0-9, '.', '_' and '-'", request)
    }
    guard let app = apps[id], app.isResident else {
      let kind = apps[id]?.manifest.kind.rawValue ?? ""
      return refuse(
        client, .notPossible, "'\(hello.app)' is a \(kind); \(kind)s do not connect", request)
    }
    if let other = app.client {
      guard other != client else {
        if let welcome = welcome(id) { answer(client, welcome, request) }
        return
      }
      return refuse(client, .alreadyConnected, "'\(hello.app)' is connected already", request)
    }
    if let leader = app.pid, app.hasOwnProcess, group != leader {
      return refuse(
        client, .alreadyConnected,
        "'\(hello.app)' runs as process \(leader), and process \(pid) is not part of it", request)
    }
    // The welcome comes first; then the consequences of its arrival, and the waiting messages.
    let place = placeOfWelcome(to: id)
    clients[client]?.role = .app(id)
    _ = apps.with(id) { app in
      app.client = client
      app.outbox.rewind()
      app.heldEnds.drop()
    }
    if !app.hasProcess { cameByItself(id, pid) }
    if let welcome = welcome(id) {
      intents.insert(.answer(client, welcome, id: request), at: min(place, intents.count))
      if let state = launchState(of: id) {
        intents.insert(.tell(id, .state(state)), at: min(place + 1, intents.count))
      }
    }
    // Its welcome states the reason of its launch; an app that only lost its connection is told of every call.
    let toldByWelcome = apps[id].flatMap { $0.knowsItsLaunch ? nil : $0.launch.reason }
    _ = apps.with(id) { $0.knowsItsLaunch = true }
    tellCalls(of: id, but: toldByWelcome)
    intents.append(.flush(id))
  }

  /// A process that connects for the first time gets this callback of its launch; a launch into the background has one
  /// only in some eras.
  private func launchState(of id: AppID) -> AppState? {
    guard let app = apps[id], !app.knowsItsLaunch, let state = engine.state(of: id),
      state.runsCode
    else { return nil }
    let isSilent = AppCallback.isSilent(
      launchInto: state, for: app.launch.reason, in: settings.rules.era)
    return isSilent ? nil : state
  }

  /// A process started by others: that counts as a launch into the foreground.
  private mutating func cameByItself(_ id: AppID, _ pid: Int32) {
    setProcess(of: id, .foreign(pid: pid))
    _ = apps.with(id) { $0.knowsItsLaunch = false }
    note(id, "connected", "process \(pid), started by somebody else")
    guard engine.state(of: id) == .notRunning else { return }
    _ = apps.with(id) { $0.launch = .user }
    tell(.app(id, .life(.launched)))
    startServices(of: id)
  }

  /// The place for the welcome of an app that connects now: messages of an earlier event of the batch would go over the
  /// new connection as well, and the welcome must come first.
  private func placeOfWelcome(to id: AppID) -> Int {
    let first = intents.firstIndex { intent in
      switch intent {
      case .flush(let other), .tell(let other, _): other == id
      case .start, .freeze, .thaw, .end, .kill, .answer, .warnUnstored, .watch, .listen, .effect:
        false
      }
    }
    return first ?? intents.count
  }

  private func welcome(_ id: AppID) -> ServerMessage? {
    guard let app = apps[id] else { return nil }
    return .welcome(
      .init(
        release: settings.release, app: app.name, state: engine.state(of: id) ?? .notRunning,
        authorization: app.toldAuthorization, launchReason: app.launch.reason,
        monitorsSignificantChanges: engine.services(of: id).contains(.significant),
        acknowledged: app.outbox.acknowledged, places: monitoredPlaces(of: id),
        location: lastLocation(for: id), accuracy: app.isReduced ? .reduced : nil,
        defersUpdates: engine.rules.era.defersUpdates ? true : nil,
        mayNotify: app.manifest.declaration.mayNotify || !engine.rules.era.asksForNotifications
          ? true : nil,
        isFrontOnly: engine.life(of: id)?.exitsOnSuspend == true ? true : nil,
        refreshIsOff: engine.refreshIsOff ? true : nil))
  }

  /// The last position that an app that connects may know.
  private func lastLocation(for id: AppID) -> Fix? {
    guard let app = apps[id], app.launch.reason != .location, let fix = engine.lastKnown(for: id),
      fix.time != nil
    else { return nil }
    let mayKnow: Bool =
      switch engine.state(of: id) {
      case .active?, .inactive?: app.toldAuthorization.allowsLocation
      case .background?: app.manifest.declaration.authorization == .always
      case .suspended?, .notRunning?, nil: false
      }
    return mayKnow ? fix : nil
  }

  /// Registers an unknown app that connects, with the authorization of new apps. It has no command, so it
  /// cannot be launched.
  private mutating func introduce(_ name: String) -> AppID? {
    guard AppName.isValid(name) else { return nil }
    var declaration = AppDeclaration()
    declaration.declaresLocationMode = true
    declaration.authorization = settings.newApps
    return register(
      AppManifest(
        name: name, kind: .connected, command: [], directory: "/", declaration: declaration,
        service: nil, launch: .manual))
  }

  private mutating func appSays(
    _ message: ClientMessage, _ id: AppID, _ client: ClientID, _ request: String?
  ) {
    switch message {
    case .start(let start):
      needsCheckpoint()
      switch start.service {
      case .significant: tell(.app(id, .startMonitoringSignificantChanges))
      case .standard, .continuous: tell(.app(id, .startUpdating(start.request)))
      }
      sayWhetherAllowed(id, client)
      if engine.plan.isOn, facts.isUnreachable { answer(client, .noFix(facts.link)) }
    case .stop(let service):
      needsCheckpoint()
      tell(.app(id, service == .significant ? .stopMonitoringSignificantChanges : .stopUpdating))
    case .requestLocation(let accuracy):
      tell(.app(id, .requestLocation(accuracy: accuracy)))
      sayWhetherAllowed(id, client)
    case .monitorMotion(let isOn):
      tell(.app(id, isOn ? .startMonitoringMotion : .stopMonitoringMotion))
    case .heading(let request):
      needsCheckpoint()
      tell(.app(id, .heading(request.isOn ? .updates(filter: request.filter) : .none)))
      if request.isOn { sayWhetherAllowed(id, client) }
    case .deferUpdates(let request):
      needsCheckpoint()
      tell(.app(id, .deferUpdates(request.deferral)))
    case .requestAuthorization(let level):
      ask(level, for: id)
      if let app = apps[id] { answer(client, .authorization(app.toldAuthorization), request) }
    case .acknowledge(let number):
      acknowledge(id, upTo: number)
      if apps.with(id, { $0.outbox.hasNext }) == true { intents.append(.flush(id)) }
    case .done: tell(.app(id, .life(.finishedWork)))
    case .monitorRegion, .stopMonitoringRegion, .requestRegionState, .monitorVisits:
      placeSays(message, id, client)
    default: appSaysOfBackground(message, id, client, request)
    }
  }

  mutating func sayWhetherAllowed(_ id: AppID, _ client: ClientID) {
    guard let app = apps[id], !app.manifest.declaration.authorization.allowsLocation else { return }
    answer(client, .authorization(app.toldAuthorization))
  }

  private mutating func left(_ client: ClientID) {
    guard let entry = clients.removeValue(forKey: client) else { return }
    switch entry.role {
    case .user: break
    case .listener(let id): unwatch(client, id)
    case .app(let id):
      guard let app = apps[id], app.client == client else { return }
      _ = apps.with(id) { app in
        app.client = nil
        app.watches = false
        app.outbox.rewind()
      }
      guard case .foreign = app.process else { return }
      setProcess(of: id, .none)
      note(id, "left", "closed its connection")
      tell(.app(id, .life(.exited)))
    }
  }
}
