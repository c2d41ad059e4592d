// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import LocationEngine
import LocationModel
import ServiceContract

// How apps come, change and go: by a manifest that a user brings, by the configuration (ConfiguredSinks.swift), by
// connecting. What an app has waiting, its numbers and its permissions outlive a changed manifest.

extension Step {
  /// Registers an app with engine and store; `nil` if there is no room.
  mutating func register(_ manifest: AppManifest) -> AppID? {
    guard apps.count + guests < EngineRules.appLimit else { return nil }
    let id = apps.addApp(manifest)
    want(.open(id))
    store(manifest, as: id)
    ledger.needCheckpoint()
    registerWithEngine(id, manifest)
    note(id, "registered", "registered as a \(manifest.kind.rawValue) app")
    record(nil, "registered", "\(manifest.name): registered as a \(manifest.kind.rawValue) app")
    return id
  }

  private mutating func registerWithEngine(_ id: AppID, _ manifest: AppManifest) {
    tellEngine(.app(id, .registered(declaration(of: manifest))))
    sayWhatItHolds(id, manifest)
  }

  /// An app without a lasting process frees no memory.
  private mutating func sayWhatItHolds(_ id: AppID, _ manifest: AppManifest) {
    if manifest.kind != .connected { tellEngine(.app(id, .usesMemory(megabytes: 0))) }
  }

  /// Stores an app's manifest, in place of the stored one.
  private mutating func store(_ manifest: AppManifest, as id: AppID) {
    let row = StoredApp(
      id: id, name: manifest.name, manifestJSON: String(decoding: manifest.json, as: UTF8.self),
      authorization: manifest.declaration.authorization)
    ledger.addRows { $0.addedApps.append(row) }
  }

  /// Registers an unknown app that connects, with the authorization of new apps. It has no command, so it
  /// cannot be launched. Returns whether it could: the name may be none, or there may be no room.
  mutating func introduce(_ name: String) -> Bool {
    guard AppName.isValid(name) else { return false }
    var declaration = AppDeclaration()
    declaration.declaresLocationMode = true
    declaration.authorization = settings.newApps
    let manifest = AppManifest(
      name: name, kind: .connected, command: [], directory: "/", declaration: declaration,
      service: nil, launch: .manual)
    return register(manifest) != nil
  }

  // MARK: An earlier service's apps

  /// Takes over an app of an earlier service; `nil` if it cannot be one any more, which is reported.
  mutating func restore(_ row: StoredApp) -> AppManifest? {
    guard row.id.number < GeoClueApp.firstID else {
      journal(
        .error, "\(row.name): stored under a number that no app of a manifest has; add it again")
      return nil
    }
    apps.spare(row.id)
    var manifest: AppManifest
    do throws(SettingsError) {
      manifest = try AppManifest(json: Array(row.manifestJSON.utf8))
    } catch {
      journal(
        .error, "\(row.name): its stored manifest cannot be read; add it again: \(error.message)")
      return nil
    }
    manifest.declaration.authorization = row.authorization
    apps.restore(manifest, as: row.id, lastLogged: row.lastLogged)
    return manifest
  }

  /// An app that the engine's state does not know (its snapshot was of another version) is registered
  /// anew; one that only the engine knows is forgotten.
  mutating func restoreEngine(_ stored: [StoredApp], _ engine: LocationEngine) {
    for row in stored {
      guard let app = apps[row.id] else { continue }
      if engine.state(of: row.id) == nil {
        tellEngine(.app(row.id, .registered(declaration(of: app.manifest))))
      } else if engine.authorization(of: row.id) != app.authorization {
        // The user's answer was stored, and the engine's state was to follow; or the era is another one.
        tellEngine(.app(row.id, .authorized(app.authorization)))
      }
      sayWhatItHolds(row.id, app.manifest)
      want(.continueSequence(of: row.id, after: max(row.lastSequence, row.acknowledged)))
    }
    for id in engine.appIDs where apps[id] == nil { tellEngine(.app(id, .removed)) }
    want(.declareAll)
  }

  // MARK: The user

