// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import LocationEngine
import LocationModel
import RadioPower
import ServiceContract

// Theory
// ======
//
// An app's life is the engine's business; its process follows, and what happens to the process is the engine's next
// input. Three tables by what runs:
//
//   connected apps   one process for a life (AppProcess.swift)
//   handlers         one run for a delivery (HandlerRun.swift)
//   removed apps     processes that are still being ended: their names are not free yet
//
//   engine ── transition ──► start, freeze, thaw, end ──► the keeper ── started, frozen, ended ──► the engine
//
// - An order is given only after the commit, and asks then again whether it still holds.
// - What the service cannot start (a full disk) is tried again after 1, 2, 4 … 60 s, and is nobody's crash.
// - A launch that nothing may start (a pause, a stop) is neither logged nor metered, and the engine is told at once.
// - It knows no delivery: a handler's run has a number.

/// What runs of one app.
struct ProcessState: Sendable, Equatable {
  enum Run: Sendable, Equatable {
    case connected(AppProcess)
    case handler(HandlerRun)
  }

  fileprivate(set) var run: Run
  /// The cause of its last launch.
  fileprivate(set) var launch = LaunchCause.user
  /// Whether the present process has been told into which state it was launched.
  fileprivate(set) var knowsItsLaunch = false
  /// Whether the engine counts it as launched although nothing may start it; the engine is told at once.
  fileprivate var isHeldBack = false
  fileprivate(set) var crashes = CrashRecord()
  /// The number of times in a row that the service could not start it.
  fileprivate var preventions = 0
  /// The reason why its program cannot be run, from the last attempt; `nil` if unknown.
  fileprivate(set) var trouble: String?

  fileprivate init(isHandler: Bool) {
    run = isHandler ? .handler(.idle) : .connected(.none)
  }

  /// The process of a connected app; a handler has none of this kind.
  fileprivate(set) var process: AppProcess {
    get {
      if case .connected(let process) = run { process } else { .none }
    }
    set {
      if case .connected = run { run = .connected(newValue) }
    }
  }

  var handler: HandlerRun? {
    if case .handler(let run) = run { run } else { nil }
  }

  var hasProcess: Bool {
    switch run {
    case .connected(let process): process.isThere
    case .handler(let run): run.hasProcess
    }
  }

  /// Whether there is a process that we started, or have requested.
  var hasOwnProcess: Bool { hasProcess && !process.isForeign }

  var pid: Int32? {
    switch run {
    case .connected(let process): process.pid
    case .handler(.running(_, let pid)): pid
    case .handler: nil
    }
  }

  var isHeld: Bool { process == .held }

  /// The next change by time alone.
  fileprivate var nextDeadline: EngineInstant? {
    switch run {
    case .connected(.pausing(let instant, _)), .handler(.waiting(let instant)): instant
    case .connected, .handler: nil
    }
  }
}

/// The processes of all apps.
struct Processes: Sendable {
  private var rows = AppTable<ProcessState>()
  /// Names of removed apps whose processes are still being ended; bounded by the number of processes.
  private var leaving: Set<String> = []
  /// Handlers whose run is announced in the next decision's writes.
  private var announcing: Set<AppID> = []
  private(set) var deadlines = DeadlineTable()

  /// Seconds between SIGTERM and SIGKILL [ours].
  static let grace = 2.0

  subscript(id: AppID) -> ProcessState? { rows[id] }

  func hasProcess(_ id: AppID) -> Bool { rows.withRow(of: id) { $0.hasProcess } == true }
  func hasOwnProcess(_ id: AppID) -> Bool { rows.withRow(of: id) { $0.hasOwnProcess } == true }
  func isHeldBack(_ id: AppID) -> Bool { rows.withRow(of: id) { $0.isHeldBack } == true }
  func isLeaving(_ name: String) -> Bool { leaving.contains(name) }
  var leavingCount: Int { leaving.count }
  /// Whether a process of ours is there, or about to be.
  var isBusy: Bool { !leaving.isEmpty || rows.all.contains { $0.hasOwnProcess } }

  // MARK: Apps

  mutating func openApp(_ id: AppID, _ kind: AppManifest.Kind) {
    guard kind != .sink else { return }
    rows[id] = ProcessState(isHandler: kind == .handler)
  }

