// SPDX-License-Identifier: Apache-2.0

import AppSupervisor
import ControlProtocol
import ControlSocket
import JSONText
import LocationEngine
import LocationModel
import Logging
import Settings
import SettingsFiles
import StateStore

// What the user asks for, with `milepost apps`, `status` and their like.

extension Daemon {
  func userSays(_ message: ClientMessage, _ client: ControlServer.ClientID) {
    switch message {
    case .status: answer(client, .document(json: statusDocument().json))
    case .apps: answer(client, .document(json: appsDocument().json))
    case .add(let manifest): add(manifest, client)
    case .reload: readConfiguration(for: client)
    case .app(let name), .remove(let name), .authorize(let name, _), .control(let name, _),
      .log(let name, _), .explain(let name):
      if case .log("", let count) = message { return answerLog(of: nil, count, client) }
      guard let app = id(of: name).flatMap({ apps[$0] }) else {
        let known = apps.values.map(\.name).sorted().joined(separator: ", ")
        return refuse(
          client, .unknownApp,
          "there is no app '\(name)'; \(known.isEmpty ? "none is registered" : "known: \(known)")")
      }
      userSays(message, of: app, client)
    default: break
    }
  }

  private func userSays(
    _ message: ClientMessage, of app: DaemonApp, _ client: ControlServer.ClientID
  ) {
    let id = app.id
    switch message {
    case .app: answer(client, .document(json: appDocument(app).json))
    case .explain: answer(client, .document(json: explanationDocument(app).json))
    case .log(_, let count): answerLog(of: id, count, client)
    case .remove:
      remove(id)
      answerChange(client, .ok)
    case .authorize(_, let authorization):
      authorize(id, authorization)
      answerChange(client, .ok)
    case .control(_, let control):
      if let trouble = perform(control, on: id) {
        refuse(client, trouble.code, trouble.text)
      } else {
        answer(client, .ok)
      }
    default: break
    }
  }

  // MARK: Registration

  private func add(_ file: ClientMessage.Manifest, _ client: ControlServer.ClientID) {
    let manifest: AppManifest
    do {
      let tree = try SettingsFile.parse(file.bytes, name: file.file)
      manifest = try AppManifest(
        tree, file: file.file, directory: file.directory, command: file.command,
        unstated: configuration.newApps)
    } catch {
      return refuse(client, .badManifest, words(of: error))
    }
    if let id = id(of: manifest.name) {
      guard apps[id]?.canStart == false else {
        return refuse(
          client, .duplicateApp,
          "there is an app '\(manifest.name)' already; remove it first: "
            + "`milepost apps remove \(manifest.name)`")
      }
      // It has only connected so far: now its manifest is known.
      remove(id)
    }
    guard let id = register(manifest) else {
      return refuse(
        client, .notPossible, "there are \(EngineRules.appLimit) apps, and no more can be added")
    }
    if manifest.launch == .atStart { launchInBackground(id) }
    // What it hears is known once its services are started.
    if let app = apps[id] { answerChange(client, .document(json: appDocument(app).json)) }
  }

  /// Answers what must outlive the service: where it does not, that is said first.
  private func answerChange(_ client: ControlServer.ClientID, _ message: ServerMessage) {
    effects.append(.warnUnstored(client))
    answer(client, message)
  }

  /// Makes an app known to engine and store; `nil` where there is no room.
  func register(_ manifest: AppManifest) -> AppID? {
    guard apps.count + listeners.count < EngineRules.appLimit else { return nil }
    let id = AppID(nextApp)
    nextApp += 1
    adopt(manifest, as: id, acknowledged: 0)
    change.addedApps.append(
      .init(
        id: id, name: manifest.name, manifestJSON: String(decoding: manifest.json, as: UTF8.self),
        authorization: manifest.declaration.authorization))
    needsSnapshot = true
    tell(.app(id, .registered(manifest.declaration)))
    note(id, "registered", "registered as a \(manifest.kind.rawValue) app")
    record(nil, "registered", "\(manifest.name): registered as a \(manifest.kind.rawValue) app")
    return id
  }

