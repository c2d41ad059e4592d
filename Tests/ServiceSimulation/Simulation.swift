// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import Geodesy
import LocationEngine
import LocationModel
import RadioPower
import ServiceContract
import ServiceCore

// Theory
// ======
//
// The service, its store, keepers, gpsd, apps and users in one value and in virtual time. A queue holds the future
// events; time jumps from one to the next. Everything that reaches the service goes through the queue, with the
// generation of the service that it is for: messages under way when the service is killed are lost, as the bytes in a
// socket are.
//
//      queue ──► world (keepers, gpsd, apps, users) ──► queue ──► service ──► store
//                        ▲                                           │
//                        └──────────── effects, one by one ◄─────────┘
//                                    a kill may come before each
//
// - Arrivals within 2 ms may be one batch, as in the daemon.
// - The world's axis is microseconds since the start of the run. The engine's axis belongs to the
//   service: `EngineClock` continues it over kills and reboots, as in the daemon.
// - If the host sleeps, everything due meanwhile happens at the end of the sleep, in order.
// - A quiet time follows the faults: the device moves, everything works, and at its end everything due is delivered.

/// The whole service in one value and in virtual time.
struct Simulation {
  let plan: SimulationPlan
  var chance: Chance
  var faults: Faults
  var queue = EventQueue()
  var walk: Walk
  /// Microseconds since the start.
  var now: Int64 = 0
  let chaosEnds: Int64
  let ends: Int64

  // The service and its store
  var service: LocationService
  var isUp = false
  /// Counts the services; inputs for an earlier one are lost.
  var generation = 0
  var clock: EngineClock
  var settings: ServiceSettings
  /// The centre of the zone that the user hides; `nil` if there is none.
  let hiddenCentre: Coordinate?
  /// The times of the receiver's positions within the zone.
  var timesWithin: Set<UTCInstant> = []
  var store = StoreModel()
  /// The reason why it accepts nothing; `nil` while it does.
  var storeTrouble: String?
  /// Whether its last answer was a failure.
  var hasFailed = false
  /// Deletions that the service decided and the store refused.
  var unwrittenForgotten: Set<DeliveryKey> = []
  /// The last number of each app in the engine that was stored last.
  var counted: [UInt32: UInt64] = [:]
  var bootedAt: Int64 = 0
  var boots = 1
  /// The host's UTC minus the world's.
  var utcOffset: Int64 = 1_700_000_000_000_000
  /// The end of the host's sleep.
  var sleepsUntil: Int64 = 0
  var downSince: Int64 = 0

  // The world
  var scripts: [AppScript]
  var processes: [Int32: SimulatedProcess] = [:]
  /// The process that a keeper holds for an app.
  var kept: [String: Int32] = [:]
  var notes: [String: KeeperNote] = [:]
  var lastPID: Int32 = 100
  var connections: [ClientID: SimulatedConnection] = [:]
  var lastClient: UInt64 = 0
  /// The processes that wait for a service to connect to.
  var waitingForService: [Int32] = []
  var gpsd = SimulatedGPSD()
  var modem = SimulatedModem()
  /// The batches under way, by the apps of their sinks.
  var busySinks: [AppID: SimulatedBatch] = [:]
  var batches = 0
  let listenerPort = 2_950

  // The expected state
  var ledger: Ledger
  /// Runs that ended well, as their keepers know.
  var goodRuns: Set<DeliveryKey> = []
  var watch: [String: Watch] = [:]
  var violation: Violation?
  /// The client whose message is handled now.
  var lastAsking: ClientID?
  var askedAt: [ClientID: Int64] = [:]
  /// Clients whose end the service has not heard of yet.
  var closing: [ClientID: SimulatedConnection] = [:]
  var steps = 0
  var stuck = 0
  /// Receives each step, if requested.
  var trace: ((String) -> Void)?

