// SPDX-License-Identifier: Apache-2.0

import AppLifecycle
import ControlProtocol
import JSONText
import LocationEngine
import LocationModel
import ServiceContract
import Settings
import Wording

// The questions and orders of the user: `milepost apps`, `status` and similar.

extension LocationService {
  mutating func userSays(_ message: ClientMessage, _ client: ClientID, _ request: String?) {
    switch message {
    case .status: answer(client, .document(json: statusDocument().json), request)
    case .apps: answer(client, .document(json: appsDocument().json), request)
    case .overview: answer(client, .document(json: overviewDocument().json), request)
    case .history(let from, let to, let count):
      sendHistory(HistoryRange(from: from, to: to, count: count), client, request)
    case .reload: intents.append(.effect(.readSettings(for: client, id: request)))
    case .device(let event):
      record(nil, "device", event.words)
      happened(event)
      answer(client, .ok, request)
    case .log("", let count): sendLog(of: nil, "", count, client, request)
    case .forget(let wish): forget(wish, client, request)
    case .app(let name), .remove(let name), .authorize(let name, _, _), .control(let name, _),
      .log(let name, _), .explain(let name), .events(let name), .resend(let name, _),
      .discard(let name, _), .event(let name, _):
      guard let app = apps.id(of: name).flatMap({ apps[$0] }) else {
        let known = apps.all.map(\.name).sorted().joined(separator: ", ")
        return refuse(
          client, .unknownApp,
          "there is no app '\(name)'; \(known.isEmpty ? "none is registered" : "known: \(known)")",
          request)
      }
      userSays(message, of: app, client, request)
    // The shell reads the manifest, and reports it with `manifest`.
    default: break
    }
  }

  private mutating func userSays(
    _ message: ClientMessage, of app: AppRecord, _ client: ClientID, _ request: String?
  ) {
    let id = app.id
    switch message {
    case .app: answer(client, .document(json: appDocument(app).json), request)
    case .explain: answer(client, .document(json: explanationDocument(app).json), request)
    case .events: answer(client, .document(json: eventsDocument(app).json), request)
    case .log(let name, let count): sendLog(of: id, name, count, client, request)
    case .remove:
      guard !app.manifest.isConfigured || settings.sinks == nil else {
        return refuseConfigured(app, client, request)
      }
      remove(id)
      answerChange(client, .ok, request)
    case .authorize(_, let authorization, let accuracy):
      if let accuracy { allow(id, accuracy) }
      authorize(id, authorization)
      answerChange(client, .ok, request)
    case .resend(_, let number): answerChosen(resend(id, number), number, app, client, request)
    case .discard(_, let number): answerChosen(discard(id, number), number, app, client, request)
    case .event(_, let reason):
      needsCheckpoint()
      tell(.app(id, .event(reason)))
      answer(client, .ok, request)
    case .control(_, let control):
      if let trouble = perform(control, on: id) {
        refuse(client, trouble.code, trouble.text, request)
      } else {
        answer(client, .ok, request)
      }
    default: break
    }
  }

  // MARK: Registration

  mutating func add(
    _ reading: ManifestReading, _ client: ClientID, _ request: String?, isUpdate: Bool
  ) {
    switch reading {
    case .refused(let text): refuse(client, .badManifest, text, request)
    case .read(_, let missing?, _): refuse(client, .badManifest, missing, request)
    case .read(let manifest, nil, let unknown):
      if isUpdate { update(manifest, client, request) } else { add(manifest, client, request) }
      guard let unknown, let id = apps.id(of: manifest.name) else { break }
      note(
        id, "declares",
        "\(unknown.joined(separator: ", ")) of its UIBackgroundModes changes nothing here")
    }
  }

  private mutating func add(_ manifest: AppManifest, _ client: ClientID, _ request: String?) {
    if let app = apps.id(of: manifest.name).flatMap({ apps[$0] }) {
      guard !app.canStart else { return refuseName(of: app, to: manifest, client, request) }
      // It has only connected so far: now its manifest is known.
      remove(app.id)
    }
    guard let id = register(manifest) else {
      return refuse(
        client, .notPossible,
        "there are \(EngineRules.appLimit) apps, and no more can be added; `milepost apps remove NAME` makes room",
        request)
    }
    if manifest.launch == .atStart { launchInBackground(id) }
    // Its services determine its deliveries, so they are started first.
    if let app = apps[id] {
      answerChange(client, .document(json: appDocument(app).json), request)
    }
  }

