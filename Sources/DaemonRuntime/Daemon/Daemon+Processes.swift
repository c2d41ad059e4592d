// SPDX-License-Identifier: Apache-2.0

import AppSupervisor
import ControlProtocol
import LocationEngine
import LocationModel
import Logging
import Settings
import StateStore

// Processes: what the supervisor reports, and what is started.

extension Daemon {
  func process(_ event: SupervisorEvent) {
    if leaving.contains(event.app) { return processOfRemoved(event) }
    switch event {
    case .started(let name, let pid):
      guard let id = id(of: name) else { return }
      apps[id]?.process = .running(pid: pid)
      apps[id]?.preventions = 0
      note(id, "started", "process \(pid)")
      // The life cycle may have gone on while it was being started.
      if !isHandler(id), engine.state(of: id) == .suspended { effects.append(.freeze(id)) }
    case .adopted(let name, let pid, let isFrozen): adopted(name, pid, isFrozen: isFrozen)
    case .failedToStart(let name, let reason):
      guard let id = id(of: name) else { return }
      if isHandler(id) { return handlerEnded(id, failure: "could not be started: \(reason)") }
      note(id, "failed", "could not be started: \(reason)")
      ended(id, isCrash: true)
    case .prevented(let name, let reason): if let id = id(of: name) { prevented(id, reason) }
    case .ended(let name, let ending):
      guard let id = id(of: name) else { return }
      note(id, "ended", ending.text)
      let isGood = ending == .exited(status: 0)
      if isHandler(id) { return handlerEnded(id, failure: isGood ? nil : ending.text) }
      let wasAsked = apps[id]?.isEnding == true || apps[id]?.isToldToEnd == true
      ended(id, isCrash: !wasAsked && !isGood)
    case .frozen(let name): if let id = id(of: name) { apps[id]?.isFrozen = true }
    case .thawed(let name): if let id = id(of: name) { apps[id]?.isFrozen = false }
    case .warning(let name, let text):
      log.warning("\(name): \(text)")
      if let id = id(of: name) { note(id, "warning", text) }
    }
  }

  /// The last process of an app that was removed; one that was added under its name waits for its end.
  private func processOfRemoved(_ event: SupervisorEvent) {
    switch event {
    case .ended(let name, _), .failedToStart(let name, _), .prevented(let name, _):
      leaving.remove(name)
      guard let id = id(of: name) else { return }
      if isHandler(id) {
        effects.append(.flush(id))
      } else if (engine.state(of: id) ?? .notRunning) != .notRunning {
        effects.append(.start(id))
      }
    case .started(let name, _):
      // It was on its way when the app was removed.
      supervisor.end(name, grace: 2)
    case .adopted, .frozen, .thawed: break
    case .warning(let name, let text): log.warning("\(name): \(text)")
    }
  }

  func id(of name: String) -> AppID? { apps.values.first { $0.name == name }?.id }

  func isHandler(_ id: AppID) -> Bool { apps[id]?.isHandler == true }

  private func ended(_ id: AppID, isCrash: Bool) {
    apps[id]?.process = .none
    apps[id]?.isFrozen = false
    let wasAsked = apps[id]?.isEnding == true
    apps[id]?.isEnding = false
    apps[id]?.isToldToEnd = false
    apps[id]?.outbox.rewind()
    if isCrash { crashed(id) }
    guard let state = engine.state(of: id), state != .notRunning else { return }
    if wasAsked, state.runsCode, !isStopping {
      // It was launched again while the old process was still ending.
      effects.append(.start(id))
    } else {
      tell(.app(id, .exited))
    }
  }

  /// The service could not start it: it is tried again after 1, 2, 4, … 60 s for as long as it takes, and
  /// none of that counts for a crash, or a failure of a handler.
  private func prevented(_ id: AppID, _ reason: String) {
    let count = apps[id]?.preventions ?? 0
    apps[id]?.preventions = count + 1
    if count == 0 {
      let text = "the service cannot start it now, and tries again until it can: \(reason)"
      log.warning("\(apps[id]?.name ?? ""): \(text)")
      record(id, "postponed", text)
    }
    let pause = min(Double(1 << min(count, 6)), CrashRecord.longestPause)
    let again = now.advanced(bySeconds: pause)
    if isHandler(id) {
      handlerPrevented(id, until: again)
    } else {
      apps[id]?.crashes.pause(until: again)
      ended(id, isCrash: false)
    }
    noteDeadline(of: id)
  }

