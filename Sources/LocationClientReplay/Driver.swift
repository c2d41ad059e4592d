// SPDX-License-Identifier: Apache-2.0

import AppLifecycle
import ControlProtocol
import LocationClient
import LocationEngine
import LocationModel
import Replay

/// Plays the app of a replay with the app's own code.
///
/// The replay's thread calls everything but `send`, which tasks of the app may call too; `lock` guards
/// what that touches. So `Sendable` is safe.
final class Driver: AppDriver, LocationBackend, @unchecked Sendable {
  private(set) var record = ReplayRecord()
  /// What the app's launch threw, or why the replay cannot go on.
  private(set) var failure: (any Error)?

  private let trace: ReplayedTrace
  private let rules: EngineRules
  private let launch: ((CLLaunchReason?) throws -> Void)?
  private let main: (@Sendable (CLLaunchReason?) async -> Void)?
  private var acts: ArraySlice<UserAct>
  private var start = EngineInstant.zero
  private var state = AppState.notRunning
  private var authorization: Authorization
  private var monitorsSignificant = false
  private var life: Life?
  private var acknowledged: UInt64 = 0
  private var utc = UTCInstant(microseconds: 0)

  private let lock = NSLock()
  private var inputs: [AppInput] = []

  /// One process of the app.
  private struct Life {
    let session: LocationSession
    var task: Task<Void, Never>?
    let end = EndOfMain()
    let executor: ReplayExecutor
  }

  init(_ trace: ReplayedTrace, launch: @escaping (CLLaunchReason?) throws -> Void) throws {
    self.trace = trace
    rules = try trace.rules
    self.launch = launch
    main = nil
    acts = trace.acts[...]
    authorization = trace.authorization.model
  }

  init(_ trace: ReplayedTrace, main: @escaping @Sendable (CLLaunchReason?) async -> Void) throws {
    self.trace = trace
    rules = try trace.rules
    launch = nil
    self.main = main
    acts = trace.acts[...]
    authorization = trace.authorization.model
  }

  // MARK: The replay's side

  var nextDeadline: EngineInstant? { acts.first.map { start.advanced(bySeconds: $0.after) } }

  func begin(at now: EngineInstant, _ time: UTCInstant) -> [AppInput] {
    start = now
    utc = time
    record.start = Date(time)
    var declaration = AppDeclaration()
    declaration.declaresLocationMode = trace.declaresLocationMode
    declaration.exitsOnSuspend = trace.exitsOnSuspend
    declaration.authorization = authorization
    return [.registered(declaration), .launched]
  }

  func due(at now: EngineInstant, _ time: UTCInstant) -> AppInput? {
    utc = time
    guard let act = acts.first, start.advanced(bySeconds: act.after) <= now else { return nil }
    acts.removeFirst()
    switch act.kind {
    case .background: return .enteredBackground
    case .foreground: return state == .notRunning ? .launched : .enteredForeground
    case .forceQuit: return .forceQuit
    case .purge: return .purged
    case .terminate:
      if state.runsCode { tell(.willTerminate(seconds: rules.lifecycle.exitsAfter)) }
      return .terminated
    case .authorize(let status):
      authorization = status.model
      tell(.authorization(authorization))
      return .authorized(authorization)
    }
  }

  func heard(
    _ command: EngineCommand, at now: EngineInstant, _ time: UTCInstant
  ) -> [AppInput] {
    utc = time
    record.end = Date(time)
    switch command {
    case .transition(_, let transition): changed(transition)
    case .launch(_, let options): begin(options.reason)
    case .deliver(_, let delivery):
      record.deliveries.append(
        ReplayedDelivery(
          date: Date(time), service: delivery.service.rawValue,
          location: CLLocation(delivery.fix, timestamp: Date(delivery.fix.time ?? time)),
          isCached: delivery.isCached))
      tell(.location(delivery, received: time))
    case .verdict(_, let service, let verdict, _): note(verdict, service)
    case .motion: tell(.motion)
    case .paused: tell(.paused)
    case .receiver(let plan):
      record.receiver.append(
        ReplayedReceiver(date: Date(time), isOn: plan.isOn, reason: plan.words))
    case .requestNetworkPosition, .listen, .ignored: break
    }
    return lock.withLock {
      defer { inputs.removeAll() }
      return inputs
    }
  }