  mutating func restore(_ stored: StoredApp) {
    rows.change(stored.id) { row in
      if let crashes = stored.crashes {
        row.crashes = CrashRecord(crashes.times)
        if crashes.isHeld { row.process = .held }
      }
      if row.handler != nil, let run = stored.run, run > stored.acknowledged {
        row.run = .handler(.announced(run))
      }
    }
  }

  /// Its app is removed: its process is ended, and keeps the name until then.
  mutating func endApp(_ id: AppID, _ name: String, _ step: inout Step) {
    guard hasOwnProcess(id) else { return }
    leaving.insert(name)
    step.intend(.effect(.end(name, grace: Self.grace)))
  }

  mutating func closeApp(_ id: AppID) {
    rows[id] = nil
    deadlines.set(nil, for: id)
  }

  // MARK: Changes for other rules about processes

  /// Changes what runs, and the table of deadlines with it.
  private mutating func change(_ id: AppID, _ body: (inout ProcessState) -> Void) {
    rows.change(id, body)
    deadlines.set(rows.withRow(of: id) { $0.nextDeadline } ?? nil, for: id)
  }

  mutating func set(_ process: AppProcess, of id: AppID) { change(id) { $0.process = process } }

  mutating func set(_ run: HandlerRun, of id: AppID) {
    change(id) { if $0.handler != nil { $0.run = .handler(run) } }
  }

  mutating func launched(_ id: AppID, for cause: LaunchCause) {
    rows.change(id) { $0.launch = cause }
  }

  /// Whether the present process knows into which state it was launched.
  mutating func set(knowsItsLaunch: Bool, of id: AppID) {
    rows.change(id) { $0.knowsItsLaunch = knowsItsLaunch }
  }

  mutating func set(trouble: String?, of id: AppID) { rows.change(id) { $0.trouble = trouble } }

  /// It was started: what prevented it is over.
  mutating func started(_ id: AppID, pid: Int32) {
    change(id) { row in
      row.preventions = 0
      row.trouble = nil
      switch row.run {
      case .connected(.starting): row.run = .connected(.running(pid: pid))
      case .connected(.ending): row.run = .connected(.ending(pid: pid))
      case .handler(.starting(let number)): row.run = .handler(.running(number, pid: pid))
      case .connected, .handler: break
      }
    }
  }

  /// Counts one more attempt that the service could not make; returns their number.
  mutating func prevented(_ id: AppID, _ reason: String) -> Int {
    rows.change(id) { row in
      row.preventions += 1
      row.trouble = reason
      return row.preventions
    } ?? 0
  }

  /// Counts a crash; returns the pause in seconds, `nil` if the app is held.
  mutating func crashed(_ id: AppID, limit: Int, at now: EngineInstant) -> Double? {
    let pause = rows.change(id) { row -> Double? in
      let pause = row.crashes.crashed(at: now, limit: limit)
      row.process =
        pause.map { .pausing(until: now.advanced(bySeconds: $0), for: .crash) } ?? .held
      return pause
    }
    change(id) { _ in }
    return pause ?? nil
  }

  func storeCrashes(of id: AppID, _ step: inout Step) {
    guard let row = rows[id] else { return }
    let crashes = StoredCrashes(times: row.crashes.crashes, isHeld: row.isHeld)
    step.ledger.addRows { $0.crashes.append(AppCrashes(id, crashes)) }
  }

  /// Removes all obstacles to a start.
  mutating func release(_ id: AppID, _ step: inout Step) {
    guard let row = rows[id] else { return }
    let hasCrashed = !row.crashes.crashes.isEmpty
    change(id) { row in
      row.crashes.release()
      switch row.run {
      case .connected(.held), .connected(.pausing): row.run = .connected(.none)
      case .handler(.waiting): row.run = .handler(.idle)
      case .connected, .handler: break
      }
    }
    if hasCrashed { storeCrashes(of: id, &step) }
  }

  /// The time of its pause has come.
  mutating func timeCame(of id: AppID) { deadlines.set(nil, for: id) }

  mutating func leaves(_ name: String) { leaving.insert(name) }
  mutating func left(_ name: String) { leaving.remove(name) }

  // MARK: Announced runs

