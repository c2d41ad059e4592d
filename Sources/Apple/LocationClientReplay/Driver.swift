// SPDX-License-Identifier: Apache-2.0

import CReplayClock
import ControlProtocol
import Dispatch
import LocationClient
import LocationEngine
import LocationModel
import Replay
import ServiceContract
import ServiceCore

// Theory
// ======
//
// The process of a replayed app is a session of the client library, in this very process:
//
//   begin ─► a session opens ─► launch closure ─► welcome … what is heard goes to its managers ─► end
//
// Messages of managers come back as acts of the program, at the instant of the event that they answer. All rules are
// the service's; this type passes messages on, keeps the account, and waits for the app's own tasks.
//
// If the replay has its own thread, the main queue is free, and its work runs there: the launch of `run(onMain:)`, and
// delegates of managers with that queue. After each such call the main queue is drained too (blocks posted there, and
// those that they post), before time goes on.
//
// While app code runs, on this thread or on the main one until it is drained, the thread's wall clock is the trace's
// (`CReplayClock`), so that an age by `Date()` is what it was on the device.

/// Plays the app of a replay with the app's own code.
///
/// The replay's thread calls everything but `send`, which tasks of the app may call too; `lock` guards
/// what that touches. So `Sendable` is safe.
final class Driver: VirtualProgram, RunObserver, LocationBackend, @unchecked Sendable {
  private var record = ReplayRecord()
  /// The error of the app's launch, or the reason why the replay cannot go on.
  private(set) var failure: (any Error)?

  private let trace: ReplayedTrace
  private let app: App
  private var life: Life?
  private var reason: WakeReason?
  private var now = ServiceTime(at: .zero, utc: UTCInstant(microseconds: 0))
  private var hasBegun = false
  /// Whether the app is suspended: it does not run, whatever its clock says.
  private var isSuspended = false
  /// Whether app code runs on the main queue.
  private var usesMain = false
  /// The number of times that the main queue is drained.
  private static let drains = 2
  /// Whether the complaint about a life without any listener was made.
  private var saidDeaf = false
  /// The newest position that was delivered, in any life.
  private var newest: (fix: Fix, received: UTCInstant)?

  private let lock = NSLock()
  /// The session of the life; it hears what app code waits for.
  private var session: LocationSession?
  private var acts: [ProgramAct] = []
  private var complaints: [String] = []
  /// The app's standing at the last event, with its messages since.
  private var standing: AppStanding?

  /// The way in which the app's code runs.
  enum App {
    /// On the thread of the replay, which is the caller's.
    case here((CLLaunchReason?) throws -> Void)
    /// On the main actor, while the replay has its own thread.
    case onMain(@MainActor @Sendable (CLLaunchReason?) throws -> Void)
    /// As a task, while the replay has its own thread.
    case task(@Sendable (CLLaunchReason?) async -> Void)
  }

  /// One process of the app.
  private struct Life {
    let session: LocationSession
    var task: Task<Void, Never>?
    let end = EndOfMain()
    let executor: ReplayExecutor
  }

  init(_ trace: ReplayedTrace, _ app: App) {
    self.trace = trace
    self.app = app
    if case .onMain = app { usesMain = true }
  }

  // MARK: The account

  /// The account so far.
  var account: ReplayRecord {
    var account = record
    account.complaints = lock.withLock { complaints }
    return account
  }

  func saw(_ command: EngineCommand, at time: UTCInstant) {
    note(time: time)
    switch command {
    case .transition(_, let transition):
      isSuspended = transition.to == .suspended
      record.states.append(
        ReplayedState(
          date: record.end, state: CLAppState(transition.to), reason: transition.reason.text))
    case .deliver(_, let delivery):
      newest = (delivery.fix, time)
      record.deliveries.append(
        ReplayedDelivery(
          date: Date(time), service: delivery.service.rawValue,
          location: CLLocation(
            delivery.fix, timestamp: Date(delivery.fix.time ?? time), source: .replay),
          isCached: delivery.isCached))
    case .verdict(_, let service, let verdict, _): note(verdict: verdict, service)
    case .receiver(let plan):
      record.receiver.append(
        ReplayedReceiver(date: Date(time), isOn: plan.isOn, reason: plan.reason))
    case .notify(_, let notification, let fate):
      record.notifications.append(
        ReplayedNotification(date: record.end, body: notification.body, fate: .init(fate)))
    case .launch, .motion, .paused, .requestNetworkPosition, .listen, .requestFailed, .asksUser,
      .tasksExpire, .work, .notWoken, .unreachable, .audioStopped, .memoryTaken, .heading,
      .deferralEnded, .place,
      .ignored:
      break
    }
  }

