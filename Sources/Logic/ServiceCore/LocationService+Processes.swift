// SPDX-License-Identifier: Apache-2.0

import AppLifecycle
import ControlProtocol
import LocationEngine
import LocationModel
import SeededRandom
import ServiceContract
import Settings

// Processes of connected apps: their starts and ends, and the consequences. The states are drawn above `AppProcess`.

extension LocationService {
  /// Seconds between SIGTERM and SIGKILL [ours].
  static let grace = 2.0

  mutating func process(_ event: ProcessEvent) {
    if leaving.contains(event.app) { return processOfRemoved(event) }
    guard let id = apps.id(of: event.app), let app = apps[id], !app.isSink else {
      return unknown(event)
    }
    switch event {
    case .started(_, let pid): started(app, pid)
    case .adopted(_, let pid, let isFrozen): adopted(app, pid, isFrozen: isFrozen)
    case .failedToStart(let name, let reason):
      intents.append(.effect(.forget(name)))
      if app.isHandler { return ended(app, .failed("could not be started: \(reason)")) }
      note(id, "failed", "could not be started: \(reason)")
      _ = apps.with(id) { $0.trouble = reason }
      ended(id, by: .crash)
    case .prevented(let name, let reason):
      intents.append(.effect(.forget(name)))
      prevented(app, reason)
    case .ended(let name, let ending):
      // The keeper forgets it once the consequences are stored.
      intents.append(.effect(.forget(name)))
      note(id, "ended", ending.text)
      let isGood = ending == .exited(status: 0)
      if app.isHandler { return ended(app, isGood ? .succeeded : .failed(ending.text)) }
      ended(id, by: end(of: app, ending))
    case .frozen:
      _ = apps.with(id) { app in
        if case .running(let pid) = app.process { app.process = .frozen(pid: pid) }
      }
      // The life cycle may have gone on while it was being frozen.
      if engine.state(of: id)?.runsCode == true { intents.append(.thaw(id)) }
    case .thawed:
      _ = apps.with(id) { app in
        if case .frozen(let pid) = app.process { app.process = .running(pid: pid) }
      }
      if app.isResident, engine.state(of: id) == .suspended { intents.append(.freeze(id)) }
    case .usesMemory(_, let megabytes): tell(.app(id, .usesMemory(megabytes: megabytes)))
    case .warning(let name, let text):
      journal(.warning, "\(name): \(text)")
      note(id, "warning", text)
    }
  }

  private mutating func started(_ app: AppRecord, _ pid: Int32) {
    note(app.id, "started", "process \(pid)")
    _ = apps.with(app.id) { app in
      app.preventions = 0
      app.trouble = nil
      switch app.code {
      case .connected(.starting): app.code = .connected(.running(pid: pid))
      case .connected(.ending): app.code = .connected(.ending(pid: pid))
      case .handler(.starting(let number)): app.code = .handler(.running(number, pid: pid))
      case .connected, .handler, .sink: break
      }
    }
    dropStranger(app.id, leader: pid)
    // The life cycle may have gone on while it was being started.
    if app.isResident, engine.state(of: app.id) == .suspended { intents.append(.freeze(app.id)) }
  }

  /// Until an app's process is known, another one may have claimed to be the app: its connection is
  /// closed, so that the app finds room.
  private mutating func dropStranger(_ id: AppID, leader: Int32?) {
    guard let client = apps[id]?.client, case .socket(_, let group, _) = clients[client]?.origin,
      group != leader
    else { return }
    clients[client]?.role = .user
    _ = apps.with(id) { app in
      app.client = nil
      app.watches = false
      app.outbox.rewind()
    }
    intents.append(.effect(.close(client)))
  }

  /// A process of an app that is not registered: an earlier service left it.
  private mutating func unknown(_ event: ProcessEvent) {
    switch event {
    case .adopted(let name, _, _) where facts.isStoreRead:
      journal(
        .warning, "\(name): a process of an app that is not registered any more; it is ended")
      leaving.insert(name)
      intents.append(.effect(.end(name, grace: Self.grace)))
    case .adopted(let name, _, _):
      // The registered apps are unknown: it stays as it is for a service that can read them.
      journal(
        .error,
        "\(name): what is stored of it cannot be read; its process is left as it is")
    case .ended(let name, _), .failedToStart(let name, _), .prevented(let name, _):
      intents.append(.effect(.forget(name)))
    case .started, .frozen, .thawed, .usesMemory, .warning: break
    }
  }

