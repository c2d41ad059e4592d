// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
package import Geodesy
package import LocationEngine
package import LocationModel
package import ServiceContract

// Theory of operation
// ===================
//
// One value decides an app's life: launches, processes, outboxes, acknowledgements, retries, endings, authorization,
// answers. It owns the engine, the meter and five machines with state of their own:
//
//   Clients     who is connected, and what travels besides deliveries     Outboxes   what each app is to be told
//   Processes   what runs                                                 Sinks      what leaves without a program
//   World       gpsd, the receiver, the modem, the machine
//
// It is their router and holds no rule: an input goes to one machine, and what that wants (`Consequence`) to the engine
// or to another machine. All read the `Step`: the time, the settings, the registered apps, the ledger.
//
//   world ─► handle(input, at: time) ─┐   …as often as something waits
//                                     ▼
//            decide() ─► Decision ─► the store commits `change` ─► effects(of:after:) ─► the shell
//                            ▲                                          performs them, in order
//                            └────────── until there is nothing to decide
//
// A `Decision` holds its effects sealed: only the store's answer releases them. So a kill at any moment loses nothing:
// before the commit the inputs were never taken, after it they are in the store, and the next service sends them. A
// store failure is reported in the journal and in `status`, the unwritten part is carried over to the next commit, and
// tracking goes on in memory.
//
// Inside, an input becomes inputs of the engine; the engine's commands become changes to write and *intents*. An intent
// is handled only after the commit (is the app still suspended? does its client take more?), and then becomes effects,
// further inputs of the engine, or nothing. Each round ends something, so there are few.
//
// There is no clock, no descriptor and no task inside: equal settings, stored state and inputs give equal effects.