  init(_ plan: SimulationPlan) {
    self.plan = plan
    chance = Chance(seed: plan.seed, purpose: 1)
    faults = Faults(seed: plan.seed, allowed: plan.faults, muted: plan.muted)
    walk = Walk(seed: plan.seed)
    chaosEnds = Int64(plan.days * 86_400e6)
    ends = chaosEnds + Self.quietTime
    walk.restlessFrom = chaosEnds
    settings = Self.settings(plan, &chance)
    hiddenCentre = Self.hide(plan, &settings)
    scripts = AppScript.cast(&chance)
    clock = EngineClock(continuing: nil, boot: "1", bootClock: 0, utc: UTCInstant(microseconds: 0))
    ledger = Ledger(StoredState())
    service = LocationService(
      ServiceBeginning(settings: settings, host: Self.host("1"), clock: clock),
      at: ServiceTime(at: .zero, utc: UTCInstant(microseconds: utcOffset)))
  }

  /// Runs to the end, or to the first broken rule.
  mutating func run() -> SimulationResult {
    begin()
    while violation == nil, step() {}
    return SimulationResult(
      violation: violation, seconds: Double(now) / 1e6, injected: faults.injected, steps: steps,
      deliveries: ledger.deliveries)
  }

  private mutating func begin() {
    for kind in FaultKind.allCases {
      if let pause = faults.pause(before: kind) { add(.fault(kind), in: pause) }
    }
    queue.add(.quiet(0), at: chaosEnds)
    startService()
    register()
  }

  /// Handles the next event; `false` at the end.
  private mutating func step() -> Bool {
    let alarm = isUp ? alarm : nil
    guard let next = [queue.next, alarm].lazy.compactMap(\.self).min(), next <= ends else {
      return false
    }
    let time = max(now, next, sleepsUntil)
    stuck = time == now ? stuck + 1 : 0
    if stuck > 20_000 { fail(.livelock, "20,000 steps at one instant") }
    now = time
    watchOverdue()
    if let alarm, alarm <= next {
      give(.timePassed)
    } else if let (_, event) = queue.take() {
      happen(event)
    }
    if isUp, violation == nil, !isBatchOpen { settle() }
    return true
  }

  /// Whether more comes for the service within 2 ms, and joins the batch.
  private var isBatchOpen: Bool {
    mutating get {
      guard let next = queue.next, next <= now + 2_000 else { return false }
      switch queue.nextEvent {
      case .input, .sink: return chance.happens(0.3)
      default: return false
      }
    }
  }

  mutating func add(_ event: WorldEvent, in seconds: Double) {
    queue.add(event, at: now + Int64(seconds * 1e6))
  }

  mutating func fail(_ rule: Violation.Rule, _ text: String) {
    guard violation == nil else { return }
    violation = Violation(rule: rule, text: text, at: Double(now) / 1e6)
    trace?("VIOLATION \(rule.rawValue): \(text)")
  }

  func say(_ text: @autoclosure () -> String) {
    guard let trace else { return }
    trace("\(Double(now) / 1e6) s: \(text())")
  }

  private mutating func happen(_ event: WorldEvent) {
    switch event {
    case .input(let input, let generation):
      if isUp, generation == self.generation { give(input) }
    case .restart: startService()
    case .process(let pid, let step): process(pid, step)
    case .received(let client, let message): received(message, by: client)
    case .gpsd(let step, let watch): gpsd(step, watch)
    case .cell(let listening): cellChanges(listening)
    case .sink(let event, let app, let number):
      if isUp, busySinks[app]?.number == number { give(.sink(event)) }
    case .fault(let kind):
      if faults.struck(kind) { strike(kind) }
      if let pause = faults.pause(before: kind), !faults.isOver { add(.fault(kind), in: pause) }
    case .over(let kind, let number): isOver(kind, number)
    case .leave(let client): close(client)
    case .writable(let client): writable(client)
    case .visitor(let client, let step): visitor(client, step)
    case .stranger(let name): strangerComes(name)
    case .quiet(let stage): quiet(stage)
    }
  }
}
