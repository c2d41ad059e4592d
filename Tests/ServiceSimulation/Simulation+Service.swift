// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import LocationEngine
import LocationModel
import RadioPower
import ServiceContract
import ServiceCore

// The shell: brings inputs, commits, performs effects; and is killed.

extension Simulation {
  static func settings(_ plan: SimulationPlan, _ chance: inout Chance) -> ServiceSettings {
    var rules = EngineRules()
    rules.era = chance.pick([.ios4, .ios7, .ios13, .today])
    rules.lifecycle.purgesAfter = chance.pick([600, 600, 60, 7_200])
    rules.lifecycle.wakeBudget = chance.pick([10, 10, 3, 30])
    let hasModem = chance.happens(0.4)
    let plain = SignificantPolicy.milepost(senses: [], hotStart: 11, timeout: 60)
    let cells = SignificantPolicy.milepost(senses: .cells, hotStart: 11, timeout: 60)
    var settings = ServiceSettings(
      release: "1.0.0", rules: rules, policy: plain, policyWithCells: hasModem ? cells : nil,
      device: plan.device, network: plan.network)
    settings.receiverHold = chance.pick([0, 60])
    settings.wantsModem = hasModem
    settings.newApps = chance.pick([.notDetermined, .always])
    settings.crashLimit = chance.pick([5, 5, 2, 20])
    settings.outboxLimit = chance.pick([10_000, 10_000, 100, 3, 1])
    settings.retriesFor = chance.pick([7 * 86_400, 7 * 86_400, 3_600, 60, 0])
    return settings
  }

  static func host(_ boot: String) -> ServiceHost {
    ServiceHost(
      pid: 1, boot: boot, socketPath: "/run/milepost.sock", storePath: "/var/milepost.sqlite",
      hasStore: true, freezer: "cgroup2")
  }

  // MARK: Time

  var utc: UTCInstant { UTCInstant(microseconds: now + utcOffset) }

  var time: ServiceTime {
    ServiceTime(at: clock.instant(atBootClock: now - bootedAt), utc: utc)
  }

  /// The time of the service's next deadline, on the world's axis.
  var alarm: Int64? {
    service.nextDeadline.map { max(now, clock.bootClock(at: $0) + bootedAt) }
  }

  // MARK: Inputs

  /// Sends an input to the service.
  mutating func tell(_ input: ServiceInput, in seconds: Double = 0.001) {
    guard isUp else { return }
    add(.input(input, service: generation), in: seconds)
  }

  mutating func give(_ input: ServiceInput) {
    guard violation == nil else { return }
    say("-> \(input)")
    note(input)
    service.handle(input, at: time)
  }

  // MARK: Decisions

  /// Lets the service decide until there is nothing left.
  mutating func settle() {
    var rounds = 0
    while violation == nil, isUp, let decision = service.decide() {
      steps += 1
      rounds += 1
      guard rounds < 1_000 else { return fail(.livelock, "1,000 rounds of one batch") }
      for command in service.decisions.takeDecisions() { decided(command) }
      checkWritten(decision.change)
      if violation != nil { return }
      if let wrong = ledger.take(decision.change) { return fail(wrong.0, wrong.1) }
      var outcome = LocationService.CommitOutcome.written(seconds: 0)
      if let change = decision.change {
        guard let answer = commit(change) else { return }
        outcome = answer
      }
      let effects = service.effects(of: decision, after: outcome)
      for command in service.decisions.takeDecisions() { decided(command) }
      for effect in effects {
        if faults.strike(.kill) { return kill("between two effects") }
        perform(effect)
        if violation != nil { return }
      }
    }
    if isUp, violation == nil {
      check()
      if service.isOver { stopped() }
    }
  }

  /// The store's answer; `nil` if the service was killed meanwhile.
  private mutating func commit(_ change: StoreChange) -> LocationService.CommitOutcome? {
    if faults.strike(.killBeforeCommit) {
      kill("before a commit")
      return nil
    }
    if let storeTrouble {
      hasFailed = true
      unwrittenForgotten.formUnion(change.forgotten)
      return .failed(storeTrouble)
    }
    say("commit \(Self.words(change))")
    store.apply(change)
    if change.engine != nil { counted = ledger.accounts.mapValues(\.last) }
    hasFailed = false
    unwrittenForgotten = []
    if faults.strike(.killAfterCommit) {
      kill("after a commit")
      return nil
    }
    compareWithStore()
    return .written(seconds: 0.0004)
  }

