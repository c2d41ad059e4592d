// SPDX-License-Identifier: Apache-2.0

import AppLifecycle
import ControlProtocol
import LocationEngine
import LocationModel
import ServiceContract
import Settings

// The beginning, with the state of an earlier service; new settings; the end.

extension LocationService {
  // MARK: The state of an earlier service

  mutating func begin(_ stored: StoredState, _ beginning: ServiceBeginning) {
    if let gap = clock.gap {
      // The stored moment is that of the last checkpoint; an event that still waits may be younger.
      let last = stored.pending.map(\.received).max()
      let text = LogWords.text(gap, notBefore: last)
      note(nil, "gap", text)
      let began = gap.hasClockGoneBack ? gap.beganUTC : max(gap.fromUTC, last ?? gap.fromUTC)
      remember(.unwatched, nil, nil, text, since: began)
    }
    for line in beginning.storeWarnings { record(nil, "warning", line) }
    restoreApps(stored)
    let zones = engine.rules.zones
    facts.isOnExternalPower = engine.rules.lateness.isOnExternalPower
    reconfigureEngine()
    restoreEngine(stored)
    // The configuration may have been changed while no service ran.
    forgetHidden(since: zones)
    for (number, listener) in beginning.listeners.enumerated() {
      let id = AppID(GPSDListenerApp.firstID + UInt32(number))
      let app = GPSDListenerApp(id: id, listener: listener)
      listeners[id] = app
      tell(.app(id, .registered(app.declaration)))
      tell(.app(id, .usesMemory(megabytes: 0)))
    }
  }

  /// Fills the tables from the store.
  private mutating func restoreApps(_ stored: StoredState) {
    for row in stored.apps {
      guard row.id.number < GeoClueApp.firstID else {
        journal(
          .error, "\(row.name): stored under a number that no app of a manifest has; add it again")
        continue
      }
      nextApp = max(nextApp, row.id.number + 1)
      var manifest: AppManifest
      do throws(SettingsError) {
        manifest = try AppManifest(json: Array(row.manifestJSON.utf8))
      } catch {
        journal(
          .error, "\(row.name): its stored manifest cannot be read; add it again: \(error.message)")
        continue
      }
      manifest.declaration.authorization = row.authorization
      adopt(manifest, as: row.id, acknowledged: row.acknowledged, row.tally)
      if let crashes = row.crashes { restore(crashes, of: row.id) }
      guard let run = row.run, run > row.acknowledged else { continue }
      _ = apps.with(row.id) { app in
        if app.isHandler { app.code = .handler(.announced(run)) }
      }
    }
    for pending in stored.pending {
      let entry = Outbox.Entry(
        delivery: pending.delivery, received: pending.received,
        since: clock.instant(ofEarlier: pending.received), failures: pending.failures)
      _ = apps.with(pending.app) { app in
        // A smaller outbox drops the oldest with the next delivery, and not before.
        app.outbox.restore(entry)
        // They come in the order of their numbers: the last one is the newest.
        app.lastDelivery = entry
      }
    }
    for dead in stored.dead { _ = apps.with(dead.pending.app) { $0.dead.append(dead) } }
  }

  private mutating func restore(_ crashes: StoredCrashes, of id: AppID) {
    _ = apps.with(id) { app in
      app.crashes = CrashRecord(crashes.times)
      if crashes.isHeld { app.process = .held }
    }
  }

  /// An app that the engine's state does not know (its snapshot was of another version) is registered
  /// anew; one that only the engine knows is forgotten.
  private mutating func restoreEngine(_ stored: StoredState) {
    for row in stored.apps {
      guard let app = apps[row.id] else { continue }
      if engine.state(of: row.id) == nil {
        tell(.app(row.id, .registered(declaration(of: app.manifest))))
      } else if engine.authorization(of: row.id) != row.authorization {
        // The user's answer was stored, and the engine's state was to follow.
        tell(.app(row.id, .authorized(row.authorization)))
      }
      sayWhatItHolds(row.id)
      engine.continueSequence(of: row.id, after: max(row.lastSequence, row.acknowledged))
    }
    for id in engine.appIDs where apps[id] == nil { tell(.app(id, .removed)) }
    declareAll()
  }

  /// Seconds for which the handlers and tasks of processes that an earlier service left may go on after their time
  /// [ours: their clients connect again within it].
  static let takeoverPatience = 5.0

  /// Begins to serve: clients can connect now, and all processes left by an earlier service have been reported.
  mutating func serve(adopted: [String]) {
    guard phase == .beginning else { return }
    // Processes that have ended did so before anything falls due now.
    let living = Set(adopted)
    // The others may have ended their work while there was nobody to hear it, and say so once they are connected.
    for app in apps.all where living.contains(app.name) {
      engine.spare(app.id, until: now.at.advanced(bySeconds: Self.takeoverPatience))
    }
    for app in apps.all where app.isResident && !living.contains(app.name) {
      guard let state = engine.state(of: app.id), state != .notRunning else { continue }
      note(app.id, "ended", "ended while no service ran")
      tell(.app(app.id, .life(.exited)))
    }
    phase = .serving
    // The watch follows the restored plan, which may be on.
    meter.follow(engine.plan, at: now.at)
    meter.arm(metered(engine.triggers), at: now.at)
    facts.follow(engine.plan, at: now)
    intents.append(.watch)
    intents.append(.listen)
    // The earlier processes have ended with the machine, before anything falls due; those that run after a
    // restart are launched.
    if clock.gap?.isReboot == true { tell(.device(.rebooted(isLocked: false))) }
    tell(.timePassed)
    startWhatRuns()
    for app in apps.all where app.hasOwnProcess && engine.watchesSocket(app.id) {
      // The socket that it had handed over ended with the service that watched it, and it reads no welcome.
      tell(.app(app.id, .event(.socket)))
    }
    needsCheckpoint()
  }

