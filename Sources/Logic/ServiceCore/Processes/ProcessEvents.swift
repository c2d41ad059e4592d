// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import LocationEngine
import LocationModel
import ServiceContract

// What happens to processes, and its consequences. The states are drawn above `AppProcess` and `HandlerRun`.

extension Processes {
  mutating func receive(event: ProcessEvent, _ engine: LocationEngine, _ step: inout Step) {
    if isLeaving(event.app) { return receive(ofRemoved: event, engine, &step) }
    guard let app = step.apps[named: event.app], !app.isSink else {
      return receive(ofUnknown: event, &step)
    }
    let id = app.id
    switch event {
    case .started(_, let pid):
      step.note(id, "started", "process \(pid)")
      started(id, pid: pid)
      step.want(.dropStranger(id, leader: pid))
      // The life cycle may have gone on while it was being started.
      if app.isResident, engine.state(of: id) == .suspended { step.intend(.freeze(id)) }
    case .adopted(_, let pid, let isFrozen): adopted(app, pid, isFrozen: isFrozen, engine, &step)
    case .failedToStart(let name, let reason):
      step.intend(.forgetEnding(name))
      if app.isHandler {
        return ended(id, .failed("could not be started: \(reason)"), &step)
      }
      step.note(id, "failed", "could not be started: \(reason)")
      set(trouble: reason, of: id)
      ended(app, by: .crash, engine, &step)
    case .prevented(let name, let reason):
      step.intend(.forgetEnding(name))
      prevented(app, reason, engine, &step)
    case .ended(let name, let ending):
      // The keeper forgets it once the consequences are stored.
      step.intend(.forgetEnding(name))
      step.note(id, "ended", ending.text)
      if app.isHandler {
        let isGood = ending == .exited(status: 0)
        return ended(id, isGood ? .succeeded : .failed(ending.text), &step)
      }
      ended(app, by: end(of: id, ending, engine), engine, &step)
    case .frozen:
      if case .running(let pid) = self[id]?.process { set(.frozen(pid: pid), of: id) }
      // The life cycle may have gone on while it was being frozen.
      if engine.state(of: id)?.runsCode == true { step.intend(.thaw(id)) }
    case .thawed:
      if case .frozen(let pid) = self[id]?.process { set(.running(pid: pid), of: id) }
      if app.isResident, engine.state(of: id) == .suspended { step.intend(.freeze(id)) }
    case .usesMemory(_, let megabytes): step.tellEngine(.app(id, .usesMemory(megabytes: megabytes)))
    case .warning(let name, let text):
      step.journal(.warning, "\(name): \(text)")
      step.note(id, "warning", text)
    }
  }

  /// A process of an app that is not registered: an earlier service left it.
  private mutating func receive(ofUnknown event: ProcessEvent, _ step: inout Step) {
    switch event {
    case .adopted(let name, _, _) where step.ledger.isStoreRead:
      step.journal(
        .warning, "\(name): a process of an app that is not registered any more; it is ended")
      leaves(name)
      step.intend(.effect(.end(name, grace: Self.grace)))
    case .adopted(let name, _, _):
      // The registered apps are unknown: it stays as it is for a service that can read them.
      step.journal(
        .error, "\(name): what is stored of it cannot be read; its process is left as it is")
    case .ended(let name, _), .failedToStart(let name, _), .prevented(let name, _):
      step.intend(.forgetEnding(name))
    case .started, .frozen, .thawed, .usesMemory, .warning: break
    }
  }

  /// Handles the last process of a removed app; an app added under its name waits for its end.
  private mutating func receive(
    ofRemoved event: ProcessEvent, _ engine: LocationEngine, _ step: inout Step
  ) {
    switch event {
    case .ended(let name, _), .failedToStart(let name, _), .prevented(let name, _):
      left(name)
      step.intend(.forgetEnding(name))
      guard let app = step.apps[named: name] else { return }
      if !app.isResident {
        step.intend(.flush(app.id))
      } else if engine.state(of: app.id)?.isRunning == true {
        step.intend(.start(app.id))
      }
    case .started(let name, _), .adopted(let name, _, _):
      // It was on its way when the app was removed.
      step.intend(.effect(.end(name, grace: Self.grace)))
    case .frozen, .thawed, .usesMemory: break
    case .warning(let name, let text): step.journal(.warning, "\(name): \(text)")
    }
  }

  // MARK: Ends

  /// The kind of an app's end.
  private enum End {
    case orderly, crash
    /// A process was killed that ran no code, and so cannot have crashed: by its keeper while no service ran, or by the
    /// kernel, which needed the memory.
    case purge
  }

  private func end(
    of id: AppID, _ ending: ProcessEvent.Ending, _ engine: LocationEngine
  ) -> End {
    if ending == .exited(status: 0) || self[id]?.process.isAskedToEnd == true { return .orderly }
    return ending == .signalled(9) && engine.state(of: id) == .suspended ? .purge : .crash
  }

  private mutating func ended(
    _ app: RegisteredApp, by end: End, _ engine: LocationEngine, _ step: inout Step
  ) {
    let id = app.id
    let process = self[id]?.process ?? .none
    step.want(.dropStranger(id, leader: process.pid))
    set(.none, of: id)
    step.want(.rewind(id))
    if end == .crash { crashed(app, &step) }
    guard let state = engine.state(of: id), state != .notRunning else { return }
    if case .ending = process, state.runsCode, !step.phase.isStopping {
      // It was launched again while the old process was still ending.
      step.intend(.start(id))
    } else {
      step.tellEngine(.app(id, .life(end == .purge ? .purged : .exited)))
    }
  }