  /// Takes a manifest as read from the file that a client sent.
  mutating func receive(
    manifest reading: ManifestReading, from client: ClientID, _ request: String?, isUpdate: Bool
  ) {
    switch reading {
    case .refused(let text): refuse(client, .badManifest, text, request)
    case .read(_, let missing?, _): refuse(client, .badManifest, missing, request)
    case .read(let manifest, nil, let unknown):
      if isUpdate {
        update(manifest, client, request)
      } else {
        add(app: manifest, client, request)
      }
      if let unknown { want(.declares(unknown, manifest.name)) }
    }
  }

  /// Adds an app for a client.
  mutating func add(app manifest: AppManifest, _ client: ClientID, _ request: String?) {
    if let app = apps[named: manifest.name] {
      guard !app.canStart else { return refuseName(of: app, to: manifest, client, request) }
      // It has only connected so far: now its manifest is known.
      want(.remove(app.id))
      return want(.add(manifest, client, request))
    }
    guard let id = register(manifest) else {
      return refuse(
        client, .notPossible,
        "there are \(EngineRules.appLimit) apps, and no more can be added; `milepost apps remove NAME` makes room",
        request)
    }
    if manifest.launch == .atStart { want(.launchInBackground(id)) }
    // Its services determine its deliveries, so they are started first.
    want(.document(.changed(id), client, request))
  }

