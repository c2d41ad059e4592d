// SPDX-License-Identifier: Apache-2.0

import AppLifecycle
import ControlProtocol
import LocationEngine
import LocationModel
import RadioPower
import ServiceContract
import Settings
import Wording

// The engine's commands, and the tasks after the store has them.

extension LocationService {
  mutating func perform(_ command: EngineCommand) {
    switch command {
    case .transition(let id, let transition): changed(id, transition)
    case .launch(let id, let options): launched(id, options)
    case .deliver(let id, let delivery): deliver(delivery, to: id)
    case .verdict(let id, let service, let verdict, let fixTime):
      _ = apps.with(id) {
        $0.judge(.init(verdict: verdict, fixTime: fixTime), for: service)
      }
    case .motion(let id): intents.append(.tell(id, .motion))
    case .heading(let id, let heading):
      intents.append(.tell(id, .heading(HeadingNotice(heading, received: now.utc))))
    case .deferralEnded(let id, let end):
      _ = apps.with(id) { app in
        if app.client != nil { app.heldEnds.hold(end, behind: app.outbox) }
      }
      intents.append(.flush(id))
    case .paused(let id):
      note(id, "paused", command.note ?? "")
      intents.append(.tell(id, .paused))
    case .requestFailed(let id): requestFailed(id)
    case .asksUser(let id): ask(.always, for: id)
    case .receiver(let plan):
      meter.follow(plan, at: now.at)
      facts.follow(plan, at: now)
      if host.hasStore { history.follow(plan, text: receiverPart().reason, at: now) }
      needsCheckpoint()
      intents.append(.watch)
    case .requestNetworkPosition:
      guard settings.hearsReceiver else {
        // No source of network positions on this machine: the policy goes on without.
        return tell(.networkPositionFailed)
      }
      meter.record(.wifiScan, at: now.at)
      intents.append(.effect(.askNetwork))
    case .listen(let triggers):
      needsCheckpoint()
      meter.arm(triggers, at: now.at)
      intents.append(.listen)
    case .tasksExpire, .work, .notWoken, .unreachable, .notify, .audioStopped, .memoryTaken:
      performInBackground(command)
    case .place(let id, let command): perform(command, for: id)
    case .ignored(let id, let input):
      journal(.debug, "ignored for \(apps[id]?.name ?? "app \(id.number)"): \(input)")
    }
  }

  // MARK: Life

  private mutating func changed(_ id: AppID, _ transition: LifecycleTransition) {
    needsCheckpoint()
    guard let app = apps[id] else { return }
    if transition.from == .suspended, transition.to.runsCode { meter.record(.wake, at: now.at) }
    if transition.from == .notRunning {
      // A launch that does not happen is neither logged nor metered.
      let isHeldBack = !app.hasProcess && app.isResident && (phase.isStopping || !app.mayRun)
      _ = apps.with(id) { $0.isHeldBack = isHeldBack }
    }
    if apps[id]?.isHeldBack == false {
      let words = transition.words()
      note(id, "transition", words)
      remember(.state, id, transition.to.rawValue, words)
    }
    if transition.from == .notRunning { _ = apps.with(id) { $0.logged = .init() } }
    if transition.to == .notRunning { _ = apps.with(id) { $0.isHeldBack = false } }
    guard app.isResident else { return }
    switch (transition.from, transition.to) {
    case (.notRunning, _):
      if !app.hasProcess { intents.append(.start(id)) }
      // A process that cannot be ended may have been there all the time.
      guard case .foreign = app.process else { break }
      tellState(transition.to, of: id)
      intents.append(.flush(id))
    case (_, .notRunning): gone(id, transition.reason)
    case (_, .suspended): intents.append(.freeze(id))
    case (.suspended, _):
      intents.append(.thaw(id))
      tellState(transition.to, of: id)
      tellCalls(of: id)
      if app.owesAuthorization {
        intents.append(.tell(id, .authorization(app.toldAuthorization)))
      }
      if app.owesAccuracy {
        intents.append(.tell(id, .accuracy(app.manifest.declaration.accuracy)))
      }
      intents.append(.flush(id))
    case (_, .background) where transition.reason.isAnEnd: tellOfEnd(id)
    default: tellState(transition.to, of: id)
    }
  }

  /// The states on the way of its launch are passed over: once it has connected, its welcome is followed by the last one.
  private mutating func tellState(_ state: AppState, of id: AppID) {
    if apps[id]?.knowsItsLaunch == true { intents.append(.tell(id, .state(state))) }
  }

