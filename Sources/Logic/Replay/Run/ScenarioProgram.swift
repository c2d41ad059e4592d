// SPDX-License-Identifier: Apache-2.0

package import ControlProtocol
import LocationEngine
package import LocationModel
package import ServiceContract
package import ServiceCore

// Theory
// ======
//
// An app of a scenario. An event begins a job, the steps of its handler; jobs run side by side, as work on several
// queues does, and each takes its time:
//
//   told something ─► job: step, step, work ···· step ─► over
//                                  └ hang ─ ─ ─ ─ ─ ─ ─ ─ never
//
// - One handler has one job. The same event meanwhile begins it anew when it is over, once.
// - Work takes its stated time, and a transfer the time of its bytes over the network; other steps take none. One app
//   begins `jobLimit` jobs at one instant; the next one begins a second later. Else a handler that triggers itself,
//   such as a notification that notifies, would hold the instant for ever, while a real process would only be busy.
// - The steps of one instant are one turn of its loop: it is suspended after them, not between two.
// - A frozen process stands still: its remaining work is done when it goes on.
// - An app that was woken, or launched for an event, reports that it is done when no job is left.
// - An app that is told that it will end, ends as soon as that handler has.

/// The program of an app whose behaviour is data.
package struct ScenarioProgram: VirtualProgram {
  private let app: ScenarioApp
  /// The services that `track` requests.
  private let plan: RunPlan
  /// The duration of a transfer of a number of bytes, seconds.
  private let transferDuration: @Sendable (Int) -> Double
  private var state = AppState.notRunning
  /// Background tasks that it has begun, by name, and the last one's identifier.
  private var tasks: [String: UInt32] = [:]
  private var lastTask: UInt32 = 0
  private var jobs: [Job] = []
  /// The next check whether it is done; `nil` if nothing waits for that.
  private var looksAt: EngineInstant?
  private var frozenAt: EngineInstant?
  /// The last launch for an event that the launch itself reported: its reason and its time.
  private var launch: (reason: WakeReason, at: EngineInstant)?
  /// Whether it must report that it is done as soon as it is.
  private var owesDone = false
  /// Jobs that began, or came again, at the latest instant at which one did.
  private var begun: (count: Int, at: EngineInstant) = (0, .zero)

  /// The greatest number of jobs of one app at one instant [ours]: more than there are kinds of events.
  private static let jobLimit = 32

  private struct Job: Sendable {
    let trigger: AppTrigger
    var rest: ArraySlice<AppStep>
    var phase: Phase
    /// The call from which it must return.
    var handles: WakeReason?
    var answer: FetchResult?
    /// Whether the same event came again meanwhile.
    var comesAgain = false

    /// The result of a fetch, or of a push.
    var result: FetchResult? {
      switch handles {
      case .fetch?, .push?, .locationPush?: answer ?? .newData
      case .location?, .motion?, .region?, .visit?, .keepAlive?, .socket?, .newsstand?,
        .accessory?, .bluetooth?, .boot?, .crash?, nil:
        nil
      }
    }

    enum Phase: Sendable, Equatable {
      /// The time of the next step.
      case goesOn(EngineInstant)
      /// It never returns.
      case hangs
      case over
    }
  }

  package init(
    _ app: ScenarioApp, tracking plan: RunPlan,
    transferDuration: @escaping @Sendable (Int) -> Double
  ) {
    self.app = app
    self.plan = plan
    self.transferDuration = transferDuration
  }

  package var nextDeadline: EngineInstant? {
    var first = looksAt
    for job in jobs {
      if case .goesOn(let at) = job.phase { first = .earlier(first, at) }
    }
    return first
  }

  package mutating func beginProcess(_ reason: WakeReason?, at now: ServiceTime) {
    (state, jobs, looksAt, frozenAt, owesDone) = (.notRunning, [], nil, nil, false)
    (tasks, lastTask) = ([:], 0)
  }

  package mutating func endProcess() { (jobs, looksAt, frozenAt) = ([], nil, nil) }

  package mutating func froze(at now: ServiceTime) { frozenAt = now.at }

  package mutating func thawed(at now: ServiceTime) {
    guard let since = frozenAt else { return }
    frozenAt = nil
    let stood = EngineInstant.seconds(from: since, to: now.at)
    for index in jobs.indices {
      if case .goesOn(let at) = jobs[index].phase, at > since {
        jobs[index].phase = .goesOn(at.advanced(bySeconds: stood))
      }
    }
  }

  // MARK: What it hears

  package mutating func hear(
    message: ServerMessage, at now: ServiceTime, into acts: inout [ProgramAct]
  ) {
    switch message {
    case .welcome(let welcome):
      state = welcome.state
      launched(welcome.launchReason, at: now.at)
      if state.isForeground { runHandler(of: .foreground, at: now.at) }
      if state == .active { runHandler(of: .active, at: now.at) }
    case .state(let new): changed(to: new, at: now.at)
    case .location(let delivery, _):
      acts.append(.say(.acknowledge(delivery.sequence)))
      runHandler(of: .location, at: now.at)
    case .region(let notice):
      if let number = notice.sequence { acts.append(.say(.acknowledge(number))) }
      switch notice.event {
      case .entered: runHandler(of: .entering, at: now.at)
      case .exited: runHandler(of: .leaving, at: now.at)
      case .state: break
      }
    case .visit(let notice):
      acts.append(.say(.acknowledge(notice.sequence)))
      runHandler(of: .visit, at: now.at)
    case .regionFailed(let name, let reason):
      acts.append(.remark("cannot monitor the region \(name): \(reason)"))
    case .motion: runHandler(of: .motion, at: now.at)
    case .heading: runHandler(of: .heading, at: now.at)
    case .paused: runHandler(of: .pause, at: now.at)
    case .authorization: runHandler(of: .authorization, at: now.at)
    case .willTerminate: runHandler(of: .termination, at: now.at)
    case .wake(let reason, _):
      // The launch already reported its reason.
      if launch?.reason != reason || launch?.at != now.at { woken(reason, at: now.at) }
    case .tasksExpire: runHandler(of: .expiration, at: now.at)
    case .audioStopped: runHandler(of: .audioStopped, at: now.at)
    case .notification: runHandler(of: .notification, at: now.at)
    case .error(_, let text), .requestFailed(let text):
      acts.append(.remark("is told: \(text)"))
    case .accuracy, .lost, .noFix, .timeRemaining, .notifications, .deferralEnded, .version,
      .devices, .watch, .watchSentences, .sentences, .sky, .report, .poll, .ok, .warning, .document:
      break
    }
  }

  private mutating func launched(_ reason: WakeReason?, at now: EngineInstant) {
    guard let reason else { return runHandler(of: .launch, at: now) }
    looksAt = now
    runHandler(of: app.steps(on: .relaunch) == nil ? .launch : .relaunch, at: now)
    switch reason {
    // Its location, or event, comes separately.
    case .location, .region, .visit: break
    case .motion: runHandler(of: .motion, at: now)
    case .fetch, .keepAlive, .socket, .push, .locationPush, .newsstand, .accessory, .bluetooth,
      .boot, .crash:
      // The call came before any process could hear it.
      woken(reason, at: now)
      launch = (reason, now)
    }
  }

  /// Handles a call for a reason other than a location.
  private mutating func woken(_ reason: WakeReason, at now: EngineInstant) {
    looksAt = now
    guard let trigger = AppTrigger(reason) else { return }
    runHandler(of: trigger, at: now, returningFrom: reason.mustReturn ? reason : nil)
  }

  private mutating func changed(to new: AppState, at now: EngineInstant) {
    switch (state, new) {
    case (.background, .background): looksAt = now
    case (.active, .background):
      runHandler(of: .inactive, at: now)
      runHandler(of: .background, at: now)
    case (.inactive, .background): runHandler(of: .background, at: now)
    case (.background, .inactive), (.suspended, .inactive): runHandler(of: .foreground, at: now)
    case (.background, .active), (.suspended, .active):
      runHandler(of: .foreground, at: now)
      runHandler(of: .active, at: now)
    case (.inactive, .active): runHandler(of: .active, at: now)
    case (.active, .inactive): runHandler(of: .inactive, at: now)
    case (.notRunning, _), (_, .notRunning), (_, .suspended), (.suspended, .background),
      (.inactive, .inactive), (.active, .active):
      break
    }
    state = new
  }

  /// Begins the handler's job, or repeats it. An app without code for a call, or for its end, is done with it at once.
  private mutating func runHandler(
    of trigger: AppTrigger, at now: EngineInstant, returningFrom reason: WakeReason? = nil
  ) {
    let isAwaited = reason != nil || trigger == .termination
    guard let steps = app.steps(on: trigger) ?? (isAwaited ? [] : nil) else { return }
    if let index = jobs.firstIndex(where: { $0.trigger == trigger }) {
      jobs[index].comesAgain = true
      jobs[index].handles = reason
    } else {
      let start = startOfJob(at: now)
      jobs.append(
        Job(trigger: trigger, rest: steps[...], phase: .goesOn(start), handles: reason))
    }
  }

  /// The start of a job for an event that came now.
  private mutating func startOfJob(at now: EngineInstant) -> EngineInstant {
    if begun.at != now { begun = (0, now) }
    begun.count += 1
    return begun.count > Self.jobLimit ? now.advanced(bySeconds: 1) : now
  }

  // MARK: What it does

  package mutating func pass(to now: ServiceTime) -> [ProgramAct] {
    var acts: [ProgramAct] = []
    for index in jobs.indices { goOn(index, at: now, into: &acts) }
    if jobs.contains(where: { $0.trigger == .termination && $0.phase == .over }) {
      acts.append(.exit(status: 0))
    }
    jobs.removeAll { $0.phase == .over }
    if let due = looksAt, due <= now.at {
      looksAt = nil
      owesDone = true
    }
    if owesDone, jobs.isEmpty {
      owesDone = false
      acts.append(.say(.done))
    }
    return Self.inOrder(acts)
  }

  /// The acts of one instant, with those last that may suspend the app: a task that begins as another one ends keeps it
  /// running.
  private static func inOrder(_ acts: [ProgramAct]) -> [ProgramAct] {
    func endsProcess(_ act: ProgramAct) -> Bool {
      switch act {
      case .crash, .exit: true
      case .say, .transfer, .issueDownload, .remark: false
      }
    }
    func maySuspend(_ act: ProgramAct) -> Bool {
      switch act {
      case .say(.background(.endTask)), .say(.background(.returned)), .say(.app(.done)): return true
      case .say, .exit, .crash, .transfer, .issueDownload, .remark: return false
      }
    }
    let end = acts.firstIndex(where: endsProcess) ?? acts.endIndex
    let before = acts[..<end]
    return before.filter { !maySuspend($0) } + before.filter(maySuspend) + acts[end...]
  }

  /// Does the steps of a job that are due.
  private mutating func goOn(_ index: Int, at now: ServiceTime, into acts: inout [ProgramAct]) {
    while case .goesOn(let at) = jobs[index].phase, at <= now.at {
      guard let step = jobs[index].rest.popFirst() else {
        guard jobs[index].comesAgain else {
          jobs[index].phase = .over
          if let reason = jobs[index].handles {
            acts.append(.say(.returned(reason, jobs[index].result)))
          }
          return
        }
        jobs[index].comesAgain = false
        // After other jobs' steps of this instant.
        jobs[index].phase = .goesOn(startOfJob(at: now.at))
        jobs[index].rest = app.steps(on: jobs[index].trigger).map { $0[...] } ?? []
        return
      }
      if step != .nothing { acts.append(.remark(step.words)) }
      switch step {
      case .nothing: break
      case .work(let seconds): jobs[index].phase = .goesOn(at.advanced(bySeconds: seconds))
      case .transfer(let up, let down):
        acts.append(.transfer(up: up, down: down))
        jobs[index].phase = .goesOn(at.advanced(bySeconds: transferDuration(up + down)))
      case .downloadIssue(let bytes): acts.append(.issueDownload(bytes: bytes))
      case .hang: jobs[index].phase = .hangs
      case .giveUp:
        for other in jobs.indices where other != index && jobs[other].handles == nil {
          jobs[other].phase = .over
        }
      case .answer(let result): jobs[index].answer = result
      case .track, .startUpdates, .startSignificant, .stop, .requestLocation, .monitorMotion,
        .monitorRegion, .stopRegion, .monitorVisits, .monitorHeading, .deferUpdates, .ask,
        .beginTask, .endTask, .setFetchInterval, .setKeepAlive, .watchSocket, .audio, .notify,
        .cancelNotification, .crash, .exit:
        acts += perform(step: step, at: now)
      }
    }
  }

  private mutating func perform(step: AppStep, at now: ServiceTime) -> [ProgramAct] {
    switch step {
    case .track: return plan.tracking
    case .startUpdates(let request): return [.say(.start(.init(.standard, request)))]
    case .startSignificant: return [.say(.start(.init(.significant)))]
    case .stop(let service): return [.say(.stop(service))]
    case .requestLocation(let accuracy): return [.say(.requestLocation(accuracy: accuracy))]
    case .monitorMotion(let isOn): return [.say(.monitorMotion(isOn))]
    case .ask(let level): return [.say(.requestAuthorization(level))]
    case .crash: return [.crash]
    case .exit(let status): return [.exit(status: status)]
    case .beginTask(let name):
      lastTask += 1
      tasks[name] = lastTask
      return [.say(.beginTask(id: lastTask, name: name))]
    case .endTask(let name):
      return tasks.removeValue(forKey: name).map { [.say(.endTask($0))] }
        ?? [.remark("has no task \(name) to end")]
    case .setFetchInterval(let seconds): return [.say(.setFetchInterval(seconds))]
    case .setKeepAlive(let seconds): return [.say(.setKeepAlive(seconds))]
    case .watchSocket(let isOn): return [.say(.watchSocket(isOn))]
    case .audio(let isOn): return [.say(.audio(isOn))]
    case .notify(var notification, let seconds):
      let isNow = seconds == 0 && notification.repeats == nil
      notification.fire = isNow ? nil : now.utc.advanced(bySeconds: seconds)
      return [.say(.schedule(notification))]
    case .cancelNotification(let name): return [.say(.cancelNotification(name))]
    case .work, .transfer, .downloadIssue, .hang, .answer, .giveUp, .nothing: return []
    case .monitorRegion(let place):
      return [
        .say(
          .monitorRegion(
            MonitoredRegion(place.name, centre: place.centre, radius: place.radius)))
      ]
    case .stopRegion(let name): return [.say(.stopMonitoringRegion(name))]
    case .monitorVisits(let isOn): return [.say(.monitorVisits(isOn))]
    case .monitorHeading(let degrees):
      let filter = degrees.flatMap { $0 > 0 ? $0 : nil }
      return [.say(.heading(HeadingRequest(isOn: degrees != nil, filter: filter)))]
    case .deferUpdates(let deferral): return [.say(.deferUpdates(DeferralRequest(deferral)))]
    }
  }
}

extension AppTrigger {
  /// The handler that is called for a reason; `nil` if another message carries the event.
  fileprivate init?(_ reason: WakeReason) {
    switch reason {
    case .location, .motion, .region, .visit: return nil
    case .fetch: self = .fetch
    case .keepAlive: self = .keepAlive
    case .socket: self = .socket
    case .push: self = .push
    case .locationPush: self = .locationPush
    case .newsstand: self = .newsstand
    case .accessory: self = .accessory
    case .bluetooth: self = .bluetooth
    case .boot: self = .boot
    case .crash: self = .crash
    }
  }
}
