// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import LocationEngine
import LocationModel
import ServiceContract
import ServiceCore

// The conditions after every step.

extension Simulation {
  /// The state of an app that is remembered between steps; forgotten with the service.
  struct Watch: Sendable {
    /// The start and subject of a disagreement between engine and process.
    var disagreesSince: Int64?
    var disagreement: (Violation.Rule, String)?
    /// Transitions from not running that no start has answered: one, or two of one batch.
    var launches = 0
    /// The end of its budget, if nothing else keeps it running.
    var runsUntil: Int64?
  }

  /// The tolerated disagreement of engine and process: a slow keeper, 5 s to say goodbye, 2 s of grace.
  private static let patience: Int64 = 20_000_000

  // MARK: Inputs and decisions

  /// The client that may be answered now.
  var asking: ClientID? { lastAsking }

  mutating func note(_ input: ServiceInput) {
    lastAsking = nil
    switch input {
    case .client(.message(let client, let message, _)):
      lastAsking = client
      guard case .app(.acknowledge(let number)) = message,
        let connection = connections[client] ?? closing[client],
        let app = connection.app
      else { return }
      ledger.acknowledged(app, upTo: number, sent: connection.everSent)
    case .client(.disconnected(let client)): closing[client] = nil
    case .client(.writable(let client)): connections[client]?.isFull = false
    case .sink(let event): note(event)
    case .process(.ended(let name, let ending)):
      guard ending == .exited(status: 0) else { return }
      // The note may be forgotten meanwhile, for the run before it: then the stored run is what the service knows.
      if let run = notes[name]?.run { ledger.finished(run.app, run.number) }
      // A service that could not write which run it was takes it for the one that is stored.
      guard let id = service.appID(of: name), let stored = store.app(id)?.run else { return }
      ledger.finished(id, stored)
    default: break
    }
  }

  mutating func decided(_ command: EngineCommand) {
    ledger.decided(command)
    switch command {
    case .transition(let id, let transition):
      guard let name = name(of: id) else { return }
      say(
        "   \(name): \(transition.from.rawValue) → \(transition.to.rawValue) (\(transition.reason))"
      )
      if transition.from == .notRunning {
        let launches = watch[name]?.launches ?? 0
        watch[name, default: Watch()].launches = min(launches + 1, 2)
      }
      if transition.to == .notRunning {
        // Unacknowledged deliveries are sent again, perhaps over the same connection.
        for (client, connection) in connections where connection.app == id {
          connections[client]?.sent = 0
        }
      }
      timed(name, transition)
    case .deliver(let id, let delivery), .place(let id, .event(let delivery)):
      guard let name = name(of: id), delivery.service == .significant else { return }
      extendWake(of: name)
    case .motion(let id): if let name = name(of: id) { extendWake(of: name) }
    default: break
    }
  }

  private mutating func extendWake(of name: String) {
    guard let until = watch[name]?.runsUntil else { return }
    let ends = now + Int64(settings.rules.lifecycle.wakeBudget * 1e6)
    watch[name]?.runsUntil = max(ends, until)
  }

  private mutating func timed(_ name: String, _ transition: LifecycleTransition) {
    guard transition.to == .background else {
      watch[name, default: Watch()].runsUntil = nil
      return
    }
    let lifecycle = settings.rules.lifecycle
    let seconds = max(lifecycle.wakeBudget, lifecycle.suspendsAfter)
    watch[name, default: Watch()].runsUntil = now + Int64(seconds * 1e6)
  }

  // MARK: Starts

  mutating func checkStart(_ name: String, _ id: AppID, _ run: UInt64?) {
    guard let run else {
      guard let launches = watch[name]?.launches, launches > 0 else {
        return fail(.withoutReason, "\(name) is started and nothing has launched it")
      }
      watch[name]?.launches = launches - 1
      return
    }
    if goodRuns.contains(DeliveryKey(id, run)) {
      return fail(.ranAgain, "\(name) runs again for \(run)")
    }
    checkStored(id, run)
    if !hasFailed, store.app(id)?.run != run {
      fail(.beforeCommit, "\(name) runs for \(run), which is not stored")
    }
  }

  // MARK: After each step

  /// Checks, before time goes on, that nothing is overdue.
  mutating func watchOverdue() {
    guard isUp else { return }
    // Everything due while the host slept comes at its end.
    let isAwake = now - 60_000_000 > sleepsUntil || sleepsUntil == 0
    guard isAwake else {
      for name in watch.keys { watch[name]?.disagreesSince = nil }
      return
    }
    for (name, entry) in watch {
      guard let since = entry.disagreesSince, let what = entry.disagreement else { continue }
      if now - since > Self.patience { fail(what.0, "\(name): \(what.1) for 20 s") }
    }
  }

