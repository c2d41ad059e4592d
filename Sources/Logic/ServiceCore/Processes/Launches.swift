// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import LocationEngine
import LocationModel
import RadioPower
import ServiceContract

// Launches, orders to processes, and what the user does with an app.

extension Processes {
  // MARK: By the engine

  /// The engine has launched an app in the background for this.
  mutating func launched(
    _ id: AppID, _ options: LaunchOptions, _ meter: inout ServiceMeter, _ step: inout Step
  ) {
    guard let app = step.apps[id], !isHeldBack(id) else { return }
    if !app.isSink { meter.record(.launch, at: step.now.at) }
    step.note(id, "launched", "relaunched by \(options.reason.rawValue)")
    launched(id, for: .event(options.reason))
    step.want(.startServices(id))
  }

  /// Starts the services that the manifest starts with the app, and monitors its places; those already monitored keep
  /// their state.
  func startServices(of id: AppID, _ step: inout Step) {
    guard let manifest = step.apps[id]?.manifest else { return }
    switch manifest.service {
    case .significant: step.tellEngine(.app(id, .startMonitoringSignificantChanges))
    case .standard, .continuous: step.tellEngine(.app(id, .startUpdating(manifest.request)))
    case nil: break
    }
    step.want(.startPlaces(id))
  }

  func startPlaces(of id: AppID, _ engine: LocationEngine, _ step: inout Step) {
    guard let places = step.apps[id]?.manifest.places else { return }
    let monitored = engine.regions(of: id)
    for region in places.regions where !monitored.contains(region) {
      step.tellEngine(.app(id, .place(.startMonitoring(region))))
    }
    if places.visits, !engine.monitorsVisits(id) {
      step.tellEngine(.app(id, .place(.startMonitoringVisits)))
    }
  }

  // MARK: By the service

  /// As at boot: launched, its services started, and into the background at once.
  mutating func launchInBackground(
    _ id: AppID, hasDeliveries: Bool, _ engine: LocationEngine, _ step: inout Step
  ) {
    guard engine.state(of: id) == .notRunning, !step.phase.isStopping, step.apps[id] != nil else {
      return
    }
    if engine.life(of: id)?.exitsOnSuspend == true {
      return step.note(
        id, "not launched", "it has opted out of multitasking: its user launches it")
    }
    // A crash or a full disk repeats the launch with its reason.
    if self[id]?.launch.reason == nil || !hasDeliveries { launched(id, for: .service) }
    step.tellEngine(.app(id, .life(.launchedByService)))
    step.want(.startServices(id))
    step.tellEngine(.app(id, .life(.enteredBackground)))
  }

  /// Brings back a handler or a sink that only its state keeps from its continuous updates: nobody opens it, as a user
  /// opens an app.
  func bringBack(_ id: AppID, _ engine: LocationEngine, _ step: inout Step) {
    guard let app = step.apps[id], !app.isResident, app.manifest.service == .continuous,
      engine.wouldUpdate(id, by: app.manifest.request)
    else { return }
    if engine.state(of: id) == .suspended {
      step.tellEngine(.app(id, .life(.enteredForeground)))
      step.want(.startServices(id))
      step.tellEngine(.app(id, .life(.enteredBackground)))
    } else if app.manifest.launch == .atStart {
      step.want(.launchInBackground(id))
    }
  }

  /// Starts, after a start of the service or the device, the apps that always run, and those with pending events.
  func startAll(_ step: inout Step) {
    for app in step.apps.all {
      if app.manifest.launch == .atStart { step.want(.launchInBackground(app.id)) }
      step.want(.bringBack(app.id))
      step.want(.relaunchForWhatWaits(app.id))
      step.intend(.flush(app.id))
    }
  }

  /// Launches the app of a significant change decided by an earlier service, if that could not launch it or the app
  /// ended before acknowledging it, as the event would have; `entries` wait for it.
  func relaunch(
    _ id: AppID, for entries: [Outbox.Entry], _ engine: LocationEngine, _ step: inout Step
  ) {
    guard let app = step.apps[id], app.isResident, app.canStart, engine.mayRelaunch(id),
      let event = entries.last(where: { $0.delivery.service == .significant })
    else { return }
    step.want(.launchInBackground(id))
    step.want(.setLaunch(id, .event(event.delivery.wakeReason)))
  }

  // MARK: After a pause

