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
// answers. It owns the engine and the meter. A shell (the daemon, `track`, a replay, the simulator) brings it the
// world's inputs and performs its effects.
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
  package internal(set) var settings: ServiceSettings
  let host: ServiceHost
  package internal(set) var engine: LocationEngine
  package var meter: ServiceMeter
  private(set) var clock: EngineClock
  /// The time of the present input.
  package internal(set) var now: ServiceTime
  /// In UTC by the host's present clock, even if it was set since then.
  var startedAt: ServiceTime

  /// Registered apps, and those of the listeners for gpsd clients.
  var apps = AppTable()
  var listeners: [AppID: GPSDListenerApp] = [:]
  /// Programs that ask GeoClue.
  var geoClue = GeoClueApps()
  var energyByMode = EnergyByMode()
  /// The app, or the listener, of each client.
  var clients: [ClientID: Client] = [:]
  var nextApp: UInt32 = 1
  /// Names of removed apps whose processes are still being ended; bounded by the number of processes.
  var leaving: Set<String> = []
  var facts: WorldFacts
  var cells: CellWatch
  var battery = BatterySaver()
  var uplink = Uplink()
  var history = History()
  package internal(set) var phase = Phase.beginning
  var retention = Retention()

  /// What the present batch has to write, and what is to be done after that.
  var change = StoreChange() { didSet { mayHaveRows = true } }
  /// Whether something may have been added to `change`: to compare it with an empty one takes longer than most inputs.
  private var mayHaveRows = false
  var intents: [Intent] = []
  /// Handlers whose run is announced in the next decision's writes.
  var announcing: Set<AppID> = []
  private var unwritten: StoreChange?
  /// Apps whose keepers may forget their ending as soon as that is stored.
  private var unforgotten: [String] = []
  private(set) var checkpoint: Checkpoint
  private var waiting: [EngineInput] = []
  private var isTelling = false
  /// The engine's decisions: for the present input, or if they are kept, since they were last forgotten.
  package private(set) var decisions: [EngineCommand] = []
  /// Whether `decisions` are kept until they are forgotten.
  package var keepsDecisions = false
  var deadlines = DeadlineTable()
  /// Whether the processor is kept awake: by a running app, or by a session of the receiver.
  package var isAwake: Bool { meter.isAwake }

  /// The phase of the service.
  package enum Phase: Sendable, Equatable {
    /// The state of an earlier service is being taken over; clients are not heard yet.
    case beginning
    case serving
    /// Apps are told and ended; it is over when all are gone, then at the latest.
    case stopping(until: EngineInstant)
  }

  /// The store's answer to a change.
  package enum CommitOutcome: Sendable, Equatable, Codable {
    /// It took `seconds`.
    case written(seconds: Double)
    /// Nothing of it was written, and why; it is carried over.
    case failed(String)
    /// There is no store, and nothing will be kept.
    case noStore
  }

  /// Continues from the state of an earlier service.
  package init(_ beginning: ServiceBeginning, at time: ServiceTime) {
    settings = beginning.settings
    host = beginning.host
    clock = beginning.clock
    now = time
    startedAt = time
    checkpoint = Checkpoint(at: time.at)
    let stored = beginning.stored
    engine =
      stored.engine.map(LocationEngine.init(restoring:))
      ?? LocationEngine(rules: beginning.settings.rules, policy: beginning.settings.policy)
    cells = CellWatch(isTold: engine.senses.contains(.cells))
    meter = ServiceMeter(settings)
    facts = WorldFacts(beginning, at: time)
    begin(stored, beginning)
  }

  // MARK: The shell's side

  /// Takes one input from the world.
  package mutating func handle(_ input: ServiceInput, at time: ServiceTime) {
    let step = host.hasStore ? ClockStep(from: now, to: time) : nil
    now = ServiceTime(at: max(time.at, now.at), utc: time.utc)
    if let step { follow(step) }
    if !geoClue.accounts.isEmpty { shareEnergy(before: input) }
    switch input {
    case .began(let adopted): serve(adopted: adopted)
    case .client(let event): client(event)
    case .manifest(let client, let reading, let id, let isUpdate):
      add(reading, client, id, isUpdate: isUpdate)
    case .process(let event): process(event)
    case .sink(let event): sink(event)
    case .gpsd(let event): heard(event)
    case .modem(let event): heard(event)
    case .geoClue(let event): heard(event)
    case .machine(let event): heard(event)
    case .radio(let event): heard(event)
    case .settings(let reading, let client, let id): take(reading, for: client, id)
    case .refused(let kind, let count): lost(kind, count)
    case .timePassed: break
    case .stop: beginToStop()
    }
    wakeUp()
    followMode()
    if geoClue.hasFollowers { tellFollowers() }
    expire()
  }

  /// Takes a fix of a simulated receiver: like `radio(.fix)`, whose wrapping would be expensive in a replay. `frame` is
  /// the one around it.
  package mutating func handle(_ fix: Fix, around frame: LocalFrame, at time: ServiceTime) {
    now = ServiceTime(at: max(time.at, now.at), utc: time.utc)
    isTelling = true
    let first = decisions.count
    engine.take(fix, around: frame, at: engineTime, into: &decisions)
    performDecisions(from: first)
    tellTheRest()
    wakeUp()
  }

  /// Closes the batch: the rows to write now, and their consequences; `nil` if there are none.
  package mutating func decide() -> Decision? {
    guard host.hasStore else {
      return intents.isEmpty ? nil : Decision(takeIntents())
    }
    let change = takeChange()
    guard change != nil || !intents.isEmpty else { return nil }
    return Decision(change, takeIntents())
  }

  private mutating func takeIntents() -> [Intent] {
    defer { intents = [] }
    return intents
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
    if !announcing.isEmpty { announcing.removeAll(keepingCapacity: true) }
    if let change = decision.change { take(outcome, of: change, into: &effects) }
    var decided = decision.takeIntents()
    for intent in decided { resolve(intent, into: &effects) }
    // Its memory is reused for the next ones.
    guard intents.isEmpty else { return }
    decided.empty()
    intents = decided
  }

  /// Whether it has been stopped, and may be left.
  package var isOver: Bool {
    guard case .stopping(let until) = phase else { return false }
    return until <= now.at || leaving.isEmpty && !apps.contains { $0.hasOwnProcess || $0.isPassing }
  }

  /// The last change: the engine's state, whatever it costs.
  package mutating func lastChange() -> StoreChange? {
    guard host.hasStore else { return nil }
    addCheckpoint()
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

  // MARK: Engine

  /// Gives the engine one input, and performs its commands.
  mutating func tell(_ input: EngineInput) {
    guard !isTelling else { return waiting.append(input) }
    isTelling = true
    decide(input)
    tellTheRest()
  }

  /// Gives the engine the consequences of its commands, until there are no more.
  private mutating func tellTheRest() {
    var next = 0
    while next < waiting.count {
      decide(waiting[next])
      next += 1
    }
    waiting.empty()
    isTelling = false
    meter.keepAwake(byCode: engine.runsCode, bySession: engine.isInSession, at: now.at)
  }

  /// Until the running processes are known, no time passes for the engine: overdue work might launch an app that runs.
  private var engineTime: EngineInstant { phase == .beginning ? .zero : now.at }

  private mutating func decide(_ input: EngineInput) {
    let first = decisions.count
    engine.handle(input, at: engineTime, into: &decisions)
    performDecisions(from: first)
  }

  private mutating func performDecisions(from first: Int) {
    for index in first..<decisions.count { perform(decisions[index]) }
    if !keepsDecisions, first == 0 { forgetDecisions() }
  }

  /// Continues the engine under the settings' rules and policy, and the present knowledge of cells.
  mutating func reconfigureEngine() {
    let policy = settings.wantsModem && cells.isTold ? settings.policyWithCells : settings.policy
    let first = decisions.count
    var rules = settings.rules
    rules.lateness = lateness
    engine.reconfigure(rules: rules, policy: policy, at: engineTime, into: &decisions)
    performDecisions(from: first)
  }

  /// Makes the engine forget the device's places.
  mutating func forgetInEngine(_ places: ForgottenPlaces) {
    let first = decisions.count
    engine.forget(places, at: engineTime, into: &decisions)
    performDecisions(from: first)
  }

  // MARK: The store

  /// Makes the engine's state, and all else that only matters as a whole, part of the next change: soon, or with
  /// this very batch.
  mutating func needsCheckpoint(now isUrgent: Bool = false) {
    checkpoint.need(isUrgent)
  }

  /// Adds rows to write, if there is a store to write them.
  mutating func write(_ body: (inout StoreChange) -> Void) {
    if host.hasStore { body(&change) }
  }

  private mutating func addCheckpoint() {
    checkpoint.begin(at: now.at)
    change.engine = engine.snapshot
    change.moment = clock.moment(boot: host.boot, at: now)
    var energy = facts.energyBefore
    for row in meter.report(at: now.at).components {
      energy[row.component, default: 0] += row.energy.nominal
    }
    change.energy = energy
  }

  private mutating func takeChange() -> StoreChange? {
    if checkpoint.isDue(at: now.at) { addCheckpoint() }
    guard mayHaveRows else { return nil }
    defer { (change, mayHaveRows) = (StoreChange(), false) }
    guard !change.isEmpty else { return nil }
    change.history = history.take()
    guard var whole = unwritten else { return change }
    whole.append(change)
    unwritten = nil
    return whole
  }

  private mutating func take(
    _ outcome: CommitOutcome, of change: StoreChange, into effects: inout [ServiceEffect]
  ) {
    switch outcome {
    case .written(let seconds):
      checkpoint.took(seconds, hadSnapshot: change.engine != nil, at: now.at)
      guard facts.storeTrouble != nil else { return }
      facts.storeTrouble = nil
      effects.append(.log(.notice, "the store can be written again"))
      effects += unforgotten.map { .forget($0) }
      unforgotten = []
    case .failed(let words):
      let left = change.carriedOver { app, number in
        self.apps.holds(number, for: app)
      }
      unwritten = left.isEmpty ? nil : left
      if facts.storeTrouble != words {
        effects.append(.log(.error, "not stored, tracking goes on: \(words)"))
      }
      facts.storeTrouble = words
    case .noStore: break
    }
  }

  /// A keeper remembers its app's ending until the store has it.
  mutating func forget(_ name: String, into effects: inout [ServiceEffect]) {
    if unwritten == nil {
      effects.append(.forget(name))
    } else if !unforgotten.contains(name) {
      unforgotten.append(name)
    }
  }

  /// Rows that could not be written yet.
  var carriedChange: StoreChange { unwritten ?? StoreChange() }

  /// Rows of a log not yet in the store.
  func unwrittenLog(of id: AppID?) -> [LogRow] {
    unwritten?.log.filter { $0.app == id } ?? []
  }
}
