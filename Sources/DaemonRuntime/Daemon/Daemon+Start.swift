// SPDX-License-Identifier: Apache-2.0

import AppLifecycle
import AppSupervisor
import ControlProtocol
import ControlSocket
import GPSDSource
import LocationEngine
import LocationModel
import Logging
import ModemCells
import RadioPower
import Replay
import Settings
import StateStore

// The beginning: what an earlier daemon left, processes that live on, sockets, apps.

extension Daemon {
  // MARK: Parts

  static func openStore(
    _ setup: Setup, log: Logger
  ) throws -> (store: StateStore?, stored: StateStore.Stored, trouble: String?) {
    do {
      let store = try StateStore(path: setup.stateDirectory + "/milepost.sqlite")
      // Reading may add to what opening had to say, also where it fails.
      defer {
        for line in store.warnings { log.error("\(line)") }
      }
      return (store, try store.load(), nil)
    } catch let error as StoreError where error.kind == .inUse {
      // Two daemons on one state would each undo what the other does.
      throw error
    } catch {
      log.error("nothing will be kept over a restart: \(words(of: error))")
      return (nil, StateStore.Stored(), words(of: error))
    }
  }

  static func engine(
    _ configuration: DaemonConfiguration, restoring snapshot: LocationEngine.Snapshot?
  ) throws -> LocationEngine {
    let (rules, policy) = try configuration.decisions()
    guard let snapshot else { return LocationEngine(rules: rules, policy: policy) }
    return LocationEngine(restoring: snapshot)
  }

  static func meter(_ configuration: DaemonConfiguration) throws -> LiveMeter {
    LiveMeter(
      device: try configuration.device(), network: try configuration.network(),
      hold: configuration.receiverHold)
  }

  func energySoFar() -> [String: Double] {
    var energy = facts.energyBefore
    for row in meter.report(at: now).components {
      energy[row.component, default: 0] += row.energy.nominal
    }
    return energy
  }

  // MARK: What an earlier daemon left

  /// Fills the tables from the store. An app that the engine's state does not know (its snapshot was of
  /// another version) is registered anew; one that only the engine knows is forgotten.
  func restoreApps(_ stored: StateStore.Stored) {
    for row in stored.apps {
      nextApp = max(nextApp, row.id.number + 1)
      guard var manifest = try? AppManifest(json: Array(row.manifestJSON.utf8)) else {
        log.error("\(row.name): its stored manifest cannot be read; add it again")
        continue
      }
      manifest.declaration.authorization = row.authorization
      adopt(manifest, as: row.id, acknowledged: row.acknowledged)
      restored.append((row.id, manifest, max(row.lastSequence, row.acknowledged)))
    }
    for pending in stored.pending {
      let entry = Outbox.Entry(
        delivery: pending.delivery, received: pending.received, failures: pending.failures)
      _ = apps[pending.app]?.outbox.add(entry)
      // They come in the order of their numbers: the last one is the newest.
      apps[pending.app]?.lastDelivery = entry
    }
  }

  /// The engine goes on under the configuration's rules and policy.
  func reconfigureEngine() throws {
    let senses: Senses = modem != nil && cells.isTold ? .cells : []
    let (rules, policy) = try configuration.decisions(senses: senses)
    var commands: [EngineCommand] = []
    engine.reconfigure(rules: rules, policy: policy, at: now, into: &commands)
    for command in commands { perform(command) }
  }

  private func restoreEngine() {
    for (id, manifest, last) in restored {
      if engine.state(of: id) == nil { tell(.app(id, .registered(manifest.declaration))) }
      engine.continueSequence(of: id, after: last)
    }
    for id in engine.appIDs where apps[id] == nil { tell(.app(id, .removed)) }
    restored = []
  }

  /// Processes of an earlier daemon are taken over; an app whose process is gone has ended.
  private func adoptProcesses() async {
    let adopted = Set(await supervisor.adopt())
    for id in apps.keys.sorted(by: { $0.number < $1.number }) {
      guard let app = apps[id], !adopted.contains(app.name), !app.isHandler,
        let state = engine.state(of: id), state != .notRunning
      else { continue }
      note(id, "ended", "ended while no daemon ran")
      tell(.app(id, .exited))
    }
  }

  // MARK: Begin

