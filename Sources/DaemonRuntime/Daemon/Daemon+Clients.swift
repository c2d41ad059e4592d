// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import ControlSocket
import LocationEngine
import LocationModel
import Settings

// Connections: apps, and ordinary gpsd clients. What its user asks for is in `Daemon+User`.

extension Daemon {
  func client(_ event: ControlServer.Event) {
    switch event {
    case .connected(let client, let origin):
      var entry = Client(origin: origin)
      if case .gpsdPort(let port) = origin {
        entry.listener = listeners.values.first { $0.port == port }?.id
      }
      clients[client] = entry
      // As gpsd does: its clients wait for this before they say anything.
      if entry.listener != nil { answer(client, .version(release: setup.release)) }
    case .disconnected(let client): left(client)
    case .writable(let client):
      if let id = clients[client]?.app { effects.append(.flush(id)) }
    case .message(let client, let message): take(message, from: client)
    }
  }

  func answer(_ client: ControlServer.ClientID, _ message: ServerMessage) {
    effects.append(.answer(client, message))
  }

  func refuse(
    _ client: ControlServer.ClientID, _ code: ServerMessage.ErrorCode, _ text: String
  ) {
    answer(client, .error(code: code, text))
  }

  private func take(_ message: ClientMessage, from client: ControlServer.ClientID) {
    switch message {
    case .hello(let hello): greet(hello, client)
    case .start, .stop, .requestLocation, .monitorMotion, .requestAuthorization, .acknowledge,
      .done:
      guard let id = clients[client]?.app else {
        return refuse(client, .notAnApp, "say who you are first: ?HELLO={\"app\":\"NAME\"};")
      }
      appSays(message, id, client)
    case .version: answer(client, .version(release: setup.release))
    case .devices: answer(client, .devices(deviceList(for: client)))
    case .watch(let isOn): watch(isOn, client)
    case .poll: answer(client, poll(client))
    case .status, .apps, .app, .add, .remove, .authorize, .control, .log, .explain, .reload:
      userSays(message, client)
    }
  }

  // MARK: Apps

  private func greet(_ hello: ClientMessage.Hello, _ client: ControlServer.ClientID) {
    guard case .socket(let pid, _) = clients[client]?.origin else { return }
    if let own = clients[client]?.app.flatMap({ apps[$0]?.name }), own != hello.app {
      return refuse(
        client, .notPossible,
        "this connection is '\(own)'; open another one for '\(hello.app)'")
    }
    guard let id = id(of: hello.app) ?? introduce(hello.app) else {
      return refuse(
        client, .unknownApp,
        "'\(hello.app)' is no name for an app: 1 to 64 of a-z, A-Z, 0-9, '.', '_' and '-'")
    }
    guard let app = apps[id], !app.isHandler else {
      return refuse(client, .notPossible, "'\(hello.app)' is a handler; handlers do not connect")
    }
    if let other = app.client {
      guard other != client else {
        if let welcome = welcome(id) { answer(client, welcome) }
        return
      }
      return refuse(client, .alreadyConnected, "'\(hello.app)' is connected already")
    }
    // What it hears first is who it is; then what follows from its coming, and what already waits.
    let place = effects.placeOfWelcome(to: id)
    if case .running(let leader) = app.process {
      guard HostProcess.group(of: pid) == HostProcess.group(of: leader) else {
        return refuse(
          client, .alreadyConnected,
          "'\(hello.app)' runs as process \(leader), and process \(pid) is not part of it")
      }
    } else if app.process == .none {
      apps[id]?.process = .foreign(pid: pid)
      note(id, "connected", "process \(pid), started by somebody else")
      if engine.state(of: id) == .notRunning {
        apps[id]?.isLaunchedByService = false
        tell(.app(id, .launched))
        startServices(of: id)
      }
    }
    clients[client]?.app = id
    apps[id]?.client = client
    apps[id]?.outbox.rewind()
    if let welcome = welcome(id) { effects.insert(.answer(client, welcome), at: place) }
    effects.append(.flush(id))
  }

  private func welcome(_ id: AppID) -> ServerMessage? {
    guard let app = apps[id] else { return nil }
    return .welcome(
      .init(
        release: setup.release, app: app.name, state: engine.state(of: id) ?? .notRunning,
        authorization: app.manifest.declaration.authorization, launchReason: app.launchReason,
        monitorsSignificantChanges: engine.services(of: id).contains(.significant),
        acknowledged: app.outbox.acknowledged))
  }

  /// An app that nobody has registered connects: it is known from now on, with the authorization that
  /// new apps have. It has no command, so nothing can launch it.
  private func introduce(_ name: String) -> AppID? {
    guard AppManifest.isName(name), apps.count < EngineRules.appLimit else { return nil }
    var declaration = AppDeclaration()
    declaration.declaresLocationMode = true
    declaration.authorization = configuration.newApps
    return register(
      AppManifest(
        name: name, kind: .connected, command: [], directory: "/", declaration: declaration,
        service: nil, launch: .manual))
  }