  var isAnnouncing: Bool { !announcing.isEmpty }

  /// Another look at a handler in the same round comes before its start is stored.
  func isAnnouncing(_ id: AppID) -> Bool { announcing.contains(id) }

  mutating func announce(_ id: AppID) { announcing.insert(id) }

  /// What was announced is stored.
  mutating func committed() {
    if !announcing.isEmpty { announcing.removeAll(keepingCapacity: true) }
  }

  // MARK: Life

  /// The engine has changed an app's state: its process follows.
  mutating func receive(
    transition: LifecycleTransition, of id: AppID, _ engine: LocationEngine,
    _ meter: inout ServiceMeter, _ step: inout Step
  ) {
    step.ledger.needCheckpoint()
    guard let app = step.apps[id] else { return }
    if transition.from == .suspended, transition.to.runsCode {
      meter.record(.wake, at: step.now.at)
    }
    if transition.from == .notRunning {
      // A launch that does not happen is neither logged nor metered.
      let isStopping = step.phase.isStopping
      rows.change(id) { row in
        row.isHeldBack =
          app.isResident && !row.hasProcess && (isStopping || !row.mayStart(app))
      }
    }
    if !isHeldBack(id) {
      let words = transition.words()
      step.note(id, "transition", words)
      step.remember(.state, id, transition.to.rawValue, words)
    }
    if transition.from == .notRunning { step.want(.launchBegan(id)) }
    if transition.to == .notRunning { rows.change(id) { $0.isHeldBack = false } }
    if app.isResident { follow(transition: transition, of: id, engine, &step) }
  }

  private mutating func follow(
    transition: LifecycleTransition, of id: AppID, _ engine: LocationEngine,
    _ step: inout Step
  ) {
    switch (transition.from, transition.to) {
    case (.notRunning, _):
      if !hasProcess(id) { step.intend(.start(id)) }
      // A process that cannot be ended may have been there all the time.
      guard rows[id]?.process.isForeign == true else { break }
      tellState(transition.to, of: id, &step)
      step.intend(.flush(id))
    case (_, .notRunning): gone(id, transition.reason, &step)
    case _ where transition.announcesEnd:
      rows.change(id) { row in
        if case .running(let pid) = row.process { row.process = .leaving(pid: pid) }
      }
      let seconds = engine.rules.lifecycle.exitsAfter
      step.intend(.tell(id, .willTerminate(seconds: seconds)))
    case (_, .suspended): step.intend(.freeze(id))
    case (.suspended, _):
      step.intend(.thaw(id))
      tellState(transition.to, of: id, &step)
      step.want(.resumed(id))
      step.intend(.flush(id))
    case (_, .inactive), (_, .active), (_, .background): tellState(transition.to, of: id, &step)
    }
  }

  /// The states on the way of its launch are passed over: once it has connected, its welcome is followed by the last one.
  private func tellState(_ state: AppState, of id: AppID, _ step: inout Step) {
    if rows[id]?.knowsItsLaunch == true { step.intend(.tell(id, .state(state))) }
  }

  /// The engine counts the app as not running: its process follows.
  private mutating func gone(
    _ id: AppID, _ reason: LifecycleTransition.Reason, _ step: inout Step
  ) {
    rows.change(id) { $0.launch = .user }
    step.want(.rewind(id))
    step.want(.gone(id))
    switch reason {
    case .exited: break
    case .purged, .forceQuit, .replaced, .overran, .rebooted: step.intend(.kill(id))
    case .launched, .launchedByService, .resigned, .activated, .leftForeground, .enteredForeground,
      .exitsOnSuspend, .woken, .relaunched, .finished, .budgetUsedUp, .nothingHolds, .holdChanged,
      .terminated:
      step.intend(.end(id))
    }
  }
}

extension ProcessState {
  /// Whether the engine may count it as running: it has a process, or may have one now.
  fileprivate func mayStart(_ app: RegisteredApp) -> Bool {
    switch run {
    case .handler: true
    case .connected(.none): app.canStart
    case .connected(.pausing), .connected(.held): false
    case .connected(.starting), .connected(.running), .connected(.frozen), .connected(.leaving),
      .connected(.ending), .connected(.foreign):
      true
    }
  }
}