  func begin() async throws {
    if let gap = facts.gap { note(nil, "gap", LogWords.text(gap)) }
    for line in store?.warnings ?? [] { record(nil, "warning", line) }
    restoreApps(stored)
    stored = StateStore.Stored()
    try reconfigureEngine()
    restoreEngine()
    // What has been done so far is part of the state that the recording begins with.
    if let path = setup.recordingPath {
      recorder = try LiveRecorder(path: path, release: setup.release, configuration, engine, now)
    }
    await adoptProcesses()
    try await openListeners()
    // The watch follows the restored plan, which may well be on.
    effects.append(.watch(engine.plan.isOn))
    meter.follow(engine.plan, at: now)
    facts.onAt = engine.plan.isOn ? now : nil
    listenToCells()
    tell(.timePassed)
    for id in apps.keys.sorted(by: { $0.number < $1.number }) {
      if apps[id]?.manifest.launch == .atStart { launchInBackground(id) }
      relaunchForWhatWaits(id)
      effects.append(.flush(id))
    }
    needsSnapshot = true
    // The first batch settles all this.
    inbox.offer(.deadlineCame)
  }

  private func openListeners() async throws {
    if let descriptor = setup.descriptor {
      try await server.listen(descriptor: descriptor)
    } else {
      try await server.listen(path: setup.socketPath)
    }
    for (number, listener) in configuration.gpsdListeners.enumerated() {
      let id = AppID(GPSDListenerApp.firstID + UInt32(number))
      let port = try await server.listen(gpsdPort: listener.port)
      let app = GPSDListenerApp(id: id, listener: listener, port: port)
      listeners[id] = app
      tell(.app(id, .registered(app.declaration)))
      log.notice("gpsd clients see \(listener.service.rawValue) updates on 127.0.0.1:\(port)")
    }
    log.notice(
      "apps are frozen by \(supervisor.freezer.rawValue); listening on \(setup.socketPath)")
  }

  // MARK: End

  /// Every app is told, and ended when its time is up; the daemon leaves when all are gone.
  func beginToStop() {
    guard !isStopping else { return }
    isStopping = true
    log.notice("stopping: apps are told and ended")
    stopsAt = now.advanced(bySeconds: engine.rules.lifecycle.exitsAfter + 4)
    for id in apps.keys.sorted(by: { $0.number < $1.number }) {
      guard let app = apps[id] else { continue }
      if app.isHandler, app.isSupervised {
        apps[id]?.isEnding = true
        effects.append(.end(id))
      }
      if !app.isHandler { terminate(id) }
    }
  }

  /// Whether no process of ours is left.
  var isQuiet: Bool { leaving.isEmpty && !apps.values.contains { $0.isSupervised } }

  func finish() async {
    checkpointAtEnd()
    await server.stop()
    await gpsd.close()
    await modem?.close()
    await supervisor.release()
    recorder?.finish()
    log.notice("stopped")
  }

  // MARK: Configuration

  /// Takes what can be changed while the daemon runs; the rest is said to need a restart.
  func readConfiguration(for client: ControlServer.ClientID?) {
    guard let file = setup.configurationFile else {
      let text = "there is no configuration file to read again"
      log.notice("\(text)")
      if let client { refuse(client, .notPossible, text) }
      return
    }
    do {
      var new = try DaemonConfiguration.read(file)
      if let address = setup.gpsdOverride { (new.gpsdHost, new.gpsdPort) = address }
      let changes = DaemonConfiguration.changes(from: configuration, to: new)
      for change in changes { log.notice("configuration: \(change.text)") }
      if changes.isEmpty { log.notice("configuration: nothing changed") }
      apply(new)
      if let client { answer(client, .ok) }
    } catch {
      log.error("the configuration stays as it was: \(words(of: error))")
      if let client { refuse(client, .notPossible, words(of: error)) }
    }
  }

  /// Takes over what counts at once, also for the apps that are registered: a smaller outbox drops the
  /// oldest with the next delivery, and fewer crashes hold an app from its next one on.
  private func apply(_ new: DaemonConfiguration) {
    let hasMoved = new.address != configuration.address
    configuration.gpsdHost = new.gpsdHost
    configuration.gpsdPort = new.gpsdPort
    configuration.gpsdDevice = new.gpsdDevice
    configuration.newApps = new.newApps
    configuration.crashLimit = new.crashLimit
    configuration.outboxLimit = new.outboxLimit
    for id in apps.keys {
      apps[id]?.crashes.limit = new.crashLimit
      apps[id]?.outbox.limit = new.outboxLimit
    }
    guard hasMoved else { return }
    let old = gpsd
    Task { await old.close() }
    // What the old one had said is no news of the new one.
    (facts.isConnected, facts.isWatching, facts.devices) = (false, false, [])
    (facts.link, facts.linkSince, facts.release) = (LiveFacts.notAsked, HostClock.utc, nil)
    let inbox = inbox
    gpsd = GPSDSource(new.address, on: group) { inbox.offer(.gpsd($0)) }
    effects.append(.watch(engine.plan.isOn))
  }
}
