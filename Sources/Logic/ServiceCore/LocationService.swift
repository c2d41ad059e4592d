// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
package import Geodesy
package import LocationEngine
package import LocationModel
import RadioPower
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
// The consequences of a command at the same instant (an app that is launched has its service started) are given to the
// engine after all commands of the input that caused it, never in the middle of them.
//
// There is no clock, no descriptor and no task inside: equal settings, stored state and inputs give equal
// effects, byte for byte.

/// The decisions about an app's life: launches, processes, outboxes, acknowledgements, retries and endings.
package struct LocationService: Sendable {
  var step: Step
  package internal(set) var engine: LocationEngine
  package var meter: ServiceMeter
  let clock: EngineClock
  var clients = Clients()
  var geoClue = GeoClueApps()
  var processes = Processes()
  var outboxes = Outboxes()
  var sinks = Sinks()
  var world: World
  var waiting: [EngineInput] = []
  var isTelling = false
  /// The engine's decisions: for the present input, or if they are kept, since they were last forgotten.
  package internal(set) var decisions: [EngineCommand] = []
  /// Whether `decisions` are kept until they are forgotten.
  package var keepsDecisions = false

  /// Continues from the state of an earlier service.
  package init(_ beginning: ServiceBeginning, at time: ServiceTime) {
    step = Step(beginning, at: time)
    clock = beginning.clock
    engine =
      beginning.stored.engine.map(LocationEngine.init(restoring:))
      ?? LocationEngine(rules: beginning.settings.rules, policy: beginning.settings.policy)
    meter = ServiceMeter(beginning.settings)
    world = World(beginning, engine, at: time)
    begin(beginning)
  }

  package var settings: ServiceSettings { step.settings }
  /// The time of the present input.
  package var now: ServiceTime { step.now }
  package var phase: Phase { step.phase }
  /// Whether the processor is kept awake: by a running app, or by a session of the receiver.
  package var isAwake: Bool { meter.isAwake }

  private mutating func begin(_ beginning: ServiceBeginning) {
    let stored = beginning.stored
    step.begin(
      after: clock.gap, last: stored.pending.map(\.received).max(), beginning.storeWarnings)
    for row in stored.apps {
      guard let manifest = step.restore(row) else { continue }
      open(manifest, as: row.id, acknowledged: row.acknowledged, row.tally)
      processes.restore(row)
    }
    outboxes.restore(stored, clock)
    let zones = engine.rules.zones
    reconfigureEngine()
    step.restoreEngine(stored.apps, engine)
    // The configuration may have been changed while no service ran.
    step.want(.forgetHidden(since: zones))
    clients.forgetUnregistered(&step)
    clients.openPorts(beginning.listeners, &step)
    step.guests = clients.ports.count
    settle()
  }

  // MARK: The shell's side

  /// Takes one input from the world.
  package mutating func handle(_ input: ServiceInput, at time: ServiceTime) {
    let clockStep = step.host.hasStore ? ClockStep(from: now, to: time) : nil
    step.advance(to: time)
    if let clockStep {
      world.follow(clockStep)
      step.follow(clockStep)
    }
    geoClue.shareEnergy(before: input, engine, &meter, at: now.at)
    switch input {
    case .began(let adopted):
      guard phase == .beginning else { break }
      processes.takeOver(
        adopted, &engine, wasRebooted: clock.gap?.isReboot == true, &step)
    case .client(let event): clients.receive(event, processes, world, engine, &step)
    case .manifest(let client, let reading, let id, let isUpdate):
      step.receive(reading, from: client, id, isUpdate: isUpdate)
    case .process(let event): processes.receive(event, engine, &step)
    case .sink(let event): sinks.receive(event, &outboxes, engine, &meter, &step)
    case .gpsd(let event): world.receive(event, engine, &meter, &step)
    case .modem(let event): world.receive(event, &step)
    case .geoClue(let event):
      geoClue.receive(event, engine, &meter, &step)
      step.guests = clients.ports.count + geoClue.count
    case .machine(let event): world.receive(event, engine, &step)
    case .radio(let event): world.receive(event, engine, &meter, &step)
    case .settings(let reading, let client, let id): step.receive(reading, for: client, id)
    case .refused(let kind, let count): world.lost(kind, count, &step)
    case .timePassed: break
    case .stop: processes.endAll(engine, &step)
    }
    settle()
    wakeUp()
    world.followMode(engine, meter, at: now.at)
    geoClue.reportToFollowers(engine, &meter, &step)
    if phase == .serving, let before = step.ledger.expires(after: settings.keepsFor, at: now) {
      outboxes.expire(before: before, processes, sinks, &step)
      settle()
    }
  }

  /// Takes a fix of a simulated receiver: like `radio(.fix)`, whose wrapping would be expensive in a replay. `frame` is
  /// the one around it.
  package mutating func handle(_ fix: Fix, around frame: LocalFrame, at time: ServiceTime) {
    step.advance(to: time)
    isTelling = true
    let first = decisions.count
    engine.take(fix, around: frame, at: engineTime, into: &decisions)
    performDecisions(from: first)
    tellTheRest()
    wakeUp()
  }

  /// Closes the batch: the rows to write now, and their consequences; `nil` if there are none.
  package mutating func decide() -> Decision? {
    guard step.host.hasStore else {
      return step.intents.isEmpty ? nil : Decision(takeIntents())
    }
    let change = takeChange()
    guard change != nil || !step.intents.isEmpty else { return nil }
    return Decision(change, takeIntents())
  }

  private mutating func takeIntents() -> [Intent] {
    defer { step.intents = [] }
    return step.intents
  }

  /// The effects of a decision, for the store's answer to it; `decide` comes next.
  package mutating func effects(
    of decision: consuming Decision, after outcome: CommitOutcome
  ) -> [ServiceEffect] {
    var effects: [ServiceEffect] = []
    addEffects(of: decision, after: outcome, to: &effects)
    return effects
  }

  /// The same, appended to a shell's own list, which it reuses.
  package mutating func addEffects(
    of decision: consuming Decision, after outcome: CommitOutcome,
    to effects: inout [ServiceEffect]
  ) {
    processes.committed()
    if let change = decision.change {
      step.ledger.receive(
        outcome, of: change, at: now.at, holds: { outboxes.holds($1, for: $0) }, into: &effects)
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
    return takeChange()
  }

  /// Returns the engine's decisions since the last time, and forgets them.
  package mutating func takeDecisions() -> [EngineCommand] {
    guard !decisions.isEmpty else { return [] }
    defer { decisions = [] }
    return decisions
  }

  /// Forgets the engine's decisions; `takeDecisions` for callers that have read `decisions` in place.
  package mutating func forgetDecisions() { decisions.empty() }

  // MARK: Apps

  mutating func open(
    _ manifest: AppManifest, as id: AppID, acknowledged: UInt64 = 0, _ tally: UplinkTally? = nil
  ) {
    clients.open(id)
    outboxes.open(id, limit: settings.outboxLimit(for: manifest), acknowledged: acknowledged)
    switch manifest.kind {
    case .connected: processes.open(id, isHandler: false)
    case .handler: processes.open(id, isHandler: true)
    case .sink: sinks.open(id, tally ?? UplinkTally(since: now.at))
    }
  }

  mutating func remove(_ id: AppID) {
    guard let name = step.apps.name(of: id) else { return }
    processes.end(id, name, &step)
    clients.end(id, &step)
    sinks.end(id, &step)
    step.tell(.app(id, .removed))
    step.want(.close(id, name: name))
  }

  mutating func close(_ id: AppID, _ name: String) {
    clients.close(id)
    processes.close(id)
    outboxes.close(id)
    sinks.close(id)
    step.close(id, name)
  }

  mutating func documents(_ question: ServiceDocuments.Question) -> ServiceDocuments {
    var metered: (ServiceMeter, EnergyReport)?
    let before = meter
    var programs: StatusDocument.GeoClue?
    if question.isOfEnergy {
      let report = meter.report(at: now.at)
      world.settleEnergy(meter, at: now.at)
      metered = (meter, report)
      programs = geoClue.part(engine, &meter, at: now.at)
    }
    return ServiceDocuments(
      step, engine, before, metered: metered, clients, programs, processes, outboxes, sinks, world)
  }
}
