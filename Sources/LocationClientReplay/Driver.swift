// SPDX-License-Identifier: Apache-2.0

import AppLifecycle
import ControlProtocol
import LocationClient
import LocationEngine
import LocationModel
import Replay
import ServiceContract
import ServiceCore
import Wording

// Theory
// ======
//
// The process of a replayed app is a session of the client library, in this very process:
//
//   begin ─► a session opens ─► launch closure ─► welcome … what is heard goes to its managers ─► end
//
// What managers say comes back as acts of the program, at the instant at which they were told something.
// All rules are the service's; this hands over, keeps the account, and waits for the app's own tasks.

/// Plays the app of a replay with the app's own code.
///
/// The replay's thread calls everything but `send`, which tasks of the app may call too; `lock` guards
/// what that touches. So `Sendable` is safe.
final class Driver: VirtualProgram, RunObserver, LocationBackend, @unchecked Sendable {
  private(set) var record = ReplayRecord()
  /// What the app's launch threw, or why the replay cannot go on.
  private(set) var failure: (any Error)?

  private let trace: ReplayedTrace
  private let launch: ((CLLaunchReason?) throws -> Void)?
  private let main: (@Sendable (CLLaunchReason?) async -> Void)?
  private var life: Life?
  private var reason: WakeReason?
  private var utc = UTCInstant(microseconds: 0)
  private var hasBegun = false

  private let lock = NSLock()
  private var acts: [ProgramAct] = []

  /// One process of the app.
  private struct Life {
    let session: LocationSession
    var task: Task<Void, Never>?
    let end = EndOfMain()
    let executor: ReplayExecutor
  }

  init(_ trace: ReplayedTrace, launch: @escaping (CLLaunchReason?) throws -> Void) {
    self.trace = trace
    self.launch = launch
    main = nil
  }

  init(_ trace: ReplayedTrace, main: @escaping @Sendable (CLLaunchReason?) async -> Void) {
    self.trace = trace
    launch = nil
    self.main = main
  }

  // MARK: The account

  func saw(_ command: EngineCommand, at time: UTCInstant) {
    note(time)
    switch command {
    case .transition(_, let transition):
      record.states.append(
        ReplayedState(
          date: record.end, state: CLAppState(transition.to), reason: transition.reason.text))
    case .deliver(_, let delivery):
      record.deliveries.append(
        ReplayedDelivery(
          date: Date(time), service: delivery.service.rawValue,
          location: CLLocation(delivery.fix, timestamp: Date(delivery.fix.time ?? time)),
          isCached: delivery.isCached))
    case .verdict(_, let service, let verdict, _): note(verdict, service)
    case .receiver(let plan):
      record.receiver.append(
        ReplayedReceiver(date: Date(time), isOn: plan.isOn, reason: plan.reason))
    case .launch, .motion, .paused, .requestNetworkPosition, .listen, .requestFailed, .asksUser,
      .tasksExpire, .work, .notWoken, .notify, .audioStopped, .place, .ignored:
      break
    }
  }

  /// Something happens; the account begins with the first of it.
  private func note(_ time: UTCInstant) {
    utc = time
    if !hasBegun { record.start = Date(time) }
    hasBegun = true
    record.end = Date(time)
  }

  private func note(_ verdict: Verdict, _ service: Service) {
    record.verdictCounts[verdict.outcome.rawValue, default: 0] += 1
    if record.verdicts.count >= ReplayRecord.verdictLimit { record.verdicts.removeFirst(1_000) }
    record.verdicts.append(
      ReplayedVerdict(
        date: record.end, service: service.rawValue, outcome: verdict.outcome.rawValue,
        moved: verdict.moved, movedRequired: verdict.movedRequired, since: verdict.since,
        sinceRequired: verdict.sinceRequired, accuracy: verdict.accuracy))
  }

  // MARK: The program

  var nextDeadline: EngineInstant? { nil }

  func begin(_ reason: WakeReason?, at now: ServiceTime) {
    note(now.utc)
    self.reason = reason
  }

  func hear(_ message: ServerMessage, at now: ServiceTime, into acts: inout [ProgramAct]) {
    note(now.utc)
    if case .welcome = message, life == nil {
      open(message)
    } else {
      life?.session.received(message)
      settle()
    }
    acts += takeActs()
  }

  func pass(to now: ServiceTime) -> [ProgramAct] { [] }

  func end() { endLife() }

  private func takeActs() -> [ProgramAct] {
    lock.withLock {
      defer { acts.removeAll() }
      return acts
    }
  }

  // MARK: Lives

  private func open(_ welcome: ServerMessage) {
    guard failure == nil else { return }
    let why = reason.map { CLLaunchReason($0) }
    record.launches.append(ReplayedLaunch(date: Date(utc), reason: why))
    let asLive = trace.stampsAsLive
    let session = LocationSession(self, callsInline: true) { [weak self] instant in
      guard asLive, let self else { return Date(instant) }
      return Date(timeIntervalSinceNow: UTCInstant.seconds(from: now, to: instant))
    }
    life = Life(session: session, executor: ReplayExecutor { session.nudge() })
    session.open()
    session.received(welcome)
    LocationSession.$scoped.withValue(session) {
      if let launch {
        do { try launch(why) } catch { failure = error }
      } else if let main, let end = life?.end, let executor = life?.executor {
        life?.task = Task(executorPreference: executor) {
          await main(why)
          end.reached()
          session.nudge()
        }
      }
    }
    settle()
  }

  private func endLife() {
    guard let old = life else { return }
    life = nil
    old.session.close()
    guard let task = old.task else { return }
    task.cancel()
    let deadline = Date(timeIntervalSinceNow: trace.patience)
    while !old.end.isReached, failure == nil {
      old.executor.runJobs()
      if old.end.isReached || old.executor.wait(until: deadline, or: old.end) { continue }
      failure = ReplayError(
        "the app's main function has not returned \(trace.patience) s after its task was cancelled")
    }
    old.executor.runJobs()
  }

  /// Lets the app work until it has nothing left to do.
  private func settle() {
    guard let life else { return }
    let deadline = Date(timeIntervalSinceNow: trace.patience)
    while failure == nil {
      LocationSession.$scoped.withValue(life.session) { life.session.runTurns() }
      guard life.task != nil else { return }
      life.executor.runJobs()
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

  private var now: UTCInstant { utc }

  // MARK: The session's side

  func open(for session: LocationSession) {}

  func close() {}

  func send(_ message: ClientMessage) {
    lock.lock()
    defer { lock.unlock() }
    acts.append(.say(message))
    switch message {
    case .requestAuthorization(let wanted):
      record.requests.append(CLAuthorizationStatus(wanted))
    case .done: record.finishedWork += 1
    default: break
    }
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
  /// Why the receiver is off, or how it is on.
  fileprivate var reason: String {
    if case .off(let off) = self { off.words(next: nil) } else { words(next: nil) }
  }
}
