// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import LocationEngine
import LocationModel
import RadioPower
import ServiceContract

// The routes of what the machines want, of the engine's commands, and of what was intended until the commit.

extension LocationService {
  /// Performs what the machines want, each with all its own consequences before the next one.
  mutating func settle() {
    guard let start = step.begin() else { return }
    while let next = step.next(from: start) {
      perform(next)
      settle()
    }
  }

  private mutating func perform(_ consequence: Consequence) {
    switch consequence {
    case .engine(let input): tell(input)
    case .intent(let intent): step.intend(intent)
    case .note(let id, let kind, let text): step.note(id, kind, text)
    case .record(let id, let kind, let text): step.record(id, kind, text)
    case .remember(let entry): step.ledger.remember(entry)
    case .apps(let order): step.perform(order, engine)
    case .clients(let order): clients.perform(order, processes, outboxes, engine, &step)
    case .processes(let order): processes.perform(order, outboxes, engine, &meter, &step)
    case .outboxes(let order): outboxes.perform(order, processes, sinks, &engine, &step)
    case .sinks(let order): sinks.perform(order, outboxes, engine, &step)
    case .world(let order): world.perform(order, engine, &meter, &step)
    case .service(let order): perform(order)
    }
  }

  private mutating func perform(_ order: ServiceOrder) {
    switch order {
    case .reconfigure(let saysWorth):
      reconfigureEngine()
      if saysWorth, let worth = engine.lookWorth { step.journal(.notice, worth.words()) }
    case .continueSequence(let id, let number): engine.continueSequence(of: id, after: number)
    case .serve: serve()
    case .open(let id): if let app = step.apps[id] { open(app.manifest, as: id) }
    case .remove(let id): remove(id)
    case .close(let id, let name): close(id, name)
    case .forgetPlaces(let places, let wish): forget(places, wish)
    case .forgetHidden(let before): forgetHidden(since: before)
    case .document(let question, let client, let request):
      documents(question).answer(question, client, request, &step)
    case .startPrograms: geoClue.launchAll(engine, &step)
    }
  }

  /// The triggers that cost something because they are listened to. A phone's motion coprocessor runs all the time, for
  /// steps and the way of moving, whoever asks: it is part of the phone's floor.
  private func metered(_ triggers: Triggers) -> Triggers {
    settings.rules.platform == .machine ? triggers : triggers.subtracting(.motion)
  }

  /// The service serves: the watch follows the restored plan, which may be on.
  private mutating func serve() {
    step.phase = .serving
    meter.follow(engine.plan, at: now.at)
    meter.arm(metered(engine.triggers), at: now.at)
    world.follow(engine.plan, at: now)
    step.intend(.watch)
    step.intend(.listen)
    step.ledger.needCheckpoint()
  }

  private mutating func forget(_ places: ForgottenPlaces, _ wish: Forgetting) {
    forgetInEngine(places)
    guard places.app == nil else { return }
    world.forget(where: wish.concerns)
    clients.forget { [now] fix in wish.concerns(fix, fix.time ?? now.utc) }
  }

  private mutating func forgetHidden(since before: [PrivacyZone]) {
    let new = settings.rules.zones.filter { !before.contains($0) }
    guard !new.isEmpty else { return }
    outboxes.forgetHidden(by: new, processes, sinks, &step)
    func isHidden(_ fix: Fix) -> Bool { new.hiding(fix, last: nil) != nil }
    world.forget { fix, _ in isHidden(fix) }
    clients.forget(where: isHidden)
  }

  // MARK: The engine's commands