  private func appSays(
    _ message: ClientMessage, _ id: AppID, _ client: ControlServer.ClientID
  ) {
    switch message {
    case .start(let request):
      needsSnapshot = true
      switch request.service {
      case .significant: tell(.app(id, .startMonitoringSignificantChanges))
      case .standard, .continuous: tell(.app(id, .startUpdating(request.request)))
      }
      sayWhetherAllowed(id, client)
      if engine.plan.isOn, facts.isUnreachable { answer(client, .noFix(facts.link)) }
    case .stop(let service):
      needsSnapshot = true
      tell(.app(id, service == .significant ? .stopMonitoringSignificantChanges : .stopUpdating))
    case .requestLocation:
      tell(.app(id, .requestLocation))
      sayWhetherAllowed(id, client)
    case .monitorMotion(let isOn):
      tell(.app(id, isOn ? .startMonitoringMotion : .stopMonitoringMotion))
    case .requestAuthorization(let level): ask(level, for: id, client)
    case .acknowledge(let number):
      acknowledge(id, upTo: number)
      effects.append(.flush(id))
    case .done: tell(.app(id, .finishedWork))
    default: break
    }
  }

  private func sayWhetherAllowed(_ id: AppID, _ client: ControlServer.ClientID) {
    guard let authorization = apps[id]?.manifest.declaration.authorization,
      !authorization.allowsLocation
    else { return }
    answer(client, .authorization(authorization))
  }

  /// There is no dialogue on a server: the user answers on the command line.
  private func ask(
    _ level: Authorization, for id: AppID, _ client: ControlServer.ClientID
  ) {
    guard let app = apps[id] else { return }
    let current = app.manifest.declaration.authorization
    apps[id]?.requestedAuthorization = current == level ? nil : level
    if current == .notDetermined {
      note(
        id, "asks",
        "asks for '\(level.rawValue)'; answer with `milepost apps authorize \(app.name) "
          + "\(level.rawValue)` or `denied`")
    }
    answer(client, .authorization(current))
  }

  private func left(_ client: ControlServer.ClientID) {
    guard let entry = clients.removeValue(forKey: client) else { return }
    if let id = entry.listener { unwatch(client, id) }
    guard let id = entry.app, apps[id]?.client == client else { return }
    apps[id]?.client = nil
    apps[id]?.watches = false
    apps[id]?.outbox.rewind()
    if case .foreign = apps[id]?.process {
      apps[id]?.process = .none
      note(id, "left", "closed its connection")
      tell(.app(id, .exited))
    }
  }

  // MARK: gpsd clients

  private func watch(_ isOn: Bool, _ client: ControlServer.ClientID) {
    guard let entry = clients[client] else { return }
    if let id = entry.listener {
      answer(client, .devices(deviceList(for: client)))
      answer(client, .watch(isOn: isOn))
      return isOn ? watch(client, id) : unwatch(client, id)
    }
    guard let id = entry.app else {
      return refuse(client, .notAnApp, "say who you are first: ?HELLO={\"app\":\"NAME\"};")
    }
    apps[id]?.watches = isOn
    answer(client, .watch(isOn: isOn))
  }

  private func watch(_ client: ControlServer.ClientID, _ id: AppID) {
    guard let listener = listeners[id], !listener.watchers.contains(client) else { return }
    listeners[id]?.watchers.append(client)
    guard listener.watchers.isEmpty else { return }
    tell(.app(id, .launched))
    switch listener.listener.service {
    case .significant: tell(.app(id, .startMonitoringSignificantChanges))
    case .standard, .continuous: tell(.app(id, .startUpdating(listener.request)))
    }
  }

  private func unwatch(_ client: ControlServer.ClientID, _ id: AppID) {
    guard let listener = listeners[id], listener.watchers.contains(client) else { return }
    listeners[id]?.watchers.removeAll { $0 == client }
    guard listeners[id]?.watchers.isEmpty == true else { return }
    if listener.listener.service == .significant {
      tell(.app(id, .stopMonitoringSignificantChanges))
    }
    tell(.app(id, .exited))
  }

  private func deviceList(for client: ControlServer.ClientID) -> [ServerMessage.Device] {
    if let id = clients[client]?.listener, let listener = listeners[id] {
      return [.init(path: listener.device, driver: "Milepost")]
    }
    return facts.devices.map { .init(path: $0.path, driver: $0.driver) }
  }

  /// The newest position that the asker's filter let through, never another.
  private func poll(_ client: ControlServer.ClientID) -> ServerMessage {
    let listener = clients[client]?.listener.flatMap { listeners[$0] }
    return .poll(
      listener?.lastFix, device: listener?.device ?? "milepost", at: HostClock.utc)
  }
}

extension [Daemon.Effect] {
  /// Where the welcome of an app that connects now is put in.
  ///
  /// What an earlier event of the batch has for the app would go over the new connection as well, and an
  /// app counts on hearing who it is before its deliveries.
  func placeOfWelcome(to id: AppID) -> Int {
    let first = firstIndex { effect in
      switch effect {
      case .flush(let other), .tell(let other, _): other == id
      case .start, .freeze, .thaw, .end, .kill, .answer, .warnUnstored, .close, .watch, .listen:
        false
      }
    }
    return first ?? count
  }
}