  func adopt(_ manifest: AppManifest, as id: AppID, acknowledged: UInt64) {
    apps[id] = DaemonApp(
      id: id, manifest: manifest,
      outbox: Outbox(limit: configuration.outboxLimit, acknowledged: acknowledged),
      crashes: CrashRecord(limit: configuration.crashLimit))
  }

  private func remove(_ id: AppID) {
    guard let app = apps[id] else { return }
    if app.isSupervised {
      leaving.insert(app.name)
      supervisor.end(app.name, grace: 2)
    }
    if let client = app.client {
      clients[client]?.app = nil
      effects.append(.close(client))
    }
    tell(.app(id, .removed))
    apps[id] = nil
    noteDeadline(of: id)
    change.removedApps.append(id)
    needsSnapshot = true
    record(nil, "removed", "\(app.name): removed")
    log.notice("\(app.name): removed")
  }

  private func authorize(_ id: AppID, _ authorization: Authorization) {
    apps[id]?.manifest.declaration.authorization = authorization
    apps[id]?.requestedAuthorization = nil
    change.authorizations.append((id, authorization))
    needsSnapshot = true
    note(id, "authorized", "authorization: \(authorization.rawValue)")
    tell(.app(id, .authorized(authorization)))
    effects.append(.tell(id, .authorization(authorization)))
    effects.append(.flush(id))
  }

  // MARK: Life

  private func perform(
    _ control: ClientMessage.AppControl, on id: AppID
  ) -> (code: ServerMessage.ErrorCode, text: String)? {
    guard let app = apps[id], let state = engine.state(of: id) else { return nil }
    let needed: (isRight: Bool, what: String) =
      switch control {
      case .launch: (state == .notRunning, "not running")
      case .foreground: (state == .background || state == .suspended, "in the background")
      case .background: (state == .active || state == .inactive, "in the foreground")
      case .terminate, .quit: (state != .notRunning, "running")
      case .purge: (state == .suspended, "suspended")
      case .release: (true, "")
      }
    guard needed.isRight else {
      return (
        .notPossible,
        "'\(app.name)' is \(state.words); only an app that is \(needed.what) can do that"
      )
    }
    if control == .launch, !app.canStart, !app.isHandler {
      return (.notPossible, "'\(app.name)' has no command; start it yourself, or add its manifest")
    }
    switch control {
    case .launch:
      apps[id]?.crashes.release()
      noteDeadline(of: id)
      apps[id]?.launchReason = nil
      apps[id]?.isLaunchedByService = false
      tell(.app(id, .launched))
      startServices(of: id)
    case .foreground: tell(.app(id, .enteredForeground))
    case .background: tell(.app(id, .enteredBackground))
    case .terminate: terminate(id)
    case .quit: tell(.app(id, .forceQuit))
    case .purge: tell(.app(id, .purged))
    case .release:
      apps[id]?.crashes.release()
      noteDeadline(of: id)
      note(id, "released", "its crashes are forgotten")
      if app.manifest.launch == .atStart { launchInBackground(id) }
    }
    return nil
  }

  // MARK: Log and configuration

  private func answerLog(of id: AppID?, _ count: Int, _ client: ControlServer.ClientID) {
    do {
      let rows = try store?.log(of: id, count: max(1, min(count, 10_000))) ?? []
      let unwritten = change.log.filter { $0.app == id }
      answer(
        client,
        .document(json: logDocument(of: id, Array((rows + unwritten).suffix(max(1, count)))).json))
    } catch {
      refuse(client, .storage, "the log cannot be read: \(words(of: error))")
    }
  }
}

extension AppState {
  /// In words.
  var words: String {
    switch self {
    case .notRunning: "not running"
    case .inactive: "inactive"
    case .active: "active"
    case .background: "in the background"
    case .suspended: "suspended"
    }
  }
}