  /// The trace is over: the app ends with it.
  func end() { endLife() }

  private func note(_ verdict: Verdict, _ service: Service) {
    record.verdictCounts[verdict.outcome.rawValue, default: 0] += 1
    if record.verdicts.count >= ReplayRecord.verdictLimit { record.verdicts.removeFirst(1_000) }
    record.verdicts.append(
      ReplayedVerdict(
        date: record.end, service: service.rawValue, outcome: verdict.outcome.rawValue,
        moved: verdict.moved, movedRequired: verdict.movedRequired, since: verdict.since,
        sinceRequired: verdict.sinceRequired, accuracy: verdict.accuracy))
  }

  // MARK: Lives

  private func changed(_ transition: LifecycleTransition) {
    state = transition.to
    record.states.append(
      ReplayedState(
        date: record.end, state: CLAppState(transition.to), reason: transition.reason.text))
    switch transition.to {
    case .notRunning: endLife()
    case .active where transition.reason == .launched: begin(nil)
    case .background where transition.reason == .exitsOnSuspend:
      tell(.willTerminate(seconds: rules.lifecycle.exitsAfter))
    // Nothing is said before a suspension, as on a phone.
    case .suspended: break
    case .inactive, .active, .background: tell(.state(transition.to))
    }
  }

  private func begin(_ reason: WakeReason?) {
    guard failure == nil else { return }
    endLife()
    let why = reason.map { CLLaunchReason($0) }
    record.launches.append(ReplayedLaunch(date: record.end, reason: why))
    let asLive = trace.stampsAsLive
    let session = LocationSession(self, callsInline: true) { [weak self] instant in
      guard asLive, let self else { return Date(instant) }
      return Date(timeIntervalSinceNow: UTCInstant.seconds(from: now, to: instant))
    }
    life = Life(session: session, executor: ReplayExecutor { session.nudge() })
    session.open()
    session.received(
      .welcome(
        .init(
          release: "replay", app: "replayed", state: state, authorization: authorization,
          launchReason: reason, monitorsSignificantChanges: monitorsSignificant,
          acknowledged: acknowledged)))
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

  private func tell(_ message: ServerMessage) {
    guard let life else { return }
    life.session.received(message)
    settle()
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
    switch message {
    case .start(let start):
      if start.service == .significant {
        monitorsSignificant = true
        inputs.append(.startMonitoringSignificantChanges)
      } else {
        inputs.append(.startUpdating(start.request))
      }
    case .stop(.significant):
      monitorsSignificant = false
      inputs.append(.stopMonitoringSignificantChanges)
    case .stop: inputs.append(.stopUpdating)
    case .requestLocation: inputs.append(.requestLocation)
    case .monitorMotion(let on):
      inputs.append(on ? .startMonitoringMotion : .stopMonitoringMotion)
    case .requestAuthorization(let wanted):
      record.requests.append(CLAuthorizationStatus(wanted))
      if authorization == .notDetermined { grant(trace.answer?.model ?? wanted) }
    case .acknowledge(let number): acknowledged = number
    case .done:
      record.finishedWork += 1
      inputs.append(.finishedWork)
    case .hello, .version, .devices, .watch, .poll, .status, .apps, .app, .add, .remove,
      .authorize, .control, .log, .explain, .reload:
      break
    }
  }

  private func grant(_ granted: Authorization) {
    authorization = granted
    inputs.append(.authorized(granted))
    life?.session.received(.authorization(granted))
  }
}

extension CLAuthorizationStatus {
  fileprivate var model: Authorization {
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
  /// Why the receiver is on or off.
  fileprivate var words: String {
    switch self {
    case .continuous: "standard updates are on"
    case .session: "a session for significant changes"
    case .off(.nobodyAsks): "nobody asks for locations"
    case .off(.nobodyRuns): "the app that asked is suspended or not running"
    case .off(.awaitsCellChange): "waits for a change of cell"
    case .off(.awaitsSession): "waits for the next scheduled session"
    case .off(.awaitsHint): "waits for a hint of movement or the next session"
    case .off(.awaitsMotion): "waits for motion"
    case .off(.paused): "updates are paused"
    }
  }
}