/// The decisions about an app's life: launches, processes, outboxes, acknowledgements, retries and endings.
package struct LocationService: Sendable {
  var step: Step
  package internal(set) var engine: LocationEngine
  package var meter: ServiceMeter
  let clock: EngineClock
  var clients = Clients()
  var geoClue = GeoClueAccounts()
  var processes = Processes()
  var outboxes = Outboxes()
  var sinks = Sinks()
  var world: World
  /// The engine's decisions.
  package var decisions = CommandQueue()

  /// Continues from the state of an earlier service.
  package init(_ beginning: ServiceBeginning, at time: ServiceTime) {
    step = Step(beginning, at: time)
    clock = beginning.clock
    engine =
      beginning.stored.engine.map(LocationEngine.init(restoring:))
      ?? LocationEngine(rules: beginning.settings.rules, policy: beginning.settings.policy)
    meter = ServiceMeter(beginning.settings)
    world = World(beginning, engine, at: time)
    begin(from: beginning)
  }

  package var settings: ServiceSettings { step.settings }
  /// The time of the present input.
  package var now: ServiceTime { step.now }
  package var phase: Phase { step.phase }
  /// Whether the processor is kept awake: by a running app, or by a session of the receiver.
  package var isAwake: Bool { meter.isAwake }

  private mutating func begin(from beginning: ServiceBeginning) {
    let stored = beginning.stored
    step.begin(
      after: clock.gap, last: stored.pending.map(\.received).max(), beginning.storeWarnings)
    for row in stored.apps {
      guard let manifest = step.restore(row) else { continue }
      openApp(manifest, as: row.id, acknowledged: row.acknowledged, row.tally)
      processes.restore(row)
    }
    outboxes.restore(stored, clock)
    let zones = engine.rules.zones
    reconfigureEngine()
    step.restoreEngine(stored.apps, engine)
    step.forgetHidden(since: zones)
    clients.forgetUnregistered(&step)
    clients.openPorts(beginning.listeners, &step)
    step.guests = clients.ports.count
    settle()
  }

  // MARK: The shell's side

  /// Takes one input from the world.
  package mutating func handle(_ input: ServiceInput, at time: ServiceTime) {
    if let clockStep = step.follow(time: time) { world.follow(clockStep: clockStep) }
    geoClue.shareEnergy(before: input, engine, &meter, at: now.at)
    switch input {
    case .began(let adopted):
      processes.takeOver(adopted, &engine, wasRebooted: clock.gap?.isReboot == true, &step)
    case .client(let event): clients.receive(event: event, processes, world, engine, &step)
    case .manifest(let client, let reading, let id, let isUpdate):
      step.receive(manifest: reading, from: client, id, isUpdate: isUpdate)
    case .process(let event): processes.receive(event: event, engine, &step)
    case .sink(let event): sinks.receive(event: event, &outboxes, engine, &meter, &step)
    case .gpsd(let event): world.receive(gpsdEvent: event, engine, &meter, &step)
    case .modem(let event): world.receive(modemEvent: event, &step)
    case .geoClue(let event):
      geoClue.receive(event: event, engine, &meter, &step)
      step.guests = clients.ports.count + geoClue.count
    case .machine(let event): world.receive(machineEvent: event, engine, &meter, &step)
    case .radio(let event): world.receive(radioEvent: event, engine, &meter, &step)
    case .settings(let reading, let client, let id):
      step.receive(settings: reading, for: client, id)
    case .refused(let kind, let count): world.lost(kind, count, &step)
    case .timePassed: break
    case .stop: processes.endAll(engine, &step)
    }
    settle()
    wakeUp()
    world.followMode(engine, meter, at: now.at)
    geoClue.reportToFollowers(engine, &meter, &step)
    outboxes.expire(processes, sinks, &step)
    settle()
  }

  /// Takes a fix of a simulated receiver: like `radio(.fix)`, whose wrapping would be expensive in a replay. `frame` is
  /// the one around it.
  package mutating func handle(fix: Fix, around frame: LocalFrame, at time: ServiceTime) {
    step.advance(to: time)
    engine.take(fix: fix, around: frame, at: engineTime, into: &decisions.commands)
    performCommands()
    wakeUp()
  }

  /// Closes the batch: the rows to write now, and their consequences; `nil` if there are none.
  package mutating func decide() -> Decision? {
    let change = step.host.hasStore ? takeChange() : nil
    guard change != nil || !step.intents.isEmpty else { return nil }
    defer { step.intents = [] }
    return Decision(change, step.intents)
  }

  /// Adds the effects of a decision, for the store's answer to it, to a shell's own list; `decide` comes next.
  package mutating func addEffects(
    of decision: consuming Decision, after outcome: CommitOutcome,
    to effects: inout [ServiceEffect]
  ) {
    processes.committed()
    if let change = decision.change {
      step.ledger.receive(
        outcome: outcome, of: change, at: now.at, holds: { outboxes.holds($1, for: $0) },
        into: &effects)
    }
    var decided = decision.takeIntents()
    for intent in decided {
      resolve(intent, into: &effects)
      settle()
    }
    // Its memory is reused for the next ones.
    guard step.intents.isEmpty else { return }
    decided.empty()
    step.intents = decided
  }

  /// Whether it has been stopped, and may be left.
  package var isOver: Bool {
    guard let until = phase.deadline else { return false }
    return until <= now.at || !processes.isBusy && !sinks.isPassing
  }

  /// The last change: the engine's state, whatever it costs.
  package mutating func lastChange() -> StoreChange? {
    guard step.host.hasStore else { return nil }
    addSnapshot()
    return step.ledger.takeChange()
  }

  private mutating func takeChange() -> StoreChange? {
    if step.ledger.needsSnapshot(at: now.at) { addSnapshot() }
    return step.ledger.takeChange()
  }

  private mutating func addSnapshot() {
    let energy = world.energy(adding: meter.report(at: now.at))
    step.ledger.addSnapshot(
      engine.snapshot, clock.moment(boot: step.host.boot, at: now), energy: energy)
  }

  // MARK: Time

  /// What time alone changes, in the order in which it is done if several are due.
  private enum Deadline: CaseIterable {
    case engine
    /// Pauses, waits and gatherings that are over.
    case processesAndSinks
    case notification, silence
    /// A checkpoint goes with the next decision.
    case checkpoint
    /// The shell leaves a service that is over.
    case end

    /// Made once, since it is needed at every fix.
    static let inOrder = allCases
  }

  @inline(__always)
  private func instant(of deadline: Deadline) -> EngineInstant? {
    switch deadline {
    case .engine: engine.nextDeadline
    case .processesAndSinks: .earlier(processes.deadlines.earliest, sinks.deadlines.earliest)
    case .notification: engine.nextNotification.map(step.instant)
    case .silence: world.silenceDeadline
    case .checkpoint: step.ledger.deadline
    case .end: phase.deadline
    }
  }

  private mutating func came(_ deadline: Deadline) {
    switch deadline {
    case .engine: tellEngine(.timePassed)
    case .processesAndSinks:
      // In the order of their times.
      while let due = DeadlineTable.firstDue(processes.deadlines, sinks.deadlines, at: now.at) {
        processes.deadlineCame(of: due, engine, &step)
        sinks.deadlineCame(of: due, &step)
        settle()
      }
    case .notification: tellEngine(.utc(now.utc))
    case .silence: world.judgeSilence(&step)
    case .checkpoint, .end: break
    }
  }

  /// The next change by time alone; `nil` if there is none.
  package var nextDeadline: EngineInstant? {
    var earliest: EngineInstant?
    for deadline in Deadline.inOrder { earliest = .earlier(earliest, instant(of: deadline)) }
    return earliest
  }

  /// Does what has fallen due.
  private mutating func wakeUp() {
    guard let earliest = nextDeadline, earliest <= now.at else { return }
    for deadline in Deadline.inOrder {
      if let due = instant(of: deadline), due <= now.at { came(deadline) }
    }
  }

  // MARK: Apps

  mutating func openApp(
    _ manifest: AppManifest, as id: AppID, acknowledged: UInt64 = 0, _ tally: UplinkTally? = nil
  ) {
    clients.openApp(id)
    outboxes.openApp(id, limit: settings.outboxLimit(for: manifest), acknowledged: acknowledged)
    processes.openApp(id, manifest.kind)
    sinks.openApp(
      id, manifest, tally ?? UplinkTally(since: now.at),
      heard: tally?.lastTaken.flatMap(clock.instant(ofEarlier:)), at: now.at)
  }

  mutating func remove(_ id: AppID) {
    guard let name = step.apps.name(of: id) else { return }
    processes.endApp(id, name, &step)
    clients.endApp(id, &step)
    sinks.endApp(id, &step)
    step.tellEngine(.app(id, .removed))
    step.want(.close(id, name: name))
  }

  mutating func closeApp(_ id: AppID, _ name: String) {
    clients.closeApp(id)
    processes.closeApp(id)
    outboxes.closeApp(id)
    sinks.closeApp(id)
    step.closeApp(id, name)
  }
}