  // MARK: Registration

  /// Stores an app's manifest, in place of the stored one.
  mutating func store(_ manifest: AppManifest, as id: AppID) {
    let row = StoredApp(
      id: id, name: manifest.name, manifestJSON: String(decoding: manifest.json, as: UTF8.self),
      authorization: manifest.declaration.authorization)
    write { $0.addedApps.append(row) }
  }

  /// Registers an app with engine and store; `nil` if there is no room.
  mutating func register(_ manifest: AppManifest) -> AppID? {
    guard apps.count + listeners.count + geoClue.apps.count < EngineRules.appLimit else {
      return nil
    }
    let id = AppID(nextApp)
    nextApp += 1
    adopt(manifest, as: id, acknowledged: 0)
    store(manifest, as: id)
    needsCheckpoint()
    tell(.app(id, .registered(declaration(of: manifest))))
    sayWhatItHolds(id)
    note(id, "registered", "registered as a \(manifest.kind.rawValue) app")
    record(nil, "registered", "\(manifest.name): registered as a \(manifest.kind.rawValue) app")
    return id
  }

  /// An app without a lasting process frees no memory.
  private mutating func sayWhatItHolds(_ id: AppID) {
    guard apps[id]?.isResident == false else { return }
    tell(.app(id, .usesMemory(megabytes: 0)))
  }

  private mutating func adopt(
    _ manifest: AppManifest, as id: AppID, acknowledged: UInt64, _ tally: UplinkTally? = nil
  ) {
    let outbox = Outbox(limit: settings.outboxLimit(for: manifest), acknowledged: acknowledged)
    apps[id] = AppRecord(
      manifest, as: id, outbox: outbox, tally: tally ?? UplinkTally(since: now.at))
  }

  mutating func remove(_ id: AppID) {
    guard let app = apps[id] else { return }
    if app.hasOwnProcess {
      leaving.insert(app.name)
      intents.append(.effect(.end(app.name, grace: Self.grace)))
    }
    if let client = app.client {
      clients[client]?.role = .user
      intents.append(.effect(.close(client)))
    }
    if app.isSink {
      uplink.ended(id, at: now.at, tail: 0)
      intents.append(.effect(.sink(.close(id))))
    }
    tell(.app(id, .removed))
    apps[id] = nil
    deadlines.set(nil, for: id)
    write { $0.removedApps.append(id) }
    change.forget(id)
    needsCheckpoint()
    record(nil, "removed", "\(app.name): removed")
    journal(.notice, "\(app.name): removed")
  }

  // MARK: Settings

  /// Takes over the immediate settings, also for registered apps: a smaller outbox drops the oldest with the next
  /// delivery, and a lower crash limit holds an app from its next crash on.
  mutating func take(_ reading: SettingsReading, for client: ClientID?, _ request: String?) {
    switch reading {
    case .refused(let text, let isError):
      journal(
        isError ? .error : .notice, isError ? "the configuration stays as it was: \(text)" : text)
      if let client { refuse(client, .notPossible, text, request) }
    case .read(let new, let changes):
      for change in changes { journal(.notice, "configuration: \(change)") }
      if changes.isEmpty {
        // Another app may have had the name of a sink until now.
        let names = (new.sinks ?? []).map(\.name).filter { apps.id(of: $0) == nil }
        for name in names { journal(.notice, "configuration: sinks.\(name): begins") }
        if names.isEmpty { journal(.notice, "configuration: nothing changed") }
      }
      apply(new)
      if let client { answer(client, .ok, request) }
    }
  }

  private mutating func apply(_ new: ServiceSettings) {
    let hasMoved =
      (new.gpsdHost, new.gpsdPort) != (settings.gpsdHost, settings.gpsdPort)
      || new.gpsdDevice != settings.gpsdDevice
    settings.gpsdHost = new.gpsdHost
    settings.gpsdPort = new.gpsdPort
    settings.gpsdDevice = new.gpsdDevice
    settings.newApps = new.newApps
    settings.crashLimit = new.crashLimit
    settings.outboxLimit = new.outboxLimit
    settings.retriesFor = new.retriesFor
    settings.sinks = new.sinks
    if new.keepsFor != settings.keepsFor { retention.renew() }
    settings.keepsFor = new.keepsFor
    apps.changeAll { [settings] in $0.outbox.limit = settings.outboxLimit(for: $0.manifest) }
    followConfiguredSinks()
    take(new.rules.zones)
    settings.rules.lateness = new.rules.lateness
    settings.externalPower = new.externalPower
    followLateness()
    guard hasMoved else { return }
    // The old gpsd's state says nothing about the new one.
    facts.forgetGPSD(at: now)
    intents.append(
      .effect(.connect(host: new.gpsdHost, port: new.gpsdPort, device: new.gpsdDevice)))
    intents.append(.watch)
  }

  // MARK: End

  /// Tells every app and ends it when its time is up; the service is over when all are gone.
  mutating func beginToStop() {
    guard !phase.isStopping else { return }
    phase = .stopping(
      until: now.at.advanced(bySeconds: engine.rules.lifecycle.exitsAfter + 2 * Self.grace))
    journal(.notice, "stopping: apps are told and ended")
    for app in apps.all {
      if app.isResident {
        tell(.app(app.id, .life(.terminated)))
      } else if app.hasOwnProcess {
        intents.append(.end(app.id))
      }
    }
  }
}