  /// Notes an event's time; the account begins with the first.
  private func note(time: UTCInstant) {
    if !hasBegun { record.start = Date(time) }
    hasBegun = true
    record.end = Date(time)
  }

  private func note(verdict: Verdict, _ service: Service) {
    record.verdictCounts[verdict.outcome.rawValue, default: 0] += 1
    if record.verdicts.count >= ReplayRecord.verdictLimit { record.verdicts.removeFirst(1_000) }
    record.verdicts.append(
      ReplayedVerdict(
        date: record.end, service: service.rawValue, outcome: verdict.outcome.rawValue,
        moved: verdict.moved, movedRequired: verdict.movedRequired, since: verdict.since,
        sinceRequired: verdict.sinceRequired, accuracy: verdict.accuracy))
  }

  // MARK: The program

  var nextDeadline: EngineInstant? {
    guard life != nil, !isSuspended, let deadline = trace.clock.nextDeadline else { return nil }
    return now.at.advanced(bySeconds: UTCInstant.seconds(from: now.utc, to: deadline))
  }

  var asksHowItStands: Bool { true }

  func stands(_ standing: AppStanding) { lock.withLock { self.standing = standing } }

  func beginProcess(_ reason: WakeReason?, at now: ServiceTime) {
    note(now: now)
    self.reason = reason
  }

  private func note(now: ServiceTime) {
    self.now = now
    note(time: now.utc)
    trace.clock.moved(to: now.utc)
  }

  func hear(message: ServerMessage, at now: ServiceTime, into acts: inout [ProgramAct]) {
    note(now: now)
    // Only a running app receives events.
    isSuspended = false
    if case .welcome = message, life == nil {
      open(welcome: message)
    } else {
      if case .location = message { noteDeafness() }
      life?.session.received(message)
      settle()
    }
    acts += takeActs()
  }

  /// A process that receives a location has a manager, except for an unused one in a static property.
  private func noteDeafness() {
    guard let session = life?.session, !session.hasConsumers, record.launches.count > 1, !saidDeaf
    else { return }
    saidDeaf = true
    complain(
      "milepost: life \(record.launches.count) of the app is told of a location and has no manager for it; a manager "
        + "that a static property holds hears from its first use in a life on: use it where the replay launches the app"
    )
  }

  func pass(to now: ServiceTime) -> [ProgramAct] {
    note(now: now)
    guard life != nil, !isSuspended else { return [] }
    trace.clock.wake()
    settle()
    return takeActs()
  }

  func endProcess() { endLife() }

  private func takeActs() -> [ProgramAct] {
    lock.withLock {
      defer { acts.removeAll() }
      return acts
    }
  }

  /// Any thread may call.
  private func complain(_ line: String) {
    lock.withLock { complaints.append(line) }
    LocationSession.writeComplaint(line)
  }

  // MARK: Lives

  private func open(welcome: ServerMessage) {
    guard failure == nil else { return }
    let why = reason.map { CLLaunchReason($0) }
    record.launches.append(ReplayedLaunch(date: Date(now.utc), reason: why))
    let session = LocationSession(
      self, callsInline: true, source: .replay, now: { [clock = trace.clock] in clock.date },
      complain: { [weak self] in self?.complain($0) })
    let executor = ReplayExecutor { session.nudge() }
    session.runHandlers(on: executor)
    life = Life(session: session, executor: executor)
    trace.clock.began(session)
    session.openSession()
    session.received(welcome)
    if let newest { session.knows(newest.fix, received: newest.received) }
    start(why, in: session)
    settle()
  }

  private func start(_ why: CLLaunchReason?, in session: LocationSession) {
    switch app {
    case .here(let launch):
      run(in: session) { do { try launch(why) } catch { failure = error } }
    case .onMain(let launch):
      perform(in: session) { [self] in
        do { try MainActor.assumeIsolated { try launch(why) } } catch { failure = error }
      }
    case .task(let main):
      guard let end = life?.end, let executor = life?.executor else { return }
      LocationSession.$scoped.withValue(session) {
        life?.task = Task(executorPreference: executor) {
          await main(why)
          end.reached()
          session.nudge()
        }
      }
    }
  }