  private mutating func refuseName(
    of app: AppRecord, to manifest: AppManifest, _ client: ClientID, _ request: String?
  ) {
    let advice =
      if app.manifest.isConfigured, settings.sinks != nil {
        ", sinks.\(app.name) of the configuration; give this one another name"
      } else if app.manifest.kind != manifest.kind {
        ", a \(app.manifest.kind.rawValue); remove it first: `milepost apps remove \(app.name)`"
      } else {
        "; give it this manifest, and keep its events: `milepost apps update MANIFEST`"
      }
    refuse(client, .duplicateApp, "there is an app '\(app.name)' already\(advice)", request)
  }

  /// Ends its process, and starts it anew by the new manifest if it was running; its waiting events,
  /// its numbers and the user's permissions stay.
  private mutating func update(
    _ new: AppManifest, _ client: ClientID, _ request: String?
  ) {
    guard let id = apps.id(of: new.name), let app = apps[id] else {
      return refuse(
        client, .unknownApp,
        "there is no app '\(new.name)'; register it: milepost apps add MANIFEST", request)
    }
    guard !app.manifest.isConfigured || settings.sinks == nil else {
      return refuseConfigured(app, client, request)
    }
    guard app.manifest.kind == new.kind else {
      return refuse(
        client, .notPossible,
        "'\(new.name)' is a \(app.manifest.kind.rawValue) app and stays one; remove it first: "
          + "`milepost apps remove \(new.name)`", request)
    }
    replace(app, by: new.decided(as: app.manifest))
    if let app = apps[id] {
      answerChange(client, .document(json: appDocument(app).json), request)
    }
  }

  private mutating func refuseConfigured(
    _ app: AppRecord, _ client: ClientID, _ request: String?
  ) {
    refuse(
      client, .notPossible,
      "'\(app.name)' stands in the configuration, as sinks.\(app.name); change it there, and read it "
        + "again: `systemctl --user reload milepostd`", request)
  }

  mutating func replace(_ app: AppRecord, by manifest: AppManifest) {
    let id = app.id
    _ = apps.with(id) { app in
      app.manifest = manifest
      app.trouble = nil
      app.outbox.limit = settings.outboxLimit(for: manifest)
    }
    store(manifest, as: id)
    // The new behaviour is stored with it: a next service would go on by the old one.
    needsCheckpoint(now: true)
    release(id)
    tell(.app(id, .declared(declaration(of: manifest))))
    if manifest.declaration.accuracy == .reduced, !app.isReduced { reduceWhatWaits(for: id) }
    note(id, "updated", "its manifest is replaced")
    stopPlaces(of: id, app.manifest.places, unlessIn: manifest.places)
    let asksElse =
      (app.manifest.service, app.manifest.request) != (manifest.service, manifest.request)
      || app.manifest.places != manifest.places
    if asksElse, !app.isResident {
      // An app's services are its own.
      tell(.app(id, .stopMonitoringSignificantChanges))
      tell(.app(id, .stopUpdating))
    }
    if engine.state(of: id)?.isRunning != true {
      if manifest.launch == .atStart { launchInBackground(id) }
    } else if app.isResident || asksElse {
      tell(.app(id, .life(.replaced)))
      tell(.app(id, .life(.launchedByService)))
      startServices(of: id)
      tell(.app(id, .life(.enteredBackground)))
    }
    intents.append(.flush(id))
    if app.manifest.places != manifest.places { tellSinkRegions(of: id) }
  }

  /// Answers a change that must outlive the service: if it does not, that is reported first.
  private mutating func answerChange(
    _ client: ClientID, _ message: ServerMessage, _ request: String?
  ) {
    intents.append(.warnUnstored(client, id: request))
    answer(client, message, request)
  }