  static func words(_ change: StoreChange) -> String {
    var words: [String] = []
    for app in change.addedApps { words.append("+\(app.name)") }
    for app in change.removedApps { words.append("-app \(app.number)") }
    for row in change.deliveries { words.append("\(row.app.number):\(row.delivery.sequence)") }
    for row in change.acknowledged { words.append("ack \(row.app.number):\(row.number)") }
    for row in change.failures {
      words.append("failed \(row.app.number):\(row.number) \(row.count)")
    }
    for row in change.forgotten { words.append("forgotten \(row.app.number):\(row.number)") }
    for row in change.dropped { words.append("dropped \(row.app.number):\(row.number)") }
    for row in change.runs { words.append("run \(row.app.number):\(row.number)") }
    for row in change.dead {
      words.append("dead \(row.pending.app.number):\(row.pending.delivery.sequence)")
    }
    for row in change.revived { words.append("revived \(row.app.number):\(row.number)") }
    if change.engine != nil { words.append("engine") }
    return words.joined(separator: ", ")
  }

  // MARK: Begin and end

  /// Starts a service with the stored state and the keepers' processes.
  mutating func startService() {
    guard !isUp, violation == nil else { return }
    let stored = store.load()
    generation += 1
    isUp = true
    unwrittenForgotten = []
    let boot = String(boots)
    clock = EngineClock(
      continuing: stored.moment, boot: boot, bootClock: now - bootedAt, utc: utc)
    say("service \(generation) begins")
    ledger = carryCount(Ledger(stored, counted: counted))
    voidRuns()
    var beginning = ServiceBeginning(
      settings: settings, host: Self.host(boot), clock: clock, stored: stored,
      storeTrouble: storeTrouble)
    beginning.listeners = [.init(port: listenerPort, service: .significant, distanceFilter: nil)]
    service = LocationService(beginning, at: time)
    service.decisions.areKept = true
    gpsd.wasToldToWatch = nil
    watch = [:]
    busySinks = [:]
    hasFailed = storeTrouble != nil
    let adopted = adopt()
    settle()
    guard isUp, violation == nil else { return }
    give(.began(adopted: adopted))
    settle()
    guard isUp else { return }
    for pid in waitingForService { add(.process(pid, .connect), in: chance.between(0.05, 3)) }
    waitingForService = []
  }

  /// A delivery that no store ever held was lost with the service that could not write it: its number is given again,
  /// to another one.
  private mutating func voidRuns() {
    func isStored(_ run: DeliveryKey) -> Bool {
      guard let row = store.app(run.app) else { return false }
      return row.acknowledged >= run.number || store.holds(run)
    }
    goodRuns = goodRuns.filter(isStored)
    for (pid, process) in processes {
      guard let app = process.app, let run = process.run else { continue }
      if !isStored(DeliveryKey(app, run)) { processes[pid]?.run = 0 }
    }
  }

  private func carryCount(_ new: Ledger) -> Ledger {
    var new = new
    new.deliveries = ledger.deliveries
    new.limit = settings.outboxLimit
    return new
  }

  mutating func kill(_ when: String) {
    guard isUp else { return }
    say("service \(generation) is killed \(when)")
    goneDown()
    add(.restart, in: faults.isOver ? 1 : chance.logBetween(0.1, 2_000))
  }

  private mutating func stopped() {
    if let change = service.lastChange() {
      if storeTrouble == nil { store.apply(change) }
    }
    say("service \(generation) has stopped")
    for name in kept.keys.sorted() {
      guard let pid = kept[name], let process = processes[pid], process.hasBegun,
        !process.isEnding
      else { continue }
      // Its own grace may not be over; the keeper handles that.
      fail(.leaked, "\(name) (process \(pid)) runs on after the service has stopped in order")
    }
    goneDown()
    add(.restart, in: chance.logBetween(0.5, 2_000))
  }

  private mutating func goneDown() {
    isUp = false
    downSince = now
    gpsd.stops()
    modem.stops()
    for client in connections.keys.sorted(by: { $0.number < $1.number }) { cut(client) }
    connections = [:]
    closing = [:]
    askedAt = [:]
    for name in kept.keys.sorted() { keeperLosesService(name) }
  }
}