  private mutating func refuseName(
    of app: RegisteredApp, to manifest: AppManifest, _ client: ClientID, _ request: String?
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
  private mutating func update(_ new: AppManifest, _ client: ClientID, _ request: String?) {
    guard let app = apps[named: new.name] else {
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
    want(.document(.changed(app.id), client, request))
  }

  mutating func refuseConfigured(
    _ app: RegisteredApp, _ client: ClientID, _ request: String?
  ) {
    refuse(
      client, .notPossible,
      "'\(app.name)' stands in the configuration, as sinks.\(app.name); change it there, and read it "
        + "again: `systemctl --user reload milepostd`", request)
  }

  /// Gives an app another manifest.
  mutating func replace(_ app: RegisteredApp, by manifest: AppManifest) {
    let id = app.id
    apps.replace(manifest, of: id)
    want(.followLimits)
    want(.mendedProcess(id))
    want(.mendedSink(id))
    store(manifest, as: id)
    // The new behaviour is stored with it: a next service would go on by the old one.
    ledger.needCheckpoint(now: true)
    release(id)
    tellEngine(.app(id, .declared(declaration(of: manifest))))
    if manifest.declaration.accuracy == .reduced, !app.isReduced { want(.reduce(id)) }
    note(id, "updated", "its manifest is replaced")
    stopPlaces(of: id, app.manifest.places, unlessIn: manifest.places)
    let asksElse =
      (app.manifest.service, app.manifest.request) != (manifest.service, manifest.request)
      || app.manifest.places != manifest.places
    if asksElse, !app.isResident {
      // An app's services are its own.
      tellEngine(.app(id, .stopMonitoringSignificantChanges))
      tellEngine(.app(id, .stopUpdating))
    }
    want(.restart(id, asksElse: asksElse))
    intend(.flush(id))
    if app.manifest.places != manifest.places { want(.tellSinkRegions(id)) }
  }

  /// Stops monitoring the places that its last manifest named and this one does not.
  private mutating func stopPlaces(
    of id: AppID, _ old: ManifestPlaces, unlessIn new: ManifestPlaces
  ) {
    for region in old.regions
    where !new.regions.contains(where: { $0.identifier == region.identifier }) {
      stopRegion(region.identifier, of: id)
    }
    if old.visits, !new.visits { tellEngine(.app(id, .place(.stopMonitoringVisits))) }
  }

  /// The rest of an app's removal, once the engine has forgotten it.
  mutating func closeApp(_ id: AppID, _ name: String) {
    apps.remove(id)
    ledger.addRows {
      $0.removedApps.append(id)
      $0.forgetApp(id)
    }
    ledger.needCheckpoint()
    record(nil, "removed", "\(name): removed")
    journal(.notice, "\(name): removed")
  }

  /// Tells of modes of an app's Info.plist that change nothing here.
  mutating func declares(_ modes: [String], of name: String) {
    guard let id = apps.id(of: name) else { return }
    note(
      id, "declares",
      "\(modes.joined(separator: ", ")) of its UIBackgroundModes changes nothing here")
  }

  /// Data came on the socket that a frozen app has handed over.
  mutating func socketIsReady(_ name: String) {
    guard let id = apps.id(of: name) else { return }
    ledger.needCheckpoint()
    tellEngine(.app(id, .event(.socket)))
  }

  // MARK: Declarations

  /// The declaration of an app, with the zones in which it sees.
  func declaration(of manifest: AppManifest) -> AppDeclaration {
    var declaration = manifest.declaration
    declaration.authorization = declaration.authorization.held(in: settings.rules.era)
    declaration.seesInside =
      settings.hidesFromAll
      ? [] : settings.rules.zones.filter { $0.apps.contains(manifest.name) }.map(\.name)
    return declaration
  }

  /// Tells the engine for every app in which zones it sees: those may have changed.
  mutating func declareAll(_ engine: LocationEngine) {
    for app in apps.all {
      let declaration = declaration(of: app.manifest)
      guard declaration.seesInside != engine.zonesSeen(by: app.id) else { continue }
      tellEngine(.app(app.id, .declared(declaration)))
    }
  }

  // MARK: Permissions

  /// The app requests a level, by itself or, in eras that do so, by starting a service. The outcome is the era's
  /// (`Authorization.after`).
  ///
  /// There is no dialogue on a server: the user answers on the command line.
  mutating func ask(_ level: Authorization, for id: AppID) {
    guard let app = apps[id] else { return }
    let current = app.authorization
    guard app.requestedAuthorization != level || current != .notDetermined else { return }
    apps.request(current == level ? nil : level, for: id)
    guard current.isQuestion(asking: level, in: settings.rules.era) else { return }
    let no = current.allowsLocation ? current : .denied
    note(
      id, "asks",
      "asks for '\(level.rawValue)'; answer with `milepost apps authorize \(app.name) "
        + "\(level.rawValue)` or `\(no.rawValue)`")
    intend(.effect(.askUser(app.name, level)))
  }

  /// Takes the user's answer to the app's request, or a change of its authorization. A user who denies an app that may
  /// know where the device is takes that away, whatever the app asks for: a mere no is the level that it has.
  mutating func authorize(_ id: AppID, _ answer: Authorization) {
    guard let app = apps[id] else { return }
    let current = app.authorization
    let era = settings.rules.era
    var outcome = AuthorizationOutcome(told: answer.held(in: era), granted: answer)
    if answer.allowsLocation || !current.allowsLocation, let level = app.requestedAuthorization,
      current.isQuestion(asking: level, in: era)
    {
      outcome = current.after(asking: level, answer: answer, in: era)
    }
    apps.grant(outcome, to: id)
    ledger.addRows { $0.authorizations.append(NewAuthorization(id, outcome.granted)) }
    ledger.needCheckpoint()
    let granted = outcome.granted.held(in: era)
    note(id, "authorized", "authorization: \(granted.rawValue)")
    tellEngine(.app(id, .authorized(granted)))
    if !current.allowsLocation { want(.bringBack(id)) }
    if !outcome.granted.allowsLocation { want(.recall(id)) }
    intend(.tell(id, .authorization(outcome.told)))
    intend(.flush(id))
    want(.tellSinkRegions(id))
  }

  /// Takes the user's choice of an app's accuracy.
  mutating func allow(_ accuracy: LocationAccuracy, to app: RegisteredApp) {
    guard app.manifest.declaration.accuracy != accuracy else { return }
    let id = app.id
    var manifest = app.manifest
    manifest.declaration.accuracy = accuracy
    apps.replace(manifest, of: id)
    store(manifest, as: id)
    ledger.needCheckpoint(now: true)
    tellEngine(.app(id, .declared(declaration(of: manifest))))
    if accuracy == .reduced { want(.reduce(id)) }
    note(id, "authorized", "accuracy: \(accuracy.rawValue)")
    intend(.tell(id, .accuracy(accuracy)))
    want(.tellSinkRegions(id))
  }
}