  mutating func check() {
    var found: [AppInspection] = []
    service.inspect { found.append($0) }
    guard found.count == ledger.accounts.count else {
      return fail(.forgotten, "\(found.count) apps of \(ledger.accounts.count) are there")
    }
    for app in found {
      checkOutbox(app)
      checkProcess(app)
      checkWaiting(app)
      checkHearing(app)
      checkBudget(app)
    }
    for name in watch.keys where service.appID(of: name) == nil {
      guard kept[name] != nil else {
        watch[name] = nil
        continue
      }
      disagree(name, .leaked, "a process runs on though its app was removed")
    }
    if service.phase == .serving {
      if gpsd.wasToldToWatch != service.engine.plan.isOn {
        fail(
          .receiver,
          "gpsd was told \(String(describing: gpsd.wasToldToWatch)), \(service.engine.plan)")
      }
      for connection in connections where !connection.value.awaited.isEmpty {
        checkAnswers(connection.key, connection.value)
      }
    }
    checkSizes(found)
  }

  private mutating func checkAnswers(_ client: ClientID, _ connection: SimulatedConnection) {
    // The request itself may still be under way: 2 ms and a sleep of the host.
    guard connection.requests > 0, now > sleepsUntil + 1_000_000 else { return }
    guard let since = askedAt[client] else {
      askedAt[client] = now
      return
    }
    if now - since > 2_000_000, connections[client]?.awaited == connection.awaited {
      fail(.answers, "client \(client.number) has no answer to \(connection.awaited)")
    }
  }

  private mutating func checkOutbox(_ app: AppInspection) {
    guard let account = ledger.accounts[app.id.number] else {
      return fail(.forgotten, "\(app.name) is not known")
    }
    guard
      app.pending == account.pending.count, app.first == account.pending.first,
      app.last == account.pending.last
    else {
      return fail(
        .lostEvent,
        "\(app.name) has \(app.pending) waiting (\(app.first ?? 0)…\(app.last ?? 0)), and should have "
          + "\(account.pending)")
    }
    guard app.acknowledged == account.acknowledged else {
      return fail(
        .lostEvent,
        "\(app.name) is taken to have \(app.acknowledged), and has \(account.acknowledged)")
    }
    if app.dead != account.dead.count {
      fail(
        .lostEvent, "\(app.name) has \(app.dead) given up, and should have \(account.dead.count)")
    }
  }

  /// Checks after a commit that the store equals the ledger.
  mutating func compareWithStore() {
    for (number, account) in ledger.accounts {
      let id = AppID(number)
      guard let row = store.app(id) else {
        return fail(.forgotten, "app \(number) is not stored")
      }
      let pending = store.pending(of: id)
      guard pending.count == account.pending.count,
        pending.first?.delivery.sequence == account.pending.first,
        pending.last?.delivery.sequence == account.pending.last
      else {
        return fail(
          .lostEvent,
          "app \(number): stored are \(pending.map(\.delivery.sequence)), and should be "
            + "\(account.pending)")
      }
      guard row.acknowledged == account.acknowledged else {
        return fail(
          .lostEvent,
          "app \(number): stored is \(row.acknowledged), acknowledged \(account.acknowledged)")
      }
      if store.dead(of: id).count != account.dead.count {
        fail(.lostEvent, "app \(number): the store has other events that were given up")
      }
    }
  }

  // MARK: Processes

  private mutating func checkProcess(_ app: AppInspection) {
    let process = kept[app.name].flatMap { processes[$0] }
    let state = service.engine.state(of: app.id) ?? .notRunning
    switch disagreement(app, state, process) {
    case nil: watch[app.name]?.disagreesSince = nil
    case let (rule, text)?: disagree(app.name, rule, text)
    }
  }