  private mutating func answerChosen(
    _ count: Int, _ number: UInt64?, _ app: AppRecord, _ client: ClientID, _ request: String?
  ) {
    guard let number, count == 0 else { return answerChange(client, .ok, request) }
    refuse(
      client, .notPossible,
      "'\(app.name)' has no event \(number) that was given up; `milepost apps events \(app.name)` "
        + "lists those that it has", request)
  }

  // MARK: Life

  private mutating func perform(
    _ control: ClientMessage.AppControl, on id: AppID
  ) -> (code: ServerMessage.ErrorCode, text: String)? {
    guard let app = apps[id], let state = engine.state(of: id) else { return nil }
    let needed: (isRight: Bool, what: String) =
      switch control {
      case .launch: (state == .notRunning, "not running")
      case .foreground: (state == .background || state == .suspended, "in the background")
      case .background: (state == .active || state == .inactive, "in the foreground")
      case .interrupt: (state == .active, "active")
      case .resume: (state == .inactive, "inactive")
      case .terminate: (state != .notRunning, "running")
      case .quit: (engine.canBeSwipedAway(id) || app.isPausing, "running")
      case .purge: (state == .suspended, "suspended")
      case .release: (true, "")
      }
    if let end = engine.life(of: id)?.endsAt, control == .launch || control == .foreground {
      let seconds = max(1, EngineInstant.seconds(from: now.at, to: end).rounded(.up))
      return (
        .notPossible,
        "'\(app.name)' is ending; `milepost apps launch` can start it in \(Int(seconds)) s"
      )
    }
    guard needed.isRight else {
      return (
        .notPossible,
        "'\(app.name)' is \(state.sentence); only an app that is \(needed.what) can do that"
      )
    }
    if control == .launch, !app.canStart {
      return (.notPossible, "'\(app.name)' has no command; start it yourself, or add its manifest")
    }
    // Nobody opens an app on a locked device.
    if control == .launch || control == .foreground, engine.device.isLocked { happened(.unlocked) }
    switch control {
    case .launch:
      release(id)
      _ = apps.with(id) { $0.launch = .user }
      tell(.app(id, .life(.launched)))
      startServices(of: id)
      intents.append(.flush(id))
    case .foreground: tell(.app(id, .life(.enteredForeground)))
    case .background: tell(.app(id, .life(.enteredBackground)))
    case .interrupt: tell(.app(id, .life(.resignedActive)))
    case .resume: tell(.app(id, .life(.becameActive)))
    case .terminate: tell(.app(id, .life(.terminated)))
    case .quit:
      if app.isPausing { setProcess(of: id, .none) }
      tell(.app(id, .life(.forceQuit)))
    case .purge: tell(.app(id, .life(.purged)))
    case .release:
      release(id)
      note(id, "released", "its crashes are forgotten")
      if app.manifest.launch == .atStart { launchInBackground(id) }
      intents.append(.flush(id))
    }
    return nil
  }

  /// Removes all obstacles to a start.
  private mutating func release(_ id: AppID) {
    let hasCrashed = apps[id]?.crashes.crashes.isEmpty == false
    _ = apps.with(id) { app in
      app.crashes.release()
      switch app.code {
      case .connected(.held), .connected(.pausing): app.code = .connected(.none)
      case .handler(.waiting): app.code = .handler(.idle)
      case .sink(.waiting): app.code = .sink(.idle)
      case .connected, .handler, .sink: break
      }
    }
    noteDeadline(of: id)
    if hasCrashed { storeCrashes(of: id) }
  }

  // MARK: Log

  private mutating func sendLog(
    of id: AppID?, _ name: String, _ count: Int, _ client: ClientID, _ request: String?
  ) {
    intents.append(
      .effect(
        .sendLog(
          of: id, name: name, count: max(1, min(count, 10_000)), unwritten: [], to: client,
          id: request)))
  }
}

extension AppState {
  /// In a sentence: `'x' is in the background`.
  var sentence: String {
    switch self {
    case .notRunning: "not running"
    case .inactive: "inactive"
    case .active: "active"
    case .background: "in the background"
    case .suspended: "suspended"
    }
  }
}