  /// Runs app code on this thread.
  private func run(in session: LocationSession, _ code: () -> Void) {
    replay_clock_show(now.utc.microseconds)
    defer { replay_clock_hide() }
    LocationSession.$scoped.withValue(session, operation: code)
  }

  /// Runs app code on the main queue, and waits for it; the trace's clock stays on except after the last of it.
  private func perform(
    in session: LocationSession, isLast: Bool = false, _ code: @escaping @Sendable () -> Void
  ) {
    let now = now.utc.microseconds
    let item = DispatchWorkItem {
      replay_clock_show(now)
      LocationSession.$scoped.withValue(session, operation: code)
      if isLast { replay_clock_hide() }
    }
    DispatchQueue.main.async(execute: item)
    guard item.wait(timeout: .now() + trace.patience) == .timedOut else { return }
    item.cancel()
    failure = ReplayError(
      "what belongs on the main queue was not done after \(trace.patience) s; an async main function, "
        + "dispatchMain() or RunLoop.main.run() serves that queue, and app code must not block it")
  }

  private func endLife() {
    guard let old = life else { return }
    life = nil
    old.session.closeSession()
    trace.clock.ended()
    guard let task = old.task else { return }
    task.cancel()
    let deadline = Date(timeIntervalSinceNow: trace.patience)
    while !old.end.isReached, failure == nil {
      run(in: old.session) { old.executor.runJobs() }
      if old.end.isReached || old.executor.wait(until: deadline, or: old.end) { continue }
      failure = ReplayError(
        "the app's main function has not returned \(trace.patience) s after its task was cancelled")
    }
    run(in: old.session) { old.executor.runJobs() }
  }

  /// Lets the app work until it has nothing left to do.
  private func settle() {
    guard let life else { return }
    let deadline = Date(timeIntervalSinceNow: trace.patience)
    while failure == nil {
      runTurns(of: life.session)
      if life.executor.hasJobs {
        run(in: life.session) { life.executor.runJobs() }
        // What they posted on the main queue comes next.
        continue
      }
      guard life.task != nil else { return }
      let rest = life.session.rest(
        before: deadline, hasEnded: { life.end.isReached }, hasWork: { life.executor.hasJobs })
      switch rest {
      case .settled: return
      case .work: break
      case .late:
        failure = ReplayError(
          "the app's main function neither waits for an update nor has returned after "
            + "\(trace.patience) s; what else it awaits must come by itself")
      }
    }
  }

  private func runTurns(of session: LocationSession) {
    if case .here = app { return run(in: session) { session.runTurns() } }
    repeat {
      run(in: session) {
        session.runTurns { [self] call in
          usesMain = true
          perform(in: session, call)
        }
      }
      // The blocks posted there, and those that they posted.
      for drain in 1...Self.drains where usesMain && failure == nil {
        perform(in: session, isLast: drain == Self.drains) {}
      }
    } while session.hasTurns && failure == nil
  }

  // MARK: The session's side

  func open(for session: LocationSession) { lock.withLock { self.session = session } }

  func close() { lock.withLock { session = nil } }

  func send(_ message: ClientMessage) {
    lock.lock()
    // App code waits for the answer, and its messages are heard only after it has returned.
    if let answer = standing?.answer(to: message) {
      let session = session
      lock.unlock()
      session?.received(answer)
      return
    }
    defer { lock.unlock() }
    standing?.note(message: message)
    acts.append(.say(message))
    switch message {
    case .app(.requestAuthorization(let wanted)):
      record.requests.append(CLAuthorizationStatus(wanted))
    case .app(.done): record.finishedWork += 1
    default: break
    }
  }
}

extension CLLocationSourceInformation {
  /// The source of positions from a trace.
  static var replay: CLLocationSourceInformation {
    CLLocationSourceInformation(softwareSimulationState: true, andExternalAccessoryState: false)
  }
}

extension CLAuthorizationStatus {
  var model: Authorization {
    switch self {
    case .notDetermined: .notDetermined
    case .restricted: .restricted
    case .denied: .denied
    case .authorizedWhenInUse: .whenInUse
    case .authorizedAlways: .always
    }
  }
}

extension ReceiverPlan {
  /// The reason why the receiver is off, or the mode in which it is on.
  fileprivate var reason: String {
    if case .off(let off) = self { off.words(next: nil) } else { words(next: nil) }
  }
}
