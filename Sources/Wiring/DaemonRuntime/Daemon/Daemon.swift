// SPDX-License-Identifier: Apache-2.0

import AppKeeping
import ControlProtocol
import DeviceWatch
import GPSDSource
import Glibc
import Host
import LocationEngine
import LocationModel
package import Logging
import MessageBus
package import NIOCore
import Servers
package import ServiceContract
import ServiceCore

// Theory of operation
// ===================
//
//    gpsd ─┐                                           ┌─► store (one transaction)
//    apps ─┼─► inbox ─► daemon ─► service ─► decision ─┤
// keepers ─┤              ▲        (decides all)       └─► then effects: processes, sockets, gpsd
// sinks ───┤              └── next deadline
// machine ─┤
//    time ─┘
//
// The daemon is a shell: in each turn it takes all waiting events, hands each one to the service with its instant,
// commits the service's changes, performs its effects in order, and sets the alarm to its next deadline. No rule is
// here; without a deadline, nothing wakes it.
// A turn is a function on the event loop of gpsd's and the apps' connections: one thread, woken once, takes a position
// to the apps.

/// Runs the service on real processes, sockets, gpsd, a database and the clock.
package actor Daemon {
  /// The paths and start options of the daemon.
  package struct Setup: Sendable {
    package var configuration: DaemonConfiguration
    /// The path of the configuration file, which may appear later, for a reload; `nil` if there is none.
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
    /// The address of gpsd from the command line; it takes precedence over the configuration file, also after a reload.
    package var gpsdOverride: (host: String, port: Int)?
    /// The file for every input of the service; gpsd's lines are recorded beside it.
    package var recordingPath: String?
    /// The service's time.
    package var clock = HostClock()

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

  private let setup: Setup
  private let log: Logger
  private let inbox = Inbox()
  private let loop: any EventLoop
  private let server: ControlServer
  private let supervisor: AppSupervisor
  private let lock: FileLock
  private let store: ServiceStore
  private let modem: ModemCells?
  private let machine: DeviceWatch
  private let network: NetworkWatch
  private let desktop: DesktopNotifier
  private let geoClue: GeoClueBus?
  private var sockets: HandedSockets
  private var gpsd: GPSDSource
  private var configuration: DaemonConfiguration
  private var recorder: LiveRecorder?
  private var sinks = OpenSinks()
  private let page: LivePage?
  private var alarm: Alarm
  private var clock: EngineClock

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    loop.executor.asUnownedSerialExecutor()
  }

  /// Opens the store and finds out how processes are frozen. Throws if the runtime directory or a profile cannot be
  /// used; an unusable store is only reported.
  package init(_ setup: Setup, on group: any EventLoopGroup, log: Logger) throws {
    self.setup = setup
    self.log = log
    let (loop, inbox) = (group.next(), inbox)
    self.loop = loop
    configuration = setup.configuration
    alarm = try Alarm(inbox, setup.clock, wakes: setup.configuration.wakesMachine)
    server = ControlServer(on: loop, limits: .ofThisProcess) { inbox.offer(.client($0)) }
    supervisor = try AppSupervisor(
      directory: setup.runtimeDirectory, keeper: setup.keeper,
      freezer: setup.configuration.supervisorFreezer,
      purgesAfter: setup.clock.machineSeconds(setup.configuration.purgesAfter)
    ) { inbox.offer(.process($0)) }
    lock = try RuntimeLock.taken(in: setup.runtimeDirectory)
    gpsd = Self.gpsd(setup.configuration, setup, on: loop, inbox)
    modem = setup.configuration.wantsModem ? ModemCells { inbox.offer(.modem($0)) } : nil
    machine = DeviceWatch(
      memory: setup.configuration.memoryPressure, battery: setup.configuration.lowPowerBelow > 0,
      motionSample: setup.configuration.wantsMotion ? setup.configuration.motionSample : nil
    ) { inbox.offer(.machine($0)) }
    network = NetworkWatch { inbox.offer(.machine($0)) }
    desktop = DesktopNotifier { alert, failure in
      log.notice("\(alert.app) notifies: \(alert.notification.body) (\(failure.words))")
    }
    geoClue =
      setup.configuration.geoClue == .answer
      ? GeoClueBus { inbox.offer(.service(.geoClue($0))) } : nil
    sockets = HandedSockets(inbox)
    page = setup.configuration.web.map { address in
      LivePage(
        address, setup.configuration, urlFile: setup.runtimeDirectory + "/web-url",
        on: group.next(), inbox)
    }
    store = try ServiceStore(
      path: setup.stateDirectory + "/milepost.sqlite", copies: setup.runtimeDirectory, log: log)
    clock = EngineClock(
      continuing: store.found.moment, boot: HostClock.bootID, bootClock: setup.clock.bootClock,
      utc: setup.clock.utc)
    // Reports faults of the configuration early.
    _ = try setup.configuration.settings(release: setup.release)
  }

  /// Serves until `stop`, and until all apps have ended; `whenReady` is called once apps can connect.
  package func run(whenReady: @Sendable () -> Void = {}) async throws {
    let (beginning, begun) = (try await beginning(), time)
    recorder = try setup.recordingPath.map {
      try LiveRecorder(path: $0, beginning: beginning, at: begun)
    }
    let service = NIOLoopBoundBox(LocationService(beginning, at: begun), eventLoop: loop)
    let adopted = await supervisor.adopt()
    takeEvents(inbox.takeNow(), &service.value)
    takeEvents([.service(.began(adopted: adopted))], &service.value)
    try await listen()
    machine.start()
    network.start()
    if let trouble = sockets.listen(beside: setup.socketPath) {
      log.warning("apps can hand no sockets over: \(trouble)")
    }
    geoClue?.start()
    whenReady()
    page?.prepareGround(log)
    alarm.set(service.value.nextDeadline, at: time.at)
    await inbox.serve(on: loop) { events in self.assumeIsolated { $0.turn(events, &service.value) }
    }
    store.finish(change: service.value.lastChange())
    await closeEdges()
  }

  /// Ends everything in an orderly way: apps are told, then ended.
  package nonisolated func stop() { inbox.offer(.service(.stop)) }

  /// Reads the configuration again.
  package nonisolated func reload() { inbox.offer(.reload) }

  // MARK: Begin and end

  private var openPorts: [Int] = []

  private func beginning() async throws -> ServiceBeginning {
    let listeners = configuration.gpsdListeners
    while openPorts.count < listeners.count {
      openPorts.append(try await server.listen(gpsdPort: listeners[openPorts.count].port))
    }
    var beginning = ServiceBeginning(
      settings: try settings(of: configuration),
      host: ServiceHost(
        pid: HostClock.processID, boot: HostClock.bootID, socketPath: setup.socketPath,
        storePath: store.path, hasStore: true, freezer: supervisor.freezer.rawValue),
      clock: clock, stored: store.found, storeTrouble: store.trouble,
      storeWarnings: store.warnings)
    beginning.isStoreRead = store.isRead
    beginning.host.web = try await page?.listen(log)
    beginning.listeners = zip(listeners, openPorts).map { listener, port in
      .init(port: port, service: listener.service, distanceFilter: listener.distanceFilter)
    }
    return beginning
  }

  private func listen() async throws {
    for (listener, port) in zip(configuration.gpsdListeners, openPorts) {
      log.notice("gpsd clients see \(listener.service.rawValue) updates on 127.0.0.1:\(port)")
    }
    if let descriptor = setup.descriptor {
      try await server.listen(descriptor: descriptor)
    } else {
      try await server.listen(path: setup.socketPath)
    }
    log.notice(
      "apps are frozen by \(supervisor.freezer.rawValue); listening on \(setup.socketPath)")
  }

  private func closeEdges() async {
    await alarm.close()
    await server.stop()
    await page?.stop()
    await gpsd.close()
    await modem?.close()
    await geoClue?.close()
    await machine.close()
    await network.close()
    await sockets.closeSockets()
    await supervisor.release()
    recorder?.finishRecording()
    log.notice("stopped")
  }

  // MARK: The service

  /// Now, on the engine's axis and in UTC.
  private var time: ServiceTime {
    ServiceTime(at: clock.instant(atBootClock: setup.clock.bootClock), utc: setup.clock.utc)
  }

  /// Takes what came, up to the next deadline; returns whether the service goes on.
  private func turn(_ events: [DaemonEvent], _ service: inout LocationService) -> Bool {
    takeEvents(events, &service)
    page?.follow(events: events)
    guard !service.isOver else { return false }
    alarm.set(service.nextDeadline, at: time.at)
    return true
  }

  /// Hands events to the service, and performs its decisions.
  private func takeEvents(_ events: [DaemonEvent], _ service: inout LocationService) {
    // Events that came together have one instant.
    let now = time
    func give(_ input: ServiceInput, _ service: inout LocationService) {
      self.give(input, at: now, &service)
    }
    // The daemon is awake anyway.
    for event in machine.look() { give(.machine(event), &service) }
    for event in events {
      switch event {
      case .client(.message(let client, .user(.add(let manifest)), let id)):
        let reading = ManifestFile.readManifest(manifest, unstated: service.settings.newApps)
        give(.manifest(client, reading, id: id), &service)
      case .client(.message(let client, .user(.update(let manifest)), let id)):
        let reading = ManifestFile.readManifest(manifest, unstated: service.settings.newApps)
        give(.manifest(client, reading, id: id, isUpdate: true), &service)
      case .client(let event):
        give(.client(event), &service)
        // Its answer, once the file is read, comes before that to the client's next question.
        if case .message(_, .reload, _) = event { settle(&service) }
      case .process(let event):
        sockets.follow(event: event)
        give(.process(event), &service)
      case .gpsd(.line(let line)):
        // The raw line shows the position before the zones are applied to it.
        if !service.hasZones { recorder?.record(line) }
      case .gpsd(let event): give(.gpsd(event), &service)
      case .modem(let event): give(.modem(event), &service)
      case .machine(let event): give(.machine(event), &service)
      case .socket(let group):
        guard let app = sockets.app(of: group) else { continue }
        give(.machine(.socketIsReady(app: app)), &service)
      case .reload: give(settings(for: nil, nil), &service)
      case .service(let input): give(input, &service)
      case .deadlineCame:
        alarm.rang()
        give(.timePassed, &service)
      }
    }
    settle(&service)
  }

  private func give(_ input: ServiceInput, at time: ServiceTime, _ service: inout LocationService) {
    let input = recorder == nil ? input : service.withoutHidden(input)
    recorder?.record(input, at: time)
    service.handle(input, at: time)
  }

  private func settle(_ service: inout LocationService) {
    while let decision = service.decide() {
      let change = decision.change
      let outcome = change.map { store.commit($0) } ?? .written(seconds: 0)
      let effects = service.effects(of: decision, after: outcome)
      recorder?.record(outcome, effects, writing: change)
      for effect in effects { perform(effect: effect, &service) }
    }
    guard let trouble = recorder?.trouble else { return }
    log.error("\(trouble); the recording ends here, the service goes on")
    recorder?.finishRecording()
    recorder = nil
  }

  private func perform(effect: ServiceEffect, _ service: inout LocationService) {
    switch effect {
    case .start(var start):
      start.timeLimit = start.timeLimit.map { setup.clock.machineSeconds($0) }
      supervisor.start(start)
    case .freeze(let app):
      supervisor.freeze(app)
      sockets.watch(app, true)
    case .thaw(let app):
      supervisor.thaw(app)
      sockets.watch(app, false)
    case .releaseSocket(let app): sockets.release(app)
    case .end(let app, let grace): supervisor.endApp(app, grace: setup.clock.machineSeconds(grace))
    case .kill(let app): supervisor.kill(app)
    case .forget(let app): supervisor.forget(app: app)
    case .sink(let order): sinks.perform(order: order, answering: inbox)
    case .send(let message, let client, let id):
      if page?.took(message, for: client, id) == true { break }
      if !server.send(message, to: client, id: id) {
        give(.client(.refused(client, message)), at: time, &service)
      }
    case .close(let client): server.closeConnection(of: client)
    case .watch(let isOn, let sleep):
      gpsd.watch(isOn, sleep: sleep?.converted(setup.clock.machineSeconds))
    case .connect: connect(to: service.settings)
    case .listen(let isOn): modem?.listen(isOn)
    case .notifyUser(let app, let notification): desktop.show(.init(app: app, notification))
    case .tellGeoClue(let client, let fix): geoClue?.sendFix(to: client, fix)
    case .arm(let triggers): machine.armMotion(triggers.contains(.motion))
    // A machine has no network positions and no permission prompt.
    case .askNetwork, .askUser: break
    case .readSettings(let client, let id):
      give(settings(for: client, id), at: time, &service)
    case .sendLog(let app, let name, let count, let unwritten, let client, let id):
      let message = store.log(of: app, name: name, count: count, unwritten: unwritten)
      server.send(message, to: client, id: id)
    case .sendHistory(let range, let unwritten, let client, let id):
      let answer = store.history(range, unwritten: unwritten)
      if page?.took(answer, for: client, id) != true { server.send(answer, to: client, id: id) }
    case .log(let level, let text): log.log(level: level.level, "\(text)")
    }
  }

  private func connect(to settings: ServiceSettings) {
    let old = gpsd
    Task { await old.close() }
    configuration.gpsdHost = settings.gpsdHost
    configuration.gpsdPort = settings.gpsdPort
    configuration.gpsdDevice = settings.gpsdDevice
    gpsd = Self.gpsd(configuration, setup, on: loop, inbox)
  }

  private static func gpsd(
    _ configuration: DaemonConfiguration, _ setup: Setup, on loop: any EventLoop,
    _ inbox: Inbox
  ) -> GPSDSource {
    let records = setup.recordingPath != nil
    return GPSDSource(
      configuration.address, on: loop, passesLines: records,
      passesSky: !configuration.gpsdListeners.isEmpty
    ) {
      inbox.offer(.gpsd($0))
    }
  }

  /// A recording hides the inside of zones from everyone: else it would be in the messages to apps.
  private func settings(of configuration: DaemonConfiguration) throws -> ServiceSettings {
    var settings = try configuration.settings(release: setup.release)
    if setup.recordingPath != nil { settings.hidesFromAll = true }
    return settings
  }

  private func settings(for client: ClientID?, _ id: String?) -> ServiceInput {
    guard let file = setup.configurationFile, Presence(of: file) != .absent else {
      let place = setup.configurationFile.map { ": \($0) is not there" } ?? ""
      return .settings(
        .refused("there is no configuration file to read\(place)", isError: false), for: client,
        id: id)
    }
    do {
      var new = try DaemonConfiguration.readFile(file)
      if let address = setup.gpsdOverride { (new.gpsdHost, new.gpsdPort) = address }
      let changes = DaemonConfiguration.changes(from: configuration, to: new).map(\.text)
      let settings = try settings(of: new)
      configuration.adopt(new)
      return .settings(.read(settings, changes: changes), for: client, id: id)
    } catch {
      return .settings(.refused("\(error)", isError: true), for: client, id: id)
    }
  }
}