  /// Handles the end of a pause.
  mutating func deadlineCame(of id: AppID, _ engine: LocationEngine, _ step: inout Step) {
    guard let row = self[id] else { return }
    timeCame(of: id)
    switch row.run {
    case .connected(.pausing(_, let cause)):
      set(.none, of: id)
      switch cause {
      case .crash: relaunchAfterCrash(id, &step)
      case .prevented(let launch): launchAgain(id, launch, engine, &step)
      }
    case .handler(.waiting):
      set(.idle, of: id)
      step.intend(.flush(id))
    case .connected, .handler: break
    }
  }

  /// Restarts the apps that the service keeps running; of the rest, those with an unacknowledged event, and those that
  /// the rules relaunch (`voip`).
  private func relaunchAfterCrash(_ id: AppID, _ step: inout Step) {
    guard step.apps[id]?.manifest.launch == .manual else {
      return step.want(.launchInBackground(id))
    }
    guard !step.phase.isStopping else { return }
    step.want(.relaunchForWhatWaits(id))
    step.want(.relaunchForCalls(id))
  }

  /// An app for calls is launched again after a crash.
  func relaunchForCalls(_ id: AppID, _ engine: LocationEngine, _ step: inout Step) {
    guard engine.state(of: id) == .notRunning,
      step.apps[id]?.manifest.declaration.modes.contains(.voip) == true
    else { return }
    step.tellEngine(.app(id, .event(.crash)))
  }

  /// Repeats the launch of an app that could not be started.
  private func launchAgain(
    _ id: AppID, _ launch: LaunchCause, _ engine: LocationEngine, _ step: inout Step
  ) {
    guard engine.state(of: id) == .notRunning, !step.phase.isStopping else { return }
    switch launch {
    case .user:
      step.tellEngine(.app(id, .life(.launched)))
      step.want(.startServices(id))
    case .service: step.want(.launchInBackground(id))
    case .event(let reason) where reason.isOfPlace:
      // The event was decided then, and waits in its outbox.
      step.tellEngine(.app(id, .life(.relaunched(reason))))
      step.want(.launched(id, LaunchOptions(reason: reason)))
    case .event(let reason): step.tellEngine(.app(id, .event(reason)))
    }
  }

  /// A pause until the service tries again to start it for the same cause.
  mutating func pause(_ id: AppID, until again: EngineInstant, for launch: LaunchCause) {
    set(.pausing(until: again, for: .prevented(launch)), of: id)
  }

  // MARK: Orders, after the commit

