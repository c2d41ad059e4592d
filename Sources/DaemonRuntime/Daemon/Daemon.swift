// SPDX-License-Identifier: Apache-2.0

import AppLifecycle
import AppSupervisor
import ControlProtocol
import ControlSocket
import GPSDSource
import LocationEngine
import LocationModel
package import Logging
import ModemCells
package import NIOCore
import RadioPower
import Replay
package import Settings
import StateStore

// Theory of operation
// ===================
//
//    gpsd ─┐                                          ┌─► store (one transaction)
//    apps ─┼─► inbox ─► daemon ─► engine ─► commands ─┼─► then effects: freeze, thaw, start, send
// keepers ─┤              ▲  └──► meter               └─► receiver, deadline
//    time ─┘              └── next deadline
//
// One actor owns engine and meter. It takes all events that wait, in order, and for each one tells the
// engine and collects what the commands ask for. At the end of the batch it does three things, in this
// order and never in another:
//
//   1. the store commits: new deliveries, acknowledgements, the log, the engine's state where it matters;
//   2. the effects are performed in the order of the commands: a thaw before its delivery;
//   3. the timer is set to the next deadline of engine, crashes and retries. Where there is none, nothing
//      wakes the daemon.
//
// So a kill at any moment loses nothing: before 1 the event was never taken, after it it is in the store
// and is sent by the next daemon. A store that fails is said in the log and in the status, and tracking
// goes on in memory.
//
// An app's state is the engine's business; a process follows it. `starting` may last: until the app
// connects, its deliveries wait in its outbox. Odd cases:
// - The process ends by itself: the engine hears `exited`; a crash is the business of `CrashRecord`.
// - An app that somebody else started counts as launched into the foreground for as long as it is
//   connected; it cannot be frozen, since it is not ours.
// - A handler has no process between its runs; a run is a task of its own that may last longer than the
//   wake that began it.

