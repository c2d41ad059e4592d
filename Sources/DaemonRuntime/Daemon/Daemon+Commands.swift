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
import Settings
import StateStore

// What the engine commands, and the effects that follow once the store has it.

extension Daemon {
  func perform(_ command: EngineCommand) {
    switch command {
    case .transition(let id, let transition): changed(id, transition)
    case .launch(let id, let options):
      if apps[id]?.isHeldBack == true { return }
      meter.app(.launch, at: now)
      note(id, "launched", "relaunched by \(options.reason.rawValue)")
      apps[id]?.launchReason = options.reason
      startServices(of: id)
    case .deliver(let id, let delivery): deliver(delivery, to: id)
    case .verdict(let id, let service, let verdict, let fixTime):
      apps[id]?.verdicts[service] = .init(verdict: verdict, fixTime: fixTime)
    case .motion(let id): effects.append(.tell(id, .motion))
    case .paused(let id):
      note(id, "paused", "updates paused: the device rests")
      effects.append(.tell(id, .paused))
    case .receiver(let plan):
      meter.follow(plan, at: now)
      if !plan.isOn {
        // Nobody tries to reach gpsd any more: what was last said of it would be stale.
        if !facts.isConnected { facts.link = LiveFacts.notAsked }
        meter.knows(true, at: now)
      }
      facts.planSince = HostClock.utc
      facts.onAt = plan.isOn ? facts.onAt ?? now : nil
      needsSnapshot = true
      effects.append(.watch(plan.isOn))
    case .requestNetworkPosition:
      // No source of network positions on this machine: the policy goes on without.
      tell(.networkPositionFailed)
    case .listen:
      needsSnapshot = true
      listenToCells()
    case .ignored(let id, let input):
      log.debug("ignored for \(apps[id]?.name ?? "app \(id.number)"): \(input)")
    }
  }

  // MARK: Life

  private func changed(_ id: AppID, _ transition: LifecycleTransition) {
    needsSnapshot = true
    guard let app = apps[id] else { return }
    if transition.from == .notRunning {
      apps[id]?.logged = []
      // What does not happen is neither logged nor metered.
      apps[id]?.isHeldBack = isStopping || !app.mayRun
    }
    if apps[id]?.isHeldBack == false {
      note(id, "transition", LogWords.text(transition, byService: app.isLaunchedByService))
    }
    if transition.to == .notRunning { apps[id]?.isHeldBack = false }
    if transition.from == .suspended { meter.app(.wake, at: now) }
    if app.isHandler { return }
    switch (transition.from, transition.to) {
    case (.notRunning, _):
      if !app.hasProcess { effects.append(.start(id)) }
    case (_, .notRunning): gone(id, transition.reason)
    case (_, .suspended): effects.append(.freeze(id))
    case (.suspended, _):
      effects.append(.thaw(id))
      effects.append(.tell(id, .state(transition.to)))
      effects.append(.flush(id))
    default: effects.append(.tell(id, .state(transition.to)))
    }
    switch transition.reason {
    case .terminated where transition.to != .notRunning, .exitsOnSuspend:
      tellOfEnd(id)
    default: break
    }
  }

  /// Ends an app in order, as the user or the end of the service asks.
  ///
  /// From the foreground this is a transition. An app in the background stays there for its 5 s, so that
  /// there is none, and it is told here.
  func terminate(_ id: AppID) {
    let before = engine.state(of: id)
    tell(.app(id, .terminated))
    if before == .background, engine.state(of: id) == .background { tellOfEnd(id) }
  }

  private func tellOfEnd(_ id: AppID) {
    apps[id]?.isToldToEnd = true
    effects.append(.tell(id, .willTerminate(seconds: engine.rules.lifecycle.exitsAfter)))
  }

  /// The engine holds the app for not running: its process follows.
  private func gone(_ id: AppID, _ reason: LifecycleTransition.Reason) {
    apps[id]?.outbox.rewind()
    apps[id]?.launchReason = nil
    apps[id]?.isLaunchedByService = false
    switch reason {
    case .exited: break
    case .purged, .forceQuit:
      apps[id]?.isEnding = true
      effects.append(.kill(id))
    default:
      apps[id]?.isEnding = true
      effects.append(.end(id))
    }
  }

  /// Starts what the manifest says is started whenever the app is.
  func startServices(of id: AppID) {
    guard let manifest = apps[id]?.manifest, let service = manifest.service else { return }
    switch service {
    case .significant: tell(.app(id, .startMonitoringSignificantChanges))
    case .standard, .continuous: tell(.app(id, .startUpdating(manifest.request)))
    }
  }