  /// Starts the process of an app that the engine counts as running; `last` is its newest waiting delivery.
  mutating func start(
    _ id: AppID, last: Outbox.Entry?, _ engine: LocationEngine, _ step: inout Step,
    into effects: inout [ServiceEffect]
  ) {
    guard let app = step.apps[id], app.isResident, let row = self[id], !row.hasProcess,
      !isLeaving(app.name), let state = engine.state(of: id), state != .notRunning
    else { return }
    guard !step.phase.isStopping, app.canStart else {
      return step.tellEngine(.app(id, .life(.exited)))
    }
    guard row.process == .none else {
      step.note(
        id, "held",
        row.isHeld ? "not launched: it crashed too often" : "not launched yet: it pauses")
      return step.tellEngine(.app(id, .life(.exited)))
    }
    set(.starting, of: id)
    set(knowsItsLaunch: false, of: id)
    var environment = app.environment(step.host)
    environment["MILEPOST_LAUNCH_REASON"] = row.launch.reason?.rawValue ?? "user"
    environment["MILEPOST_LAUNCH_STATE"] = state.rawValue
    if let reason = row.launch.reason, let event = last, event.delivery.wakeReason == reason {
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

  /// Freezes the process of a suspended app.
  func freeze(
    _ id: AppID, _ engine: LocationEngine, _ step: Step, into effects: inout [ServiceEffect]
  ) {
    if engine.state(of: id) == .suspended, let name = nameOfOwnProcess(id, step) {
      effects.append(.freeze(name))
    }
  }

  func thaw(_ id: AppID, _ step: Step, into effects: inout [ServiceEffect]) {
    if let name = nameOfOwnProcess(id, step) { effects.append(.thaw(name)) }
  }

  private func nameOfOwnProcess(_ id: AppID, _ step: Step) -> String? {
    hasOwnProcess(id) ? step.apps.name(of: id) : nil
  }

  /// Orders one of our processes to end, or kills it; one started by others is left alone.
  mutating func endProcess(
    of id: AppID, kills: Bool, _ step: Step, into effects: inout [ServiceEffect]
  ) {
    guard let row = self[id], row.hasOwnProcess, let name = step.apps.name(of: id) else { return }
    switch row.run {
    case .connected: set(.ending(pid: row.pid), of: id)
    case .handler(.starting(let number)), .handler(.running(let number, _)):
      set(.ending(number), of: id)
    case .handler: return
    }
    effects.append(kills ? .kill(name) : .end(name, grace: Self.grace))
  }

  // MARK: The user

  /// Does with an app what its user wants, and answers; or refuses, and says why.
  func receive(
    control: ClientMessage.AppControl, on id: AppID, from client: ClientID,
    _ request: String?, _ engine: LocationEngine, _ step: inout Step
  ) {
    guard let app = step.apps[id], let state = engine.state(of: id) else {
      return step.answer(client, .ok, request)
    }
    if let end = engine.life(of: app.id)?.endsAt, control == .launch || control == .foreground {
      let seconds = max(1, EngineInstant.seconds(from: step.now.at, to: end).rounded(.up))
      return step.refuse(
        client, .notPossible,
        "'\(app.name)' is ending; `milepost apps launch` can start it in \(Int(seconds)) s", request
      )
    }
    let needed = needs(control, app.id, state, engine)
    guard needed.isRight else {
      return step.refuse(
        client, .notPossible,
        "'\(app.name)' is \(state.sentence); only an app that is \(needed.what) can do that",
        request)
    }
    if control == .launch, !app.canStart {
      return step.refuse(
        client, .notPossible,
        "'\(app.name)' has no command; start it yourself, or add its manifest", request)
    }
    // Nobody opens an app on a locked device.
    if control == .launch || control == .foreground, engine.device.isLocked {
      step.want(.device(.unlocked))
    }
    step.want(.control(app.id, control))
    step.answer(client, .ok, request)
  }

  private func needs(
    _ control: ClientMessage.AppControl, _ id: AppID, _ state: AppState, _ engine: LocationEngine
  ) -> (isRight: Bool, what: String) {
    switch control {
    case .launch: (state == .notRunning, "not running")
    case .foreground: (state == .background || state == .suspended, "in the background")
    case .background: (state == .active || state == .inactive, "in the foreground")
    case .interrupt: (state == .active, "active")
    case .resume: (state == .inactive, "inactive")
    case .terminate: (state != .notRunning, "running")
    case .quit:
      (engine.canBeSwipedAway(id) || self[id]?.process.isPausing == true, "running")
    case .purge: (state == .suspended, "suspended")
    case .release: (true, "")
    }
  }

  /// Does what the user may do with an app.
  mutating func perform(
    control: ClientMessage.AppControl, on id: AppID, _ step: inout Step
  ) {
    switch control {
    case .launch:
      step.release(id)
      step.want(.setLaunch(id, .user))
      step.tellEngine(.app(id, .life(.launched)))
      step.want(.startServices(id))
      step.intend(.flush(id))
    case .foreground: step.tellEngine(.app(id, .life(.enteredForeground)))
    case .background: step.tellEngine(.app(id, .life(.enteredBackground)))
    case .interrupt: step.tellEngine(.app(id, .life(.resignedActive)))
    case .resume: step.tellEngine(.app(id, .life(.becameActive)))
    case .terminate: step.tellEngine(.app(id, .life(.terminated)))
    case .quit:
      if self[id]?.process.isPausing == true { set(.none, of: id) }
      step.tellEngine(.app(id, .life(.forceQuit)))
    case .purge: step.tellEngine(.app(id, .life(.purged)))
    case .release:
      step.release(id)
      step.note(id, "released", "its crashes are forgotten")
      if step.apps[id]?.manifest.launch == .atStart { step.want(.launchInBackground(id)) }
      step.intend(.flush(id))
    }
  }

  /// Goes on by a new manifest, which asks for something else if `asksElse`: an app that runs is started anew.
  func restart(_ id: AppID, asksElse: Bool, _ engine: LocationEngine, _ step: inout Step) {
    guard let app = step.apps[id] else { return }
    if engine.state(of: id)?.isRunning != true {
      if app.manifest.launch == .atStart { step.want(.launchInBackground(id)) }
    } else if app.isResident || asksElse {
      step.tellEngine(.app(id, .life(.replaced)))
      step.tellEngine(.app(id, .life(.launchedByService)))
      step.want(.startServices(id))
      step.tellEngine(.app(id, .life(.enteredBackground)))
    }
  }

  /// The service ends: every app is told and ended when its time is up.
  func endAll(_ engine: LocationEngine, _ step: inout Step) {
    guard step.stop(after: engine.rules.lifecycle.exitsAfter) else { return }
    for app in step.apps.all {
      if app.isResident {
        step.tellEngine(.app(app.id, .life(.terminated)))
      } else if hasOwnProcess(app.id) {
        step.intend(.end(app.id))
      }
    }
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