  private mutating func crashed(_ app: RegisteredApp, _ step: inout Step) {
    let id = app.id
    let pause = crashed(id, limit: step.settings.crashLimit, at: step.now.at)
    storeCrashes(of: id, &step)
    let count = self[id]?.crashes.crashes.count ?? 0
    if let seconds = pause {
      step.note(
        id, "crashed",
        "crash \(count); "
          + (app.manifest.launch == .manual ? "may be launched again" : "launched again")
          + " in \(Int(seconds.rounded())) s")
    } else {
      let text =
        "held after \(count) crashes within 10 min; "
        + "`milepost apps release \(app.name)` lets it start again"
      step.journal(.warning, "\(app.name): \(text)")
      step.note(id, "held", text)
    }
  }

  /// The service could not start it: it is retried after 1, 2, 4, … 60 s until it succeeds, and none of
  /// that counts as a crash, or a failure of a handler.
  private mutating func prevented(
    _ app: RegisteredApp, _ reason: String, _ engine: LocationEngine, _ step: inout Step
  ) {
    let id = app.id
    guard let row = self[id] else { return }
    let count = prevented(id, reason)
    if count == 1 {
      let text = "the service cannot start it now, and tries again until it can: \(reason)"
      step.journal(.warning, "\(app.name): \(text)")
      step.record(id, "postponed", text)
    }
    let again = step.now.at.advanced(bySeconds: CrashRecord.pauses.wait(after: count))
    if let run = row.handler { return postpone(id, run, until: again, &step) }
    let wasStarting = row.process == .starting
    ended(app, by: .orderly, engine, &step)
    // Its life ends meanwhile, and with it the reason of its launch.
    if wasStarting { step.want(.pause(id, until: again, row.launch)) }
  }

  // MARK: Taking over from an earlier service

  private mutating func adopted(
    _ app: RegisteredApp, _ pid: Int32, isFrozen: Bool, _ engine: LocationEngine,
    _ step: inout Step
  ) {
    let id = app.id
    step.note(id, "adopted", "process \(pid) taken over\(isFrozen ? ", frozen" : "")")
    if let run = self[id]?.handler {
      // It works on the delivery of its run; if that could not be stored, the number is unknown (0),
      // and the delivery is run again.
      return set(.running(run.number ?? 0, pid: pid), of: id)
    }
    set(isFrozen ? .frozen(pid: pid) : .running(pid: pid), of: id)
    set(knowsItsLaunch: true, of: id)
    guard let state = engine.state(of: id) else { return }
    switch state {
    case .notRunning: step.intend(.end(id))
    case .suspended: if !isFrozen { step.intend(.freeze(id)) }
    case .inactive, .active, .background: if isFrozen { step.intend(.thaw(id)) }
    }
  }

  /// Seconds for which the handlers and tasks of processes that an earlier service left may go on after their time
  /// [ours: their clients connect again within it].
  private static let takeoverPatience = 5.0

  /// Begins to serve: clients can connect now, and all processes left by an earlier service have been reported.
  func takeOver(
    _ adopted: [String], _ engine: inout LocationEngine, wasRebooted: Bool, _ step: inout Step
  ) {
    guard step.phase == .beginning else { return }
    // Processes that have ended did so before anything falls due now.
    let living = Set(adopted)
    // The others may have ended their work while there was nobody to hear it, and say so once they are connected.
    for app in step.apps.all where living.contains(app.name) {
      engine.spare(app.id, until: step.now.at.advanced(bySeconds: Self.takeoverPatience))
    }
    for app in step.apps.all where app.isResident && !living.contains(app.name) {
      guard let state = engine.state(of: app.id), state != .notRunning else { continue }
      // Those of ours that ended meanwhile were told of by their keepers: this one had none, or its keeper is gone too.
      if wasRebooted {
        step.note(app.id, "ended", "ended with the machine")
      } else {
        step.note(
          app.id, "left",
          "left by the service before; one that others started may live on, and counts from its next connection"
        )
      }
      step.tellEngine(.app(app.id, .life(.exited)))
    }
    step.want(.serve)
    // The earlier processes have ended with the machine, before anything falls due; those that run after a
    // restart are launched.
    if wasRebooted { step.tellEngine(.device(.rebooted(isLocked: false))) }
    step.tellEngine(.timePassed)
    step.startWhatRuns()
    step.want(.socketsLost)
  }

  /// The sockets that processes had handed over ended with the service that watched them, and they read no welcome.
  func socketsLost(_ engine: LocationEngine, _ step: inout Step) {
    for id in step.apps.ids where hasOwnProcess(id) && engine.watchesSocket(id) {
      step.tellEngine(.app(id, .event(.socket)))
    }
  }

  // MARK: Connections

  /// A client connected as this app: if no process is known, one that others have started. That counts as a launch into
  /// the foreground.
  mutating func connected(
    _ id: AppID, pid: Int32, _ engine: LocationEngine, _ step: inout Step
  ) {
    guard !hasProcess(id) else { return }
    set(.foreign(pid: pid), of: id)
    set(knowsItsLaunch: false, of: id)
    step.note(id, "connected", "process \(pid), started by somebody else")
    guard engine.state(of: id) == .notRunning else { return }
    launched(id, for: .user)
    step.tellEngine(.app(id, .life(.launched)))
    step.want(.startServices(id))
  }

  /// The connection of an app is gone, and a process that others have started with it.
  mutating func disconnected(_ id: AppID, _ step: inout Step) {
    guard self[id]?.process.isForeign == true else { return }
    set(.none, of: id)
    step.note(id, "left", "closed its connection")
    step.tellEngine(.app(id, .life(.exited)))
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