  /// Handles the last process of a removed app; an app added under its name waits for its end.
  private mutating func processOfRemoved(_ event: ProcessEvent) {
    switch event {
    case .ended(let name, _), .failedToStart(let name, _), .prevented(let name, _):
      leaving.remove(name)
      intents.append(.effect(.forget(name)))
      guard let id = apps.id(of: name), let app = apps[id] else { return }
      if !app.isResident {
        intents.append(.flush(id))
      } else if engine.state(of: id)?.isRunning == true {
        intents.append(.start(id))
      }
    case .started(let name, _), .adopted(let name, _, _):
      // It was on its way when the app was removed.
      intents.append(.effect(.end(name, grace: Self.grace)))
    case .frozen, .thawed, .usesMemory: break
    case .warning(let name, let text): journal(.warning, "\(name): \(text)")
    }
  }

  /// The kind of an app's end.
  private enum End {
    case orderly, crash
    /// A process was killed that ran no code, and so cannot have crashed: by its keeper while no service ran, or by the
    /// kernel, which needed the memory.
    case purge
  }

  private func end(of app: AppRecord, _ ending: ProcessEvent.Ending) -> End {
    if ending == .exited(status: 0) || app.process.isAskedToEnd { return .orderly }
    return ending == .signalled(9) && engine.state(of: app.id) == .suspended ? .purge : .crash
  }

  private mutating func ended(_ id: AppID, by end: End) {
    var wasOrdered = false
    dropStranger(id, leader: apps[id]?.pid)
    _ = apps.with(id) { app in
      if case .ending = app.process { wasOrdered = true }
      app.process = .none
      app.outbox.rewind()
    }
    if end == .crash { crashed(id) }
    guard let state = engine.state(of: id), state != .notRunning else { return }
    if wasOrdered, state.runsCode, !phase.isStopping {
      // It was launched again while the old process was still ending.
      intents.append(.start(id))
    } else {
      tell(.app(id, .life(end == .purge ? .purged : .exited)))
    }
  }

  /// The service could not start it: it is retried after 1, 2, 4, … 60 s until it succeeds, and none of
  /// that counts as a crash, or a failure of a handler.
  private mutating func prevented(_ app: AppRecord, _ reason: String) {
    let count = app.preventions + 1
    if count == 1 {
      let text = "the service cannot start it now, and tries again until it can: \(reason)"
      journal(.warning, "\(app.name): \(text)")
      record(app.id, "postponed", text)
    }
    let again = now.at.advanced(bySeconds: CrashRecord.pauses.wait(after: count))
    _ = apps.with(app.id) {
      $0.preventions = count
      $0.trouble = reason
    }
    guard !app.isHandler else { return postpone(app, until: again) }
    guard app.process == .starting else { return ended(app.id, by: .orderly) }
    // Its life ends meanwhile, and with it the reason of its launch.
    ended(app.id, by: .orderly)
    setProcess(of: app.id, .pausing(until: again, for: .prevented(app.launch)))
  }

  private mutating func crashed(_ id: AppID) {
    let (limit, now) = (settings.crashLimit, now.at)
    let pause = apps.with(id) { app -> Double? in
      let pause = app.crashes.crashed(at: now, limit: limit)
      app.process =
        pause.map { .pausing(until: now.advanced(bySeconds: $0), for: .crash) } ?? .held
      return pause
    }
    noteDeadline(of: id)
    storeCrashes(of: id)
    guard let app = apps[id], let pause else { return }
    if let seconds = pause {
      note(
        id, "crashed",
        "crash \(app.crashes.crashes.count); "
          + (app.manifest.launch == .manual ? "may be launched again" : "launched again")
          + " in \(Int(seconds.rounded())) s")
    } else {
      let text =
        "held after \(app.crashes.crashes.count) crashes within 10 min; "
        + "`milepost apps release \(app.name)` lets it start again"
      journal(.warning, "\(app.name): \(text)")
      note(id, "held", text)
    }
  }

  mutating func storeCrashes(of id: AppID) {
    guard let app = apps[id] else { return }
    let crashes = StoredCrashes(times: app.crashes.crashes, isHeld: app.isHeld)
    write { $0.crashes.append(AppCrashes(id, crashes)) }
  }

  /// Starts the process of an app that the engine counts as running.
  mutating func start(_ id: AppID, into effects: inout [ServiceEffect]) {
    guard let app = apps[id], !app.hasProcess, app.isResident, !leaving.contains(app.name),
      let state = engine.state(of: id), state != .notRunning
    else { return }
    guard !phase.isStopping, app.canStart else { return tell(.app(id, .life(.exited))) }
    switch app.process {
    case .held, .pausing:
      note(
        id, "held",
        app.isHeld ? "not launched: it crashed too often" : "not launched yet: it pauses")
      return tell(.app(id, .life(.exited)))
    case .none, .starting, .running, .frozen, .leaving, .ending, .foreign: break
    }
    setProcess(of: id, .starting)
    _ = apps.with(id) { $0.knowsItsLaunch = false }
    var environment = environment(of: app)
    environment["MILEPOST_LAUNCH_REASON"] = app.launch.reason?.rawValue ?? "user"
    environment["MILEPOST_LAUNCH_STATE"] = state.rawValue
    if let reason = app.launch.reason, let event = app.outbox.entries.last,
      event.delivery.wakeReason == reason
    {
      // The event of its launch, as its connection will send it.
      let line = event.message.encode()
      environment["MILEPOST_LAUNCH_LOCATION"] = String(decoding: line.dropLast(), as: UTF8.self)
    }
    effects.append(
      .start(
        .init(
          app: app.name, command: app.manifest.command, environment: environment,
          directory: app.manifest.directory)))
  }