  mutating func launched(_ id: AppID, _ options: LaunchOptions) {
    guard let app = apps[id], !app.isHeldBack else { return }
    if !app.isSink { meter.record(.launch, at: now.at) }
    note(id, "launched", "relaunched by \(options.reason.rawValue)")
    _ = apps.with(id) { $0.launch = .event(options.reason) }
    startServices(of: id)
  }

  private mutating func tellOfEnd(_ id: AppID) {
    _ = apps.with(id) { app in
      if case .running(let pid) = app.process { app.process = .leaving(pid: pid) }
    }
    intents.append(.tell(id, .willTerminate(seconds: engine.rules.lifecycle.exitsAfter)))
  }

  /// The engine counts the app as not running: its process follows.
  private mutating func gone(_ id: AppID, _ reason: LifecycleTransition.Reason) {
    _ = apps.with(id) { app in
      app.outbox.rewind()
      app.launch = .user
      app.calls = []
    }
    switch reason {
    case .exited: break
    case .purged, .forceQuit, .replaced, .overran, .rebooted: intents.append(.kill(id))
    default: intents.append(.end(id))
    }
  }

  /// Starts the services that the manifest starts with the app.
  mutating func startServices(of id: AppID) {
    guard let manifest = apps[id]?.manifest else { return }
    switch manifest.service {
    case .significant: tell(.app(id, .startMonitoringSignificantChanges))
    case .standard, .continuous: tell(.app(id, .startUpdating(manifest.request)))
    case nil: break
    }
    startPlaces(of: id, manifest.places)
  }

  // MARK: Deliveries

  mutating func deliver(_ delivery: Delivery, to id: AppID) {
    if !listeners.isEmpty, listeners[id] != nil {
      meter.record(.delivery, at: now.at)
      return report(delivery, to: id)
    }
    if !geoClue.apps.isEmpty, geoClue.apps[id] != nil { return tellGeoClue(delivery, of: id) }
    let entry = Outbox.Entry(delivery: delivery, received: now.utc, since: now.at)
    let taken = apps.with(id) { app in
      (app.isHeldBack, app.isSink, isNoted: app.notes(delivery), dropped: app.deliver(entry))
    }
    guard let (isHeldBack, isSink, isNoted, dropped) = taken else { return }
    if !isHeldBack { meter.record(.delivery, at: now.at) }
    if isNoted {
      note(id, "delivered", LogWords.text(delivery))
      remember(.delivery, id, delivery.service.rawValue, LogWords.text(delivery))
    }
    if delivery.service.isSignificant {
      // The anchor belongs to its event: without it a next service would measure from an older one.
      needsCheckpoint(now: !delivery.isCached)
    }
    added(entry, to: id, dropping: dropped)
    intents.append(.flush(id))
    if isSink { putAway(id) }
  }

  /// Puts a delivery behind the waiting ones.
  mutating func add(_ entry: Outbox.Entry, to id: AppID) {
    added(entry, to: id, dropping: apps.with(id) { $0.outbox.add(entry) } ?? [])
  }

  /// Notes a delivery added to an outbox; dropped ones are reported, and stored.
  private mutating func added(_ entry: Outbox.Entry, to id: AppID, dropping dropped: [UInt64]) {
    write {
      $0.deliveries.append(.init(app: id, delivery: entry.delivery, received: entry.received))
    }
    guard !dropped.isEmpty else { return }
    write { $0.dropped += dropped.map { DeliveryKey(id, $0) } }
    guard apps[id]?.manifest.keepsLast != true else { return }
    if apps.with(id, { $0.outbox.lost }) == UInt64(dropped.count) {
      let text = "its outbox is full (\(settings.outboxLimit)); the oldest events go"
      note(id, "lost", text)
      if let name = apps[id]?.name { journal(.warning, "\(name): \(text)") }
    }
  }

  // MARK: After the commit