/// Wires the edges to the engine.
package actor Daemon {
  /// Where things lie, and what the daemon was told at its start.
  package struct Setup: Sendable {
    package var configuration: DaemonConfiguration
    /// The configuration file, to be read again; `nil` where there is none.
    package var configurationFile: String?
    /// For the database.
    package var stateDirectory: String
    /// For the socket, the keepers and the apps' output.
    package var runtimeDirectory: String
    package var socketPath: String
    /// A listening socket from systemd.
    package var descriptor: Int32?
    /// The path of `milepost-keeper`.
    package var keeper: String
    package var release: String
    /// Where gpsd is, as the command line says; goes before the configuration file, also when that is
    /// read again.
    package var gpsdOverride: (host: String, port: Int)?
    /// Writes every input of the engine, and the lines of gpsd beside it.
    package var recordingPath: String?

    package init(
      configuration: DaemonConfiguration, configurationFile: String?, stateDirectory: String,
      runtimeDirectory: String, socketPath: String, descriptor: Int32?, keeper: String,
      release: String, recordingPath: String? = nil
    ) {
      self.configuration = configuration
      self.configurationFile = configurationFile
      self.stateDirectory = stateDirectory
      self.runtimeDirectory = runtimeDirectory
      self.socketPath = socketPath
      self.descriptor = descriptor
      self.keeper = keeper
      self.release = release
      self.recordingPath = recordingPath
    }
  }

  let setup: Setup
  let log: Logger
  let inbox = Inbox()
  let group: any EventLoopGroup
  let server: ControlServer
  let supervisor: AppSupervisor
  private let lock: RuntimeLock
  var store: StateStore?
  var configuration: DaemonConfiguration
  var gpsd: GPSDSource
  /// `nil` where the configuration wants none.
  let modem: ModemCells?
  var cells: CellWatch
  var engine: LocationEngine
  var meter: LiveMeter
  var clock: EngineClock
  /// The instant of the batch at hand.
  var now: EngineInstant
  /// Registered apps, and those of the listeners for gpsd clients.
  var apps: [AppID: DaemonApp] = [:]
  var listeners: [AppID: GPSDListenerApp] = [:]
  /// Which app, or which listener, a client is.
  var clients: [ControlServer.ClientID: Client] = [:]
  var nextApp: UInt32 = 1
  var recorder: LiveRecorder?

  /// What the batch at hand has to write, and to do after it is written.
  var change = StateStore.Change()
  var needsSnapshot = false
  /// Whether it must be written with this batch, whatever it takes.
  var mustSnapshot = false
  /// What could not be written, until it can.
  private var unwritten = StateStore.Change()
  var effects: [Effect] = []
  private var turn = EngineTurn()
  private var alarm: Alarm
  /// The apps for which time alone will change something: a pause after a crash or a failure.
  private var appDeadlines: [AppID: EngineInstant] = [:]
  private var lastSnapshot: EngineInstant
  private var snapshotAllowedAt = EngineInstant.zero
  /// Names of removed apps whose processes are still being ended; bounded by the processes there are.
  var leaving: Set<String> = []
  var isStopping = false
  var stopsAt: EngineInstant?
  var facts: LiveFacts
  /// What an earlier daemon left, until it is taken over.
  var stored: StateStore.Stored
  /// Apps of the store, until the engine has been told of them.
  var restored: [(id: AppID, manifest: AppManifest, lastSequence: UInt64)] = []

  /// One connection.
  struct Client: Sendable {
    let origin: ControlServer.Origin
    var app: AppID?
    var listener: AppID?
  }

  /// What is done after the store has committed, in order.
  enum Effect: Sendable {
    case start(AppID)
    case freeze(AppID)
    case thaw(AppID)
    case end(AppID)
    case kill(AppID)
    /// Send what waits in its outbox.
    case flush(AppID)
    case tell(AppID, ServerMessage)
    case answer(ControlServer.ClientID, ServerMessage)
    /// Say that what was done could not be stored, if that is so.
    case warnUnstored(ControlServer.ClientID)
    case close(ControlServer.ClientID)
    case watch(Bool)
    /// Whether changes of cell are wanted of the modem.
    case listen(Bool)
  }

  /// Opens the store and finds out how processes are frozen. Throws where the runtime directory cannot
  /// be used; a store that cannot be used is only said.
  package init(_ setup: Setup, on group: any EventLoopGroup, log: Logger) throws {
    self.setup = setup
    self.log = log
    self.group = group
    let inbox = inbox
    alarm = Alarm(on: group.next(), inbox)
    configuration = setup.configuration
    server = ControlServer(on: group) { inbox.offer(.client($0)) }
    supervisor = try AppSupervisor(
      directory: setup.runtimeDirectory, keeper: setup.keeper,
      freezer: setup.configuration.supervisorFreezer,
      purgesAfter: EngineRules().lifecycle.purgesAfter
    ) { inbox.offer(.process($0)) }
    lock = try RuntimeLock(directory: setup.runtimeDirectory)
    gpsd = GPSDSource(setup.configuration.address, on: group) { inbox.offer(.gpsd($0)) }
    modem =
      setup.configuration.wantsModem ? ModemCells { inbox.offer(.modem($0)) } : nil
    let opened = try Self.openStore(setup, log: log)
    store = opened.store
    facts = LiveFacts(storeTrouble: opened.trouble, storeWarning: opened.store?.warning)
    clock = EngineClock(
      continuing: opened.stored.moment, boot: HostClock.bootID, bootClock: HostClock.bootClock,
      utc: HostClock.utc)
    now = clock.instant(atBootClock: HostClock.bootClock)
    lastSnapshot = now
    engine = try Self.engine(setup.configuration, restoring: opened.stored.engine)
    cells = CellWatch(isTold: engine.senses.contains(.cells))
    meter = try Self.meter(setup.configuration)
    facts.energyBefore = opened.stored.energy
    facts.gap = clock.gap
    stored = opened.stored
  }

  /// Serves until `stop`, and until all apps have ended; `whenReady` is called once apps can connect.
  package func run(whenReady: @Sendable () -> Void = {}) async throws {
    try await begin()
    whenReady()
    while true {
      let events = await inbox.take()
      now = max(now, clock.instant(atBootClock: HostClock.bootClock))
      for event in events { take(event) }
      fireDeadlines()
      settle()
      if isStopping && (isQuiet || stopsAt.map { $0 <= now } == true) { break }
    }
    await finish()
  }

  /// Ends everything in order: apps are told, then ended.
  package nonisolated func stop() { inbox.offer(.stop) }

  /// Reads the configuration again.
  package nonisolated func reload() { inbox.offer(.reload) }

  private func take(_ event: DaemonEvent) {
    switch event {
    case .gpsd(let event): heard(event)
    case .process(let event): process(event)
    case .client(let event): client(event)
    case .modem(let event): heard(event)
    case .deadlineCame: alarm.rang()
    case .reload: readConfiguration(for: nil)
    case .stop: beginToStop()
    }
  }

  // MARK: Engine

  /// Tells the engine one thing, and performs what it answers.
  func tell(_ input: EngineInput) {
    guard turn.add(input) else { return }
    while let commands = turn.next(&engine, at: now, recording: recorder) {
      for command in commands { perform(command) }
    }
    meter.awake(isAwake, at: now)
  }

  private var isAwake: Bool {
    engine.plan == .session || engine.runsCode
  }

  private func fireDeadlines() {
    if let due = engine.nextDeadline, due <= now { tell(.timePassed) }
    let due = appDeadlines.filter { $0.value <= now }.keys
    for id in due.sorted(by: { $0.number < $1.number }) {
      if apps[id]?.crashes.mayRelaunch(at: now) == true { launchInBackground(id) }
      if let due = apps[id]?.retryAt, due <= now {
        apps[id]?.retryAt = nil
        effects.append(.flush(id))
      }
      noteDeadline(of: id)
    }
  }

  /// Keeps the table of deadlines in step with an app whose pauses have changed.
  func noteDeadline(of id: AppID) { appDeadlines[id] = apps[id]?.nextDeadline }

  // MARK: After a batch

  private func settle() {
    checkpoint()
    commit()
    // An effect may have effects of its own, and something to write: an app that cannot be started
    // ends, and with it the receiver's plan. Each round ends something, so that there are few.
    while !effects.isEmpty {
      let todo = effects
      effects.removeAll(keepingCapacity: true)
      for effect in todo { perform(effect) }
      commit()
    }
    setTimer()
  }

  /// Adds the engine's state and the energy to what is written, where they matter: after a change of
  /// plan, life or anchor, else every 30 s at most, and only while something happens anyway.
  ///
  /// The state of one app is written in 0.1 ms, that of a thousand in 0.1 s; so that it never takes more
  /// than a twentieth of the time, the next one waits twenty times as long as the last one took. What
  /// must not be lost (deliveries, acknowledgements) does not wait: from an older state the engine goes
  /// on with the right numbers. An event that moves an anchor is always written with it, since the next
  /// one is measured from there.
  private func checkpoint() {
    let isDue = EngineInstant.seconds(from: lastSnapshot, to: now) >= 30
    guard mustSnapshot || (needsSnapshot || isDue) && snapshotAllowedAt <= now else { return }
    mustSnapshot = false
    let begun = HostClock.bootClock
    needsSnapshot = false
    lastSnapshot = now
    change.engine = engine.snapshot
    change.moment = clock.moment(
      boot: HostClock.bootID, bootClock: HostClock.bootClock, utc: HostClock.utc)
    change.energy = energySoFar()
    commit()
    let seconds = Double(HostClock.bootClock - begun) / 1e6
    snapshotAllowedAt = now.advanced(bySeconds: 20 * seconds)
  }

  /// Writes the engine's state whatever it costs: at the end.
  func checkpointAtEnd() {
    (needsSnapshot, snapshotAllowedAt) = (true, .zero)
    checkpoint()
  }

  private func commit() {
    guard change != StateStore.Change() else { return }
    var whole = unwritten
    whole.append(change)
    (change, unwritten) = (StateStore.Change(), StateStore.Change())
    guard let store else { return }
    do {
      try store.commit(whole)
      if facts.storeTrouble != nil {
        facts.storeTrouble = nil
        log.notice("the store can be written again")
      }
    } catch {
      unwritten = whole.carriedOver { app, number in
        apps[app]?.outbox.entries.contains { $0.delivery.sequence == number } == true
      }
      let words = words(of: error)
      if facts.storeTrouble != words { log.error("not stored, tracking goes on: \(words)") }
      facts.storeTrouble = words
    }
  }

  private func setTimer() {
    var due = engine.nextDeadline
    for other in appDeadlines.values { due = due.map { min($0, other) } ?? other }
    if needsSnapshot { due = due.map { min($0, snapshotAllowedAt) } ?? snapshotAllowedAt }
    if let stopsAt { due = due.map { min($0, stopsAt) } ?? stopsAt }
    alarm.set(due, at: now)
  }
}