  func environment(of app: AppRecord) -> [String: String] {
    var environment = app.manifest.environment
    environment["MILEPOST_SOCKET"] = host.socketPath
    environment["MILEPOST_APP"] = app.name
    return environment
  }

  /// Orders one of our processes to end; one started by others is left alone.
  mutating func end(
    _ id: AppID, _ order: ServiceEffect, into effects: inout [ServiceEffect]
  ) {
    guard let app = apps[id], app.hasOwnProcess else { return }
    switch app.code {
    case .connected: setProcess(of: id, .ending(pid: app.pid))
    case .handler(.starting(let number)), .handler(.running(let number, _)):
      _ = apps.with(id) { $0.code = .handler(.ending(number)) }
    case .handler, .sink: return
    }
    if case .kill = order {
      effects.append(.kill(app.name))
    } else {
      effects.append(.end(app.name, grace: Self.grace))
    }
  }

  mutating func setProcess(of id: AppID, _ process: AppProcess) {
    _ = apps.with(id) { $0.process = process }
    noteDeadline(of: id)
  }

  /// Updates the table of deadlines for an app whose pauses have changed.
  mutating func noteDeadline(of id: AppID) { deadlines.set(apps[id]?.nextDeadline, for: id) }

  /// Handles the end of a pause.
  mutating func deadlineCame(of id: AppID) {
    guard let app = apps[id] else { return }
    switch app.code {
    case .connected(.pausing(_, let cause)):
      setProcess(of: id, .none)
      switch cause {
      case .crash: relaunchAfterCrash(app)
      case .prevented(let launch): launchAgain(id, launch)
      }
    case .handler(.waiting):
      _ = apps.with(id) { $0.code = .handler(.idle) }
      intents.append(.flush(id))
    case .sink(.waiting), .sink(.gathering):
      _ = apps.with(id) { $0.code = .sink(.idle) }
      intents.append(.flush(id))
    case .connected, .handler, .sink: break
    }
  }

  // MARK: Taking over from an earlier service

  private mutating func adopted(_ app: AppRecord, _ pid: Int32, isFrozen: Bool) {
    let id = app.id
    note(id, "adopted", "process \(pid) taken over\(isFrozen ? ", frozen" : "")")
    if app.isHandler {
      // It works on the delivery of its run; if that could not be stored, the number is unknown (0),
      // and the delivery is run again.
      let number = app.handlerRun ?? 0
      _ = apps.with(id) { $0.code = .handler(.running(number, pid: pid)) }
      return
    }
    setProcess(of: id, isFrozen ? .frozen(pid: pid) : .running(pid: pid))
    _ = apps.with(id) { $0.knowsItsLaunch = true }
    guard let state = engine.state(of: id) else { return }
    switch state {
    case .notRunning: intents.append(.end(id))
    case .suspended: if !isFrozen { intents.append(.freeze(id)) }
    case .inactive, .active, .background: if isFrozen { intents.append(.thaw(id)) }
    }
  }
}

extension AppProcess {
  /// Whether it was ordered, or told, to end: its ending is then no crash.
  var isAskedToEnd: Bool {
    switch self {
    case .leaving, .ending: true
    case .none, .pausing, .held, .starting, .running, .frozen, .foreign: false
    }
  }
}

extension AppRecord {
  /// The delivery of the present run, or of one begun by an earlier service.
  var handlerRun: UInt64? {
    switch code {
    case .handler(.announced(let number)), .handler(.starting(let number)),
      .handler(.running(let number, _)), .handler(.ending(let number)):
      number
    case .handler, .connected, .sink: nil
    }
  }
}

extension AppState {
  var isRunning: Bool { self != .notRunning }
}

extension ProcessEvent {
  /// The app concerned.
  var app: String {
    switch self {
    case .started(let app, _), .adopted(let app, _, _), .failedToStart(let app, _),
      .prevented(let app, _), .ended(let app, _), .frozen(let app), .thawed(let app),
      .usesMemory(let app, _), .warning(let app, _):
      app
    }
  }
}

extension ProcessEvent.Ending {
  /// In words, for logs.
  var text: String {
    switch self {
    case .exited(let status): status == 0 ? "ended" : "ended with status \(status)"
    case .signalled(let signal): "ended by signal \(signal)"
    case .unknown: "ended, nobody knows how"
    }
  }
}
