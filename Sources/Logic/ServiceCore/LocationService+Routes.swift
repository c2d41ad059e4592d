// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import LocationEngine
import LocationModel
import ServiceContract

// The routes of what the machines want, of the engine's commands, and of what was intended until the commit.

extension LocationService {
  /// Performs what the machines want, each with all its own consequences before the next one.
  mutating func settle() {
    guard let start = step.beginConsequences() else { return }
    while let next = step.next(from: start) {
      perform(consequence: next)
      settle()
    }
  }

  private mutating func perform(consequence: Consequence) {
    switch consequence {
    case .engine(let input): tellEngine(input)
    case .intent(let intent): step.intend(intent)
    case .note(let id, let kind, let text): step.note(id, kind, text)
    case .record(let id, let kind, let text): step.record(id, kind, text)
    case .remember(let entry): step.ledger.remember(entry)
    case .apps(let order): step.perform(order: order, engine)
    case .clients(let order): clients.perform(order: order, processes, outboxes, engine, &step)
    case .processes(let order): processes.perform(order: order, outboxes, engine, &meter, &step)
    case .outboxes(let order): outboxes.perform(order: order, processes, sinks, &engine, &step)
    case .sinks(let order): sinks.perform(order: order, outboxes, engine, &step)
    case .world(let order): world.perform(order: order, engine, &meter, &step)
    case .service(let order): perform(order: order)
    }
  }

  private mutating func perform(order: ServiceOrder) {
    switch order {
    case .reconfigure(let saysWorth):
      reconfigureEngine()
      if saysWorth, let worth = engine.lookWorth { step.journal(.notice, worth.words()) }
    case .continueSequence(let id, let number): engine.continueSequence(of: id, after: number)
    case .serve: world.serve(engine, &meter, &step)
    case .open(let id): if let app = step.apps[id] { openApp(app.manifest, as: id) }
    case .remove(let id): remove(id)
    case .close(let id, let name): closeApp(id, name)
    case .forgetPlaces(let places):
      engine.forget(places: places, at: engineTime, into: &decisions.commands)
      performCommands()
    case .document(let question, let client, let request):
      ServiceDocuments(question, of: &self).answer(question, client, request, &step)
    case .startPrograms: geoClue.launchAll(engine, &step)
    }
  }

  /// Continues the engine under the settings' rules and policy, and the present knowledge of cells.
  mutating func reconfigureEngine() {
    var rules = settings.rules
    rules.lateness = world.lateness(settings)
    if world.hints.sensing != nil { rules.feelsMotion = true }
    engine.reconfigure(
      rules: rules, policy: world.policy(settings), at: engineTime, into: &decisions.commands)
    performCommands()
  }

  // MARK: The engine's commands

  /// Until the running processes are known, no time passes for the engine: overdue work might launch an app that runs.
  var engineTime: EngineInstant { phase == .beginning ? .zero : now.at }

  /// Gives the engine one input, and performs its commands.
  mutating func tellEngine(_ input: EngineInput) {
    decisions.wait(for: input)
    performCommands()
  }

  mutating func performCommands() {
    guard decisions.beginWork() else { return }
    while let command = decisions.next(&engine, at: engineTime) {
      perform(command: command)
      settle()
    }
    meter.keepAwake(byCode: engine.keepsAwake, bySession: engine.isInSession, at: now.at)
  }

  mutating func perform(command: EngineCommand) {
    switch command {
    case .transition(let id, let transition):
      processes.receive(transition: transition, of: id, engine, &meter, &step)
    case .launch(let id, let options): processes.launched(id, options, &meter, &step)
    case .deliver(let id, let delivery), .place(let id, .event(let delivery)):
      deliver(delivery, to: id)
    case .verdict(let id, let service, let verdict, let fixTime):
      outboxes.judge(service, of: id, verdict, fixTime: fixTime)
    case .place(let id, .verdict(let region, let verdict, let fixTime)):
      outboxes.judge(region: region, of: id, verdict, fixTime: fixTime)
    // Without it a next service would not know the side from which an exit or an entry counts.
    case .place(_, .settled): step.ledger.needCheckpoint()
    case .place(_, .state), .place(_, .failed), .motion, .heading, .paused, .requestFailed,
      .tasksExpire, .work, .notify, .audioStopped, .notWoken, .unreachable, .memoryTaken:
      clients.receive(command: command, engine, &step)
    case .deferralEnded(let id, let end):
      if clients.client(of: id) != nil { outboxes.hold(end, of: id) }
      step.intend(.flush(id))
    case .asksUser(let id): step.ask(.always, for: id)
    case .receiver(let plan):
      world.follow(plan: plan, &meter, &step)
      guard step.host.hasStore else { break }
      let reason = ServiceDocuments(.sinks, of: &self).receiverPart(withState: false).reason
      step.ledger.remember(plan: plan, reason, at: now)
    case .requestNetworkPosition: world.askNetwork(&meter, &step)
    case .listen(let triggers): world.listen(to: triggers, &meter, &step)
    case .ignored(let id, let input):
      step.journal(
        .debug, "ignored for \(step.apps.name(of: id) ?? "app \(id.number)"): \(input)")
    }
  }

  private mutating func deliver(_ delivery: Delivery, to id: AppID) {
    if clients.report(delivery, to: id, world, &meter, &step) { return }
    if !geoClue.isEmpty, geoClue[id] != nil {
      return geoClue.report(delivery, to: id, &meter, &step)
    }
    outboxes.receive(delivery: delivery, for: id, processes, &meter, &step)
  }

  // MARK: After the commit

  mutating func resolve(_ intent: Intent, into effects: inout [ServiceEffect]) {
    switch intent {
    case .start(let id):
      processes.start(
        id, last: outboxes[id]?.outbox.entries.last, engine, &step, into: &effects)
    case .freeze(let id): processes.freeze(id, engine, step, into: &effects)
    case .thaw(let id): processes.thaw(id, step, into: &effects)
    case .end(let id): processes.endProcess(of: id, kills: false, step, into: &effects)
    case .kill(let id): processes.endProcess(of: id, kills: true, step, into: &effects)
    case .flush(let id):
      outboxes.flush(id, clients, &processes, &sinks, engine, &step, into: &effects)
    case .tell(let id, let message):
      clients.send(
        message: message, to: id, isSuspended: engine.state(of: id) == .suspended, into: &effects)
    case .answer(let client, let message, let request):
      effects.append(.send(message, to: client, id: request))
    case .warnUnstored(let client, let request):
      if let trouble = step.ledger.trouble {
        effects.append(
          .send(.warning(code: .storage, "not stored: \(trouble)"), to: client, id: request))
      }
    case .watch:
      effects.append(.watch(engine.plan.isOn, sleep: world.receiverSleep(engine, step)))
    case .listen:
      effects.append(.arm(engine.triggers))
      if settings.wantsModem { effects.append(.listen(world.listens(engine))) }
    case .effect(let effect): effects.append(step.ledger.completed(effect))
    case .forgetEnding(let name): step.ledger.forgetEnding(of: name, into: &effects)
    }
  }
}