  private func crashed(_ id: AppID) {
    apps[id]?.crashes.crashed(at: now)
    noteDeadline(of: id)
    guard let crashes = apps[id]?.crashes else { return }
    if crashes.isHeld {
      let text =
        "held after \(crashes.crashes.count) crashes within 10 min; "
        + "`milepost apps release \(apps[id]?.name ?? "")` lets it start again"
      log.warning("\(apps[id]?.name ?? ""): \(text)")
      note(id, "held", text)
    } else if let at = crashes.relaunchAt {
      let pause = Int(EngineInstant.seconds(from: now, to: at).rounded())
      note(id, "crashed", "crash \(crashes.crashes.count); launched again in \(pause) s")
    }
  }

  /// Starts the process of an app that the engine holds for running.
  func startProcess(of id: AppID) {
    guard let app = apps[id], !app.hasProcess, !app.isHandler, !leaving.contains(app.name) else {
      return
    }
    guard !isStopping, app.canStart else { return tell(.app(id, .exited)) }
    guard app.crashes.mayLaunch else {
      note(
        id, "held",
        app.crashes.isHeld
          ? "not launched: it crashed too often" : "not launched yet: it pauses")
      return tell(.app(id, .exited))
    }
    apps[id]?.process = .starting
    apps[id]?.isEnding = false
    apps[id]?.isToldToEnd = false
    var environment = app.manifest.environment
    environment["MILEPOST_SOCKET"] = setup.socketPath
    environment["MILEPOST_APP"] = app.name
    environment["MILEPOST_LAUNCH_REASON"] = app.launchReason?.rawValue ?? "user"
    environment["MILEPOST_LAUNCH_STATE"] = engine.state(of: id)?.rawValue
    if app.launchReason == .location, let event = app.outbox.entries.last {
      // The event that it is launched for, as its connection will tell it.
      let line = ServerMessage.location(event.delivery, received: event.received).encode()
      environment["MILEPOST_LAUNCH_LOCATION"] = String(decoding: line.dropLast(), as: UTF8.self)
    }
    supervisor.start(
      .init(
        app: app.name, command: app.manifest.command, environment: environment,
        directory: app.manifest.directory))
  }

  /// As at boot: launched, its services started, and into the background at once.
  func launchInBackground(_ id: AppID) {
    guard engine.state(of: id) == .notRunning, !isStopping else { return }
    apps[id]?.launchReason = nil
    apps[id]?.isLaunchedByService = true
    tell(.app(id, .launched))
    startServices(of: id)
    tell(.app(id, .enteredBackground))
  }

  /// A significant change that an earlier daemon decided, and whose app it could not launch any more or
  /// which ended before it had acknowledged it, launches the app now, as the event would have.
  func relaunchForWhatWaits(_ id: AppID) {
    guard let app = apps[id], !app.isHandler, app.canStart, engine.mayRelaunch(id),
      app.outbox.entries.contains(where: { $0.delivery.service == .significant })
    else { return }
    launchInBackground(id)
    apps[id]?.launchReason = .location
  }

  // MARK: Taking over from an earlier daemon

  private func adopted(_ name: String, _ pid: Int32, isFrozen: Bool) {
    guard let id = id(of: name) else {
      log.warning("\(name): a process of an app that is not registered any more; it is ended")
      leaving.insert(name)
      supervisor.end(name, grace: 2)
      return
    }
    apps[id]?.process = .running(pid: pid)
    apps[id]?.isFrozen = isFrozen
    note(id, "adopted", "process \(pid) taken over\(isFrozen ? ", frozen" : "")")
    if isHandler(id) {
      // It works on the oldest delivery that is not acknowledged: there is never another.
      apps[id]?.outbox.markSent()
      return
    }
    guard let state = engine.state(of: id) else { return }
    switch state {
    case .notRunning:
      apps[id]?.isEnding = true
      effects.append(.end(id))
    case .suspended: if !isFrozen { effects.append(.freeze(id)) }
    case .inactive, .active, .background: if isFrozen { effects.append(.thaw(id)) }
    }
  }
}

extension SupervisorEvent {
  /// The app that it is about.
  fileprivate var app: String {
    switch self {
    case .started(let app, _), .adopted(let app, _, _), .failedToStart(let app, _),
      .prevented(let app, _), .ended(let app, _), .frozen(let app), .thawed(let app),
      .warning(let app, _):
      app
    }
  }
}

extension SupervisorEvent.Ending {
  /// In words, for logs.
  var text: String {
    switch self {
    case .exited(let status): status == 0 ? "ended" : "ended with status \(status)"
    case .signalled(let signal): "ended by signal \(signal)"
    case .unknown: "ended, nobody knows how"
    }
  }
}
