// SPDX-License-Identifier: Apache-2.0

// Theory of operation
// ===================
//
// One app's life, without any location in it. Inputs are events, transitions are changes of state, and `nextDeadline`
// is the instant at which time alone will change something.
//
//                 launch                    enterBackground
//   not running ─────────► inactive ⇄ active ─────────────► background ──┐ grace 5 s, nothing holds,
//     ▲ ▲ ▲  │                          ▲   (exits on suspend:  ▲   ▲    │ work finished, tasks ended, or
//     │ │ │  │ relaunch (into the       │    ──► exiting 5 s)   │   │    │ the wake's budget is used up
//     │ │ │  └──────────────────────────┼──────────────────────-┘   │    ▼
//     │ │ │                             └── enterForeground ──┬── wake ─ suspended
//     │ │ └── exiting is over                                 │            │
//     │ └──── a task or a handler overran ────────────────────┤            │
//     ├────── purged after 600 s of suspension ───────────────┴────────────┤
//     └────── exited or rebooted, from any state that has a process ───────┘
//
// Rules
// - *Grace*: an app that enters the background, or loses its last hold there, runs on for
//   `suspendsAfter` (5 s) and is then suspended.
// - *Hold*: continuous location and playing audio (`Holds`) keep it in the background for as long as they
//   last.
// - *Wake*: gives a budget (10 s). The app may say that it has finished; then it is suspended at once, unless something
//   else holds it. A second wake for the same reason while the first one lasts restarts the budget; it does not add up.
// - *Handler*: a fetch, a keep-alive, a push and a location push call a handler that must return within 30 s. While it
//   runs the app is not suspended; a handler that does not return is an overrun, held or not.
// - *Task*: an app that runs code may begin tasks, each with its own identifier and its own end. In the foreground, and
//   while something holds the app, they last without limit; else all of them together have the era's budget, which
//   counts from when the app entered the background, was woken from suspension, or lost its last hold. 5 s before it is
//   used up the app is told (its expiration handlers); a task that has not ended by then is an overrun. From those 5 s
//   on no task can begin if none is under way: the app is told at once that it is over, and runs on for its other
//   holds.
// - *Overrun*: the app is killed without notice; in an era that only suspends it, its tasks are over and
//   it is suspended.
// - *Purge*: a suspended app is purged after `purgesAfter` (600 s), counted anew from every suspension.
//   It is not told: `willTerminate` is for running apps only. An app for which the system watches (its keep-alive
//   handler, its socket) is purged for memory only: it was promised to be called.
// - *Exits on suspend*: leaving the foreground calls `willTerminate`; the app has 5 s, then it ends. It is never in the
//   background: until its end it is inactive.
// - *Exit*: a process that ends by itself (a crash, its own exit) leaves the app not running at once, from any state,
//   also a frozen one that was killed from outside. An app that was told to end and does so before its 5 s are over has
//   been terminated, and says that.
// - A launch into the background does not pass through inactive and active.
// - Coming to the foreground ends all wakes and handlers: time is not counted there.
//
// An app that is told to end stays where it is for its 5 s: that is a transition from a state to the same state, since
// it is told.
//
// A simplification: `inactive` on the way in lasts no time here, so a launch by the user is two transitions at one
// instant. An input that makes no sense in a state (a wake of an active app, work finished by a suspended one, the end
// of a task that was never begun) changes nothing and produces no transition.

package import LocationModel