  mutating func perform(_ command: EngineCommand) {
    switch command {
    case .transition(let id, let transition):
      processes.receive(transition, of: id, engine, &meter, &step)
    case .launch(let id, let options): processes.launched(id, options, &meter, &step)
    case .deliver(let id, let delivery), .place(let id, .event(let delivery)):
      deliver(delivery, to: id)
    case .verdict(let id, let service, let verdict, let fixTime):
      outboxes.judge(service, of: id, verdict, fixTime: fixTime)
    case .place(let id, .verdict(let region, let verdict, let fixTime)):
      outboxes.judge(region: region, of: id, verdict, fixTime: fixTime)
    // Without it a next service would not know the side from which an exit or an entry counts.
    case .place(_, .settled): step.ledger.needCheckpoint()
    case .place(let id, .state(let region, let state)):
      clients.receive(state, of: region, for: id, &step)
    case .place(let id, .failed(let region, let trouble)):
      clients.failed(region, trouble, of: id, &step)
    case .motion(let id): step.intend(.tell(id, .motion))
    case .heading(let id, let heading):
      step.intend(.tell(id, .heading(HeadingNotice(heading, received: now.utc))))
    case .deferralEnded(let id, let end):
      if clients.client(of: id) != nil { outboxes.hold(end, of: id) }
      step.intend(.flush(id))
    case .paused(let id):
      step.note(id, "paused", command.note ?? "")
      step.intend(.tell(id, .paused))
    case .requestFailed(let id): clients.requestFailed(id, engine, &step)
    case .asksUser(let id): step.ask(.always, for: id)
    case .receiver(let plan): follow(plan)
    case .requestNetworkPosition: world.askNetwork(&meter, &step)
    case .listen(let triggers):
      step.ledger.needCheckpoint()
      meter.arm(metered(triggers), at: now.at)
      step.intend(.listen)
    case .tasksExpire(let id, let tasks, let seconds):
      background(command, id, .tasksExpire(tasks, seconds: seconds))
    case .work(let id, let reason, let seconds):
      background(command, id, .work(reason, seconds: seconds))
    case .notify(let id, let notification, let fate):
      background(command, id, .notify(notification, fate))
    case .audioStopped(let id, _): background(command, id, .audioStopped)
    case .notWoken(let id, _, _), .unreachable(let id, _), .memoryTaken(let id, _):
      background(command, id, .noted)
    case .ignored(let id, let input):
      step.journal(
        .debug, "ignored for \(step.apps.name(of: id) ?? "app \(id.number)"): \(input)")
    }
  }

  private mutating func background(
    _ command: EngineCommand, _ id: AppID, _ what: BackgroundCommand.What
  ) {
    if let said = BackgroundCommand(command, of: id, what) { clients.receive(said, &step) }
  }

  private mutating func follow(_ plan: ReceiverPlan) {
    meter.follow(plan, at: now.at)
    world.follow(plan, at: now)
    if step.host.hasStore {
      let reason = documents(.sinks).receiverPart(withState: false).reason
      step.ledger.remember(plan: plan, reason, at: now)
    }
    step.ledger.needCheckpoint()
    step.intend(.watch)
  }

  private mutating func deliver(_ delivery: Delivery, to id: AppID) {
    if !clients.ports.isEmpty, clients.ports[id] != nil {
      meter.record(.delivery, at: now.at)
      return clients.report(delivery, to: id, world.sky(at: now.at), &step)
    }
    if !geoClue.isEmpty, geoClue[id] != nil {
      return geoClue.report(delivery, to: id, &meter, &step)
    }
    guard outboxes.has(id) else { return }
    if !processes.isHeldBack(id) { meter.record(.delivery, at: now.at) }
    outboxes.receive(delivery, for: id, &step)
    if step.apps.isSink(id) { step.want(.putAway(id)) }
  }

  // MARK: After the commit

  mutating func resolve(_ intent: Intent, into effects: inout [ServiceEffect]) {
    switch intent {
    case .start(let id):
      processes.start(
        id, last: outboxes[id]?.outbox.entries.last, engine, &step, into: &effects)
    case .freeze(let id): processes.freeze(id, engine, step, into: &effects)
    case .thaw(let id): processes.thaw(id, step, into: &effects)
    case .end(let id): processes.end(id, kills: false, step, into: &effects)
    case .kill(let id): processes.end(id, kills: true, step, into: &effects)
    case .flush(let id): flush(id, into: &effects)
    case .tell(let id, let message):
      clients.send(
        message, to: id, isSuspended: engine.state(of: id) == .suspended, into: &effects)
    case .answer(let client, let message, let request):
      effects.append(.send(message, to: client, id: request))
    case .warnUnstored(let client, let request):
      if let trouble = step.ledger.trouble {
        effects.append(
          .send(.warning(code: .storage, "not stored: \(trouble)"), to: client, id: request))
      }
    case .watch: effects.append(.watch(engine.plan.isOn))
    case .listen:
      effects.append(.arm(engine.triggers))
      if settings.wantsModem { effects.append(.listen(world.listens(engine))) }
    case .effect(let effect): effects.append(step.ledger.completed(effect))
    case .forgetEnding(let name): step.ledger.forgetEnding(of: name, into: &effects)
    }
  }

  /// Sends waiting deliveries, as far as the app runs code, is authorized, reads, and acknowledges. A delivery decided
  /// before the user withdrew the permission waits until it is given again.
  private mutating func flush(_ id: AppID, into effects: inout [ServiceEffect]) {
    let client = engine.state(of: id)?.runsCode == true ? clients.client(of: id) : nil
    switch step.apps.recipient(id) {
    case .connected:
      if let client {
        outboxes.flush(id, to: client, reports: clients.watches(id), into: &effects)
      }
    case .handler: processes.run(id, for: outboxes.first(of: id), &step, into: &effects)
    case .sink: sinks.pass(id, &outboxes, engine, &step, into: &effects)
    case nil: break
    }
    if let client { outboxes.flushHeldEnds(of: id, to: client, into: &effects) }
  }
}