  // MARK: Deliveries

  private func deliver(_ delivery: Delivery, to id: AppID) {
    if apps[id]?.isHeldBack != true { meter.app(.delivery, at: now) }
    if let listener = listeners[id] {
      listeners[id]?.lastFix = delivery.fix
      for client in listener.watchers {
        effects.append(.answer(client, .report(delivery.fix, device: listener.device)))
      }
      return
    }
    guard apps[id] != nil else { return }
    noteDelivery(delivery, to: id)
    let received = HostClock.utc
    if delivery.service == .significant {
      needsSnapshot = true
      // The anchor belongs to its event: without it a next daemon would measure from an older one.
      if !delivery.isCached { mustSnapshot = true }
    }
    let entry = Outbox.Entry(delivery: delivery, received: received)
    let dropped = apps[id]?.outbox.add(entry) ?? []
    apps[id]?.lastDelivery = entry
    change.deliveries.append(.init(app: id, delivery: delivery, received: received))
    for number in dropped { change.dropped.append((id, number)) }
    if !dropped.isEmpty, apps[id]?.outbox.lost == UInt64(dropped.count) {
      note(id, "lost", "its outbox is full (\(configuration.outboxLimit)); the oldest go")
    }
    effects.append(.flush(id))
  }

  /// Each significant change is in the app's log. Of the other services, whose deliveries may come every
  /// second, it has the first one after each launch: the log is bounded, and they would push out the rest.
  private func noteDelivery(_ delivery: Delivery, to id: AppID) {
    guard delivery.service == .significant || apps[id]?.logged.contains(delivery.service) == false
    else { return }
    apps[id]?.logged.insert(delivery.service)
    note(id, "delivered", LogWords.text(delivery))
  }

  // MARK: Effects

  func perform(_ effect: Effect) {
    switch effect {
    case .start(let id): startProcess(of: id)
    case .freeze(let id):
      if let app = apps[id], app.isSupervised, engine.state(of: id) == .suspended {
        supervisor.freeze(app.name)
      }
    case .thaw(let id):
      if let app = apps[id], app.isSupervised { supervisor.thaw(app.name) }
    case .end(let id):
      if let app = apps[id], app.isSupervised { supervisor.end(app.name, grace: 2) }
    case .kill(let id):
      if let app = apps[id], app.isSupervised { supervisor.kill(app.name) }
    case .flush(let id): flush(id)
    case .tell(let id, let message):
      if let client = apps[id]?.client { server.send(message, to: client) }
    case .answer(let client, let message): server.send(message, to: client)
    case .warnUnstored(let client):
      if let trouble = facts.storeTrouble {
        server.send(.warning(code: .storage, "not stored: \(trouble)"), to: client)
      }
    case .close(let client): server.close(client)
    case .watch(let isOn): gpsd.watch(isOn)
    case .listen(let isOn): modem?.listen(isOn)
    }
  }

  /// Sends what waits, as far as the app runs code, is authorized, reads, and acknowledges. What was
  /// decided before its user said no waits until he says yes.
  private func flush(_ id: AppID) {
    guard let app = apps[id], app.manifest.declaration.authorization.allowsLocation else { return }
    if app.isHandler { return runHandler(id) }
    guard let client = app.client, engine.state(of: id)?.runsCode == true else { return }
    if app.outbox.lost > 0, server.send(.lost(count: app.outbox.lost), to: client) {
      apps[id]?.outbox.toldLosses()
    }
    while let entry = apps[id]?.outbox.next {
      guard server.send(.location(entry.delivery, received: entry.received), to: client) else {
        return
      }
      apps[id]?.outbox.markSent()
      if app.watches {
        server.send(.report(entry.delivery.fix, device: "milepost"), to: client)
      }
    }
  }

  /// One line in the app's log, and in the daemon's own.
  func note(_ id: AppID?, _ kind: String, _ text: String) {
    guard id.map({ listeners[$0] == nil }) ?? true else { return }
    record(id, kind, text)
    let name = id.flatMap { apps[$0]?.name }
    log.info("\(name.map { $0 + ": " } ?? "")\(text)")
  }

  /// One line in the app's log, or with `nil` in that of the daemon, and nowhere else.
  func record(_ id: AppID?, _ kind: String, _ text: String) {
    change.log.append(.init(app: id, at: HostClock.utc, kind: kind, text: text))
  }
}