/// An app's state, its permitted work, and its deadline.
package struct AppLifecycle: Sendable, Hashable {
  package private(set) var timing: LifecycleTiming
  package private(set) var exitsOnSuspend: Bool
  /// Seconds that tasks have in the background, and the fate of an app whose tasks take longer.
  private var taskBudget: Double
  private var overrun: Era.Overrun
  /// Whether something watches for the suspended app, so that only a need of memory purges it.
  private var isWatchedFor = false
  var phase = Phase.notRunning { didSet { state = phase.state } }
  /// The state, as the rules name it: that of the phase, stored since it is asked for every fix.
  package private(set) var state = AppState.notRunning
  /// Tasks under way, in the order of their start; there are none without a process that runs code.
  private var tasks: [BackgroundTaskID] = []

  /// A phase, with only the data that it needs.
  enum Phase: Sendable, Hashable, Codable {
    /// There is no process.
    case notRunning
    /// The process is in the foreground and gets no events.
    case inactive
    /// The process is in the foreground.
    case active
    /// The process runs unseen.
    case background(BackgroundTime)
    /// The process is frozen since then.
    case suspended(since: EngineInstant)
    /// The process has been told that it will be terminated, and has until then. It stays in `state` meanwhile.
    case exiting(until: EngineInstant, in: AppState)

    var state: AppState {
      switch self {
      case .notRunning: .notRunning
      case .inactive: .inactive
      case .active: .active
      case .background: .background
      case .exiting(_, let state): state
      case .suspended: .suspended
      }
    }
  }

  package init(
    timing: LifecycleTiming = LifecycleTiming(), era: Era = .usual, exitsOnSuspend: Bool = false
  ) {
    self.timing = timing
    self.exitsOnSuspend = exitsOnSuspend
    taskBudget = era.taskBudget
    overrun = era.taskOverrun
  }

  /// Continues by other rules. Instants that are fixed (the end of a grace, of tasks, of a handler) stay.
  package mutating func follow(timing: LifecycleTiming, era: Era, exitsOnSuspend: Bool) {
    self.timing = timing
    self.exitsOnSuspend = exitsOnSuspend
    taskBudget = era.taskBudget
    overrun = era.taskOverrun
  }

  /// The instant at which time alone will change something; changes only in `handle` and `follow`.
  package var nextDeadline: EngineInstant? {
    switch phase {
    case .notRunning, .inactive, .active: nil
    case .background(let time): time.due(hasTasks: !tasks.isEmpty)?.at
    case .suspended(let since): isWatchedFor ? nil : since.advanced(bySeconds: timing.purgesAfter)
    case .exiting(let until, _): until
    }
  }

  /// Seconds for which the app will still run code (`backgroundTimeRemaining`); infinite in the foreground and while
  /// something holds it, 0 if it runs none.
  package func timeRemaining(at now: EngineInstant) -> Double {
    switch phase {
    case .notRunning, .suspended: 0
    case .inactive, .active: .infinity
    case .background(let time):
      max(
        0,
        time.ends(hasTasks: !tasks.isEmpty).map { EngineInstant.seconds(from: now, to: $0) }
          ?? .infinity)
    case .exiting(let until, _): max(0, EngineInstant.seconds(from: now, to: until))
    }
  }

  /// Seconds that expiring tasks have at most; 0 if the app is not in the background.
  package func timeForTasks(at now: EngineInstant) -> Double {
    guard case .background(let time) = phase else { return 0 }
    return max(0, EngineInstant.seconds(from: now, to: time.tasksEnd))
  }

  /// The latest end of an app that was told to end; `nil` if it was not.
  package var endsAt: EngineInstant? {
    if case .exiting(let until, _) = phase { until } else { nil }
  }

  /// Whether tasks are under way.
  package var hasTasks: Bool { !tasks.isEmpty }

  /// Whether a hold keeps the app in the background.
  package var isHeld: Bool {
    if case .background(let time) = phase { !time.holds.isEmpty } else { false }
  }

  /// The start of the suspension; `nil` if the app is not suspended.
  package var suspendedSince: EngineInstant? {
    if case .suspended(let since) = phase { since } else { nil }
  }

  /// Whether a handler for that reason is under way.
  package func isHandling(_ reason: WakeReason) -> Bool {
    if case .background(let time) = phase {
      time.works.contains { $0.reason == reason }
    } else {
      false
    }
  }

  /// Takes one input; appends the transitions that follow, in order. Returns the tasks that the app must end now, since
  /// their time is nearly over or was so when they began: usually none.
  @discardableResult
  package mutating func handle(
    _ input: LifecycleInput, at now: EngineInstant, into transitions: inout [LifecycleTransition]
  ) -> [BackgroundTaskID] {
    let before = state
    guard let next = self.next(after: input, at: now) else { return [] }
    phase = next.phase
    if let passing = next.through {
      transitions.append(.init(from: before, to: passing, reason: next.reason))
      transitions.append(.init(from: passing, to: state, reason: next.reason))
    } else if state != before || next.reason.isAnEnd {
      transitions.append(.init(from: before, to: state, reason: next.reason))
    }
    if !tasks.isEmpty { tasks = next.tasks(tasks, in: state) }
    return next.expiring
  }

  private struct Next {
    var phase: Phase
    var reason: LifecycleTransition.Reason
    /// A state passed on the way, for no time.
    var through: AppState?
    /// Tasks that are nearly over, or cannot begin.
    var expiring: [BackgroundTaskID] = []

    /// Tasks end with the process, and with the suspension that nothing but their overrun brings.
    func tasks(_ tasks: [BackgroundTaskID], in state: AppState) -> [BackgroundTaskID] {
      if case .exiting = phase { return [] }
      return state.runsCode ? tasks : []
    }
  }

  private mutating func next(after input: LifecycleInput, at now: EngineInstant) -> Next? {
    switch input {
    case .launched: launched(.launched)
    case .launchedByService: launched(.launchedByService)
    case .resignedActive: resigned()
    case .becameActive: activated()
    case .enteredBackground: leftForeground(at: now)
    case .enteredForeground: enteredForeground()
    case .woken(let reason): woken(reason, at: now)
    case .relaunched(let reason): relaunched(reason, at: now)
    case .finishedWork: finished(at: now) { !$0.mustReturn }
    case .returned(let reason): finished(at: now) { $0 == reason }
    case .beganTask(let id): began(id, at: now)
    case .endedTask(let id): ended(id, at: now)
    case .held(let holds): held(holds, at: now)
    case .watchedFor(let isWatchedFor): watchedFor(isWatchedFor)
    case .purged: purged()
    case .terminated: terminated(at: now)
    case .forceQuit: gone(.forceQuit)
    case .replaced: gone(.replaced)
    case .rebooted: gone(.rebooted)
    case .exited: exited()
    case .timePassed: timePassed(at: now)
    }
  }

  private func launched(_ reason: LifecycleTransition.Reason) -> Next? {
    guard phase == .notRunning else { return nil }
    return Next(phase: .active, reason: reason, through: .inactive)
  }

  private func resigned() -> Next? {
    phase == .active ? Next(phase: .inactive, reason: .resigned) : nil
  }

  private func activated() -> Next? {
    phase == .inactive ? Next(phase: .active, reason: .activated) : nil
  }

  private func leftForeground(at now: EngineInstant) -> Next? {
    guard phase == .active || phase == .inactive else { return nil }
    let passing: AppState? = phase == .active ? .inactive : nil
    if exitsOnSuspend {
      let until = now.advanced(bySeconds: timing.exitsAfter)
      return Next(
        phase: .exiting(until: until, in: .inactive), reason: .exitsOnSuspend, through: passing)
    }
    var time = BackgroundTime(tasksEnd: now.advanced(bySeconds: taskBudget))
    time.graceEnds = now.advanced(bySeconds: timing.suspendsAfter)
    return Next(phase: .background(time), reason: .leftForeground, through: passing)
  }

  private func enteredForeground() -> Next? {
    switch phase {
    case .background, .suspended:
      Next(phase: .active, reason: .enteredForeground, through: .inactive)
    case .notRunning, .inactive, .active, .exiting: nil
    }
  }

  private func woken(_ reason: WakeReason, at now: EngineInstant) -> Next? {
    let until = now.advanced(bySeconds: timing.budget(of: reason))
    switch phase {
    case .suspended:
      var time = BackgroundTime(tasksEnd: now.advanced(bySeconds: taskBudget))
      time.beginWake(reason, until: until)
      return Next(phase: .background(time), reason: .woken(reason))
    case .background(var time):
      time.beginWake(reason, until: until)
      return Next(phase: .background(time), reason: .woken(reason))
    case .notRunning, .inactive, .active, .exiting: return nil
    }
  }

  private func relaunched(_ reason: WakeReason, at now: EngineInstant) -> Next? {
    guard phase == .notRunning else { return nil }
    var time = BackgroundTime(tasksEnd: now.advanced(bySeconds: taskBudget))
    time.beginWake(reason, until: now.advanced(bySeconds: timing.budget(of: reason)))
    return Next(phase: .background(time), reason: .relaunched(reason))
  }

  private func finished(
    at now: EngineInstant, _ isOver: (WakeReason) -> Bool
  ) -> Next? {
    guard case .background(var time) = phase, time.works.contains(where: { isOver($0.reason) })
    else { return nil }
    time.works.removeAll { isOver($0.reason) }
    return rest(time, at: now)
  }

  private mutating func began(_ id: BackgroundTaskID, at now: EngineInstant) -> Next? {
    guard state.runsCode, endsAt == nil, !tasks.contains(id), tasks.count < Self.taskLimit else {
      return nil
    }
    if tasks.isEmpty, case .background(let time) = phase, !time.allowsTask(at: now) {
      return Next(phase: phase, reason: .finished, expiring: [id])
    }
    tasks.append(id)
    guard case .background(var time) = phase else { return Next(phase: phase, reason: .finished) }
    // It must hear of this end, too.
    time.hasWarned = false
    return Next(phase: .background(time), reason: .finished)
  }

  private mutating func ended(_ id: BackgroundTaskID, at now: EngineInstant) -> Next? {
    guard let place = tasks.firstIndex(of: id) else { return nil }
    tasks.remove(at: place)
    guard tasks.isEmpty, case .background(let time) = phase else {
      return Next(phase: phase, reason: .finished)
    }
    return rest(time, at: now)
  }

  /// Stays in the background for as long as anything keeps the app there.
  private func rest(_ time: BackgroundTime, at now: EngineInstant) -> Next {
    let isKept = !time.holds.isEmpty || !tasks.isEmpty || time.hasTimeLeft(at: now)
    return Next(phase: isKept ? .background(time) : .suspended(since: now), reason: .finished)
  }

  private func held(_ holds: Holds, at now: EngineInstant) -> Next? {
    guard case .background(var time) = phase, time.holds != holds else { return nil }
    time.holds = holds
    if holds.isEmpty {
      time.graceEnds = now.advanced(bySeconds: timing.suspendsAfter)
      time.tasksEnd = now.advanced(bySeconds: taskBudget)
      time.hasWarned = false
    }
    return Next(phase: .background(time), reason: .holdChanged)
  }

  private mutating func watchedFor(_ isWatchedFor: Bool) -> Next? {
    self.isWatchedFor = isWatchedFor
    return nil
  }

  /// Gone without notice.
  private func gone(_ reason: LifecycleTransition.Reason) -> Next? {
    phase == .notRunning ? nil : Next(phase: .notRunning, reason: reason)
  }

  private func purged() -> Next? {
    guard case .suspended = phase else { return nil }
    return Next(phase: .notRunning, reason: .purged)
  }

  private func exited() -> Next? {
    switch phase {
    case .notRunning: nil
    case .exiting: Next(phase: .notRunning, reason: .terminated)
    case .inactive, .active, .background, .suspended: Next(phase: .notRunning, reason: .exited)
    }
  }

  private func terminated(at now: EngineInstant) -> Next? {
    switch phase {
    case .notRunning, .exiting: nil
    case .suspended: Next(phase: .notRunning, reason: .purged)
    case .inactive, .active, .background:
      Next(
        phase: .exiting(until: now.advanced(bySeconds: timing.exitsAfter), in: state),
        reason: .terminated)
    }
  }

  private func timePassed(at now: EngineInstant) -> Next? {
    guard let deadline = nextDeadline, deadline <= now else { return nil }
    switch phase {
    case .background(let time): return timePassed(time, at: now)
    case .suspended: return Next(phase: .notRunning, reason: .purged)
    case .exiting: return Next(phase: .notRunning, reason: .terminated)
    case .notRunning, .inactive, .active: return nil
    }
  }

  private func timePassed(_ time: BackgroundTime, at now: EngineInstant) -> Next? {
    guard let due = time.due(hasTasks: !tasks.isEmpty) else { return nil }
    switch due.what {
    case .suspension(let isBudget):
      return Next(
        phase: .suspended(since: now), reason: isBudget ? .budgetUsedUp : .nothingHolds)
    case .warning:
      var warned = time
      warned.hasWarned = true
      return Next(phase: .background(warned), reason: .finished, expiring: tasks)
    case .overrun(.task) where overrun == .suspended:
      return Next(phase: .suspended(since: now), reason: .overran(.task))
    case .overrun(let what): return Next(phase: .notRunning, reason: .overran(what))
    }
  }

  /// The greatest number of tasks that one app can have under way [ours].
  package static let taskLimit = 1_000
}

extension AppLifecycle: Codable {
  private enum CodingKeys: CodingKey {
    case timing, exitsOnSuspend, taskBudget, overrun, isWatchedFor, phase, tasks
  }

  /// The state is that of the phase, and not written.
  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    timing = try values.decode(LifecycleTiming.self, forKey: .timing)
    exitsOnSuspend = try values.decode(Bool.self, forKey: .exitsOnSuspend)
    taskBudget = try values.decode(Double.self, forKey: .taskBudget)
    overrun = try values.decode(Era.Overrun.self, forKey: .overrun)
    isWatchedFor = try values.decode(Bool.self, forKey: .isWatchedFor)
    phase = try values.decode(Phase.self, forKey: .phase)
    state = phase.state
    tasks = try values.decode([BackgroundTaskID].self, forKey: .tasks)
  }
}