  private func disagreement(
    _ app: AppInspection, _ state: AppState, _ process: SimulatedProcess?
  ) -> (Violation.Rule, String)? {
    if app.isHandler {
      switch app.stage {
      case .running, .starting:
        return process == nil ? (.missing, "its run has no process") : nil
      case .ending: return nil
      default:
        return process != nil ? (.leaked, "a process runs without a run") : nil
      }
    }
    if app.isSink { return process == nil ? nil : (.leaked, "a sink has a process") }
    guard let process else {
      if state == .notRunning || app.stage == .foreign { return nil }
      return (.missing, "it is \(state.rawValue) and has no process")
    }
    if state == .notRunning { return (.leaked, "it is not running and process \(process.pid) is") }
    guard process.hasBegun, !process.isEnding else { return nil }
    if state == .suspended, !process.isFrozen {
      return (.suspendedCode, "it is suspended and runs")
    }
    if state.runsCode, process.isFrozen { return (.missing, "it is \(state.rawValue) and frozen") }
    return nil
  }

  private mutating func disagree(_ name: String, _ rule: Violation.Rule, _ text: String) {
    watch[name, default: Watch()].disagreement = (rule, text)
    if watch[name]?.disagreesSince == nil { watch[name]?.disagreesSince = now }
  }

  // MARK: Waiting, budgets, sizes

  private mutating func checkWaiting(_ app: AppInspection) {
    guard service.phase == .serving, app.authorization.allowsLocation else { return }
    if case .waiting(let until) = app.stage {
      if until < service.now.at { fail(.idle, "\(app.name) waits for what has passed") }
      // A sink's pauses grow to half an hour, and a fifth more.
      let longest = app.isSink ? 2160.0 : 600
      if EngineInstant.seconds(from: time.at, to: until) > longest {
        fail(.idle, "\(app.name) waits for more than \(Int(longest)) s")
      }
    }
    if app.isHandler {
      guard app.pending > 0, app.stage == .idle || app.stage == .announced else { return }
      if service.isLeaving(app.name) { return }
      return fail(.idle, "\(app.name) has \(app.pending) waiting and does not run")
    }
    if app.isSink {
      guard app.pending > 0, app.stage == .idle else { return }
      return fail(.idle, "\(app.name) has \(app.pending) waiting and passes nothing on")
    }
    guard app.hasUnsent, let client = app.client, let connection = connections[client],
      service.engine.state(of: app.id)?.runsCode == true, !connection.isFull
    else { return }
    fail(.idle, "\(app.name) runs, and \(app.pending) wait that could be sent")
  }

  private mutating func checkHearing(_ app: AppInspection) {
    guard service.phase == .serving, app.asksContinuously, app.authorization.allowsLocation,
      service.engine.state(of: app.id) == .suspended
    else { return }
    fail(.silent, "\(app.name) is suspended, and nobody opens it")
  }

  private mutating func checkBudget(_ app: AppInspection) {
    guard !app.isHandler, let until = watch[app.name]?.runsUntil,
      service.engine.state(of: app.id) == .background
    else { return }
    if service.engine.services(of: app.id).contains(.continuous) {
      // Held: its budget begins when the hold ends.
      return extendWake(of: app.name)
    }
    // A second wake gives it the same time again.
    let longest = Int64((settings.rules.lifecycle.wakeBudget + 600) * 1e6)
    if now > until + longest, now - sleepsUntil > longest {
      fail(.budget, "\(app.name) is in the background for longer than it may")
    }
  }

  private mutating func checkSizes(_ apps: [AppInspection]) {
    let sizes = service.sizes
    if sizes.clients > connections.count + closing.count {
      fail(.unbounded, "\(sizes.clients) clients are known, \(connections.count) are there")
    }
    if sizes.leaving > kept.count + notes.count + 4 {
      fail(.unbounded, "\(sizes.leaving) processes of removed apps are waited for")
    }
    // A sink that waits for nothing may have a heartbeat before it.
    let waiting = apps.count { if case .waiting = $0.stage { true } else { $0.isSink } }
    if sizes.deadlines > waiting {
      fail(.unbounded, "\(sizes.deadlines) deadlines, \(waiting) apps wait")
    }
    let pending = apps.reduce(0) { $0 + $1.pending }
    if sizes.carriedDeliveries > pending {
      fail(.unbounded, "\(sizes.carriedDeliveries) deliveries are carried over, \(pending) wait")
    }
    let dead = apps.reduce(0) { $0 + $1.dead }
    if sizes.carriedDead > dead {
      fail(
        .unbounded, "\(sizes.carriedDead) that were given up are carried over, \(dead) are there")
    }
    if sizes.carriedLog > (apps.count + 1) * StoreChange.logLimit {
      fail(.unbounded, "\(sizes.carriedLog) rows of logs are carried over")
    }
    for app in apps where app.pending > max(ledger.limit, ledger.restored) {
      fail(.unbounded, "\(app.name) has \(app.pending) waiting")
    }
  }
}