  mutating func resolve(_ intent: Intent, into effects: inout [ServiceEffect]) {
    switch intent {
    case .start(let id): start(id, into: &effects)
    case .freeze(let id):
      if let app = apps[id], app.hasOwnProcess, engine.state(of: id) == .suspended {
        effects.append(.freeze(app.name))
      }
    case .thaw(let id):
      if let app = apps[id], app.hasOwnProcess { effects.append(.thaw(app.name)) }
    case .end(let id): end(id, .end("", grace: Self.grace), into: &effects)
    case .kill(let id): end(id, .kill(""), into: &effects)
    case .flush(let id):
      flush(id, into: &effects)
      tellHeldEnds(of: id, into: &effects)
    case .tell(let id, let message): tell(id, message, into: &effects)
    case .answer(let client, let message, let request):
      effects.append(.send(message, to: client, id: request))
    case .warnUnstored(let client, let request):
      if let trouble = facts.storeTrouble {
        effects.append(
          .send(.warning(code: .storage, "not stored: \(trouble)"), to: client, id: request))
      }
    case .watch: effects.append(.watch(engine.plan.isOn))
    case .listen:
      effects.append(.arm(engine.triggers))
      if settings.wantsModem {
        effects.append(
          .listen(cells.listens(engineWants: engine.triggers.contains(.cells))))
      }
    case .effect(.sendLog(let id, let name, let count, _, let client, let request)):
      effects.append(
        .sendLog(
          of: id, name: name, count: count, unwritten: unwrittenLog(of: id), to: client,
          id: request))
    case .effect(.sendHistory(let range, _, let client, let request)):
      effects.append(
        .sendHistory(
          range, unwritten: unwrittenHistory(in: range), to: client, id: request))
    case .effect(.forget(let name)): forget(name, into: &effects)
    case .effect(let effect): effects.append(effect)
    }
  }

  /// A suspended app reads nothing: of the messages meanwhile only the user's permissions matter when it runs again.
  private mutating func tell(
    _ id: AppID, _ message: ServerMessage, into effects: inout [ServiceEffect]
  ) {
    guard let client = apps.with(id, { $0.client }) ?? nil else { return }
    let isSuspended = engine.state(of: id) == .suspended
    switch message {
    case .authorization: _ = apps.with(id) { $0.owesAuthorization = isSuspended }
    case .accuracy: _ = apps.with(id) { $0.owesAccuracy = isSuspended }
    default: break
    }
    if !isSuspended { effects.append(.send(message, to: client)) }
  }

  /// Sends waiting deliveries, as far as the app runs code, is authorized, reads, and acknowledges. A delivery decided
  /// before the user withdrew the permission waits until it is given again.
  private mutating func flush(_ id: AppID, into effects: inout [ServiceEffect]) {
    let state = engine.state(of: id)
    let isWorkedOff = apps.with(id) { app in
      guard app.manifest.declaration.authorization.allowsLocation else { return false }
      guard app.isResident else { return true }
      guard let client = app.client, state?.runsCode == true else { return false }
      if app.outbox.lost > 0 {
        effects.append(.send(.lost(count: app.outbox.lost), to: client))
        app.outbox.toldLosses()
      }
      while let entry = app.outbox.next {
        effects.append(.send(entry.message, to: client))
        app.outbox.markSent()
        if app.watches, entry.delivery.event == nil {
          effects.append(.send(.report(entry.delivery.fix, device: "milepost"), to: client))
        }
      }
      return false
    }
    guard isWorkedOff == true, let app = apps[id] else { return }
    if app.isSink { pass(id, into: &effects) } else { runHandler(app, into: &effects) }
  }

  /// Reports the ends of deferrals whose updates are on the way.
  private mutating func tellHeldEnds(of id: AppID, into effects: inout [ServiceEffect]) {
    guard engine.state(of: id)?.runsCode == true else { return }
    _ = apps.with(id) { app in
      while let client = app.client, let end = app.heldEnds.next(as: app.outbox) {
        effects.append(.send(.deferralEnded(end), to: client))
      }
    }
  }

  // MARK: Logs

  /// One line in the app's log, and in the journal.
  mutating func note(_ id: AppID?, _ kind: String, _ text: String) {
    guard id.map({ listeners[$0] == nil }) ?? true else { return }
    record(id, kind, text)
    let name = id.flatMap { apps[$0]?.name }
    journal(.info, "\(name.map { $0 + ": " } ?? "")\(text)")
  }

  /// One line in the app's log only, or with `nil` in that of the service.
  mutating func record(_ id: AppID?, _ kind: String, _ text: String) {
    let row = LogRow(app: id, at: now.utc, kind: kind, text: text)
    write { $0.log.append(row) }
  }

  mutating func journal(_ level: LogLevel, _ text: String) {
    intents.append(.effect(.log(level, text)))
  }
}
