// SPDX-License-Identifier: Apache-2.0

package import ControlProtocol
package import Dispatch
import Foundation
package import LocationModel
import Synchronization

/// One app's connection to the daemon or a replay, shared by all managers of a process.
///
/// Any thread may call. `lock` guards the state; the actions of an input run outside of it, on one thread at a time and
/// in order: a thread that finds another one at work leaves its actions to it.
package final class LocationSession: @unchecked Sendable {
  /// The session of managers made now, if a replay runs the app code; `nil` is the daemon.
  @TaskLocal package static var scoped: LocationSession?

  private static let daemon: LocationSession = {
    let session = LocationSession(DaemonBackend.usual(), callsInline: false)
    let environment = ProcessInfo.processInfo.environment
    if let (fix, received) = DaemonBackend.launchLocation(in: environment) {
      session.send(input: .knows(fix, received: received))
    }
    session.openSession()
    return session
  }()

  /// The number of replays that run in this process.
  private static let replays = Mutex(0)

  /// Keeps this process from contacting the daemon while `body` runs: calls from an app's detached tasks or own
  /// threads, whose life is unknown, are refused.
  package static func replaying<Result>(_ body: () throws -> Result) rethrows -> Result {
    replays.withLock { $0 += 1 }
    defer { replays.withLock { $0 -= 1 } }
    return try body()
  }

  /// The session of a manager that is made here and now.
  package static var current: LocationSession {
    if let scoped { return scoped }
    guard replays.withLock({ $0 > 0 }) else { return daemon }
    let session = LocationSession(StrayBackend(), callsInline: false)
    session.openSession()
    return session
  }

  /// This session; once its life is over, the caller's: a static property outlives the life of a replay in which it was
  /// made, and is used in the next.
  var living: LocationSession {
    guard let life = Self.scoped, life !== self, lock.withLock({ isClosed }) else { return self }
    return life
  }

  /// Whether delegates are called by `runTurns` instead of on a manager's queue.
  package let callsInline: Bool
  /// Calls that wait for `runTurns`, and whether they belong on the main queue.
  private var turns: [(isMain: Bool, call: @Sendable () -> Void)] = []
  /// The time of the app's clock; in a replay that of the trace.
  package let now: @Sendable () -> Date
  /// What is known of where positions come from.
  private let source: CLLocationSourceInformation?
  /// The output for complaints about a program, a line at a time.
  package let complain: @Sendable (String) -> Void
  private let backend: any LocationBackend
  private let lock = NSCondition()
  private var machine = SessionMachine()
  private var consumers: [Int: any Consumer] = [:]
  private var lastID = 0
  private var actions: [SessionMachine.Action] = []
  private var isPerforming = false
  private var isClosed = false
  /// Sequences whose consumer waits for the next update.
  private var waitingSequences = 0
  /// The time until which a first question waits for the daemon's first message; `nil` before the session was opened.
  private var firstWordDeadline: Date?
  private var hasFailed = false
  /// The object that stands for the app, if there is one.
  private var app: (any Consumer)?
  /// Where the app's asynchronous handlers run: as its other handlers, on the main queue, or on a replay's thread.
  private var executor: any TaskExecutor = MainQueueExecutor.shared

  /// The limit of unfinished deliveries, above which no more are read from the daemon.
  static let unfinishedLimit = 256
  /// The wait for the daemon's first message in a program's first moment, seconds.
  package static let firstWordPatience = 0.2

  package init(
    _ backend: any LocationBackend, callsInline: Bool, source: CLLocationSourceInformation? = nil,
    now: @escaping @Sendable () -> Date = { Date() },
    complain: @escaping @Sendable (String) -> Void = LocationSession.writeComplaint
  ) {
    self.backend = backend
    self.callsInline = callsInline
    self.source = source
    self.now = now
    self.complain = complain
  }

  package func openSession() {
    lock.withLock { firstWordDeadline = Date(timeIntervalSinceNow: Self.firstWordPatience) }
    backend.open(for: self)
  }

  /// Waits for the daemon's first message, until it cannot be reached or 200 ms after the session was opened.
  func awaitFirstWord() {
    lock.lock()
    defer { lock.unlock() }
    guard let firstWordDeadline, !callsInline else { return }
    while machine.authorization == nil && !hasFailed && !isClosed {
      if !lock.wait(until: firstWordDeadline) { return }
    }
  }

  /// Has asynchronous handlers run there.
  package func runHandlers(on executor: any TaskExecutor) {
    lock.withLock { self.executor = executor }
  }

  /// Runs an asynchronous handler of the app.
  package func runApp(_ body: @escaping @Sendable () async -> Void) {
    let executor = lock.withLock { self.executor }
    Self.$scoped.withValue(callsInline ? self : Self.scoped) {
      _ = Task(executorPreference: executor) { await body() }
    }
  }

  // MARK: The backend's side

  package func received(_ message: ServerMessage) { send(input: .message(message)) }

  func disconnected(_ reason: String) {
    lock.withLock { hasFailed = true }
    send(input: .disconnected(reason))
  }

  /// Blocks while too many deliveries are unfinished: a slow app slows its own connection down, and the daemon's
  /// bounded outbox handles the rest.
  func waitForRoom() {
    lock.lock()
    defer { lock.unlock() }
    while machine.unfinished >= Self.unfinishedLimit && !isClosed { lock.wait() }
  }

  /// Ends all sequences and silences managers. To them, the process is gone.
  package func closeSession() {
    lock.lock()
    isClosed = true
    let all = consumers.values
    consumers.removeAll()
    // Its values may send messages when released: not while the lock is held.
    let gone = app
    app = nil
    actions.removeAll()
    turns.removeAll()
    lock.broadcast()
    lock.unlock()
    for consumer in all { consumer.sessionClosed() }
    gone?.sessionClosed()
    backend.close()
  }

  /// The outcome of waiting for an app to rest.
  package enum Rest: Sendable {
    /// The app has handled everything, and waits for more or has ended.
    case settled
    /// There is work for this thread.
    case work
    /// The app was still busy at the deadline.
    case late
  }

  /// Blocks until the app rests or there is work for this thread.
  package func rest(
    before deadline: Date, hasEnded: () -> Bool, hasWork: () -> Bool
  ) -> Rest {
    lock.lock()
    defer { lock.unlock() }
    while true {
      if hasWork() || !turns.isEmpty { return .work }
      let isIdle = waitingSequences > 0 || hasEnded()
      if isClosed || machine.openCount == 0 && !isPerforming && isIdle { return .settled }
      if !lock.wait(until: deadline) { return hasWork() ? .work : .late }
    }
  }

  /// Makes `rest` check again.
  package func nudge() {
    lock.lock()
    lock.broadcast()
    lock.unlock()
  }

  /// Runs the waiting calls and those that follow from them on this thread; for a replay, whenever
  /// app code has returned.
  /// `onMain` runs those of managers whose queue is the main one.
  package func runTurns(onMain: ((@escaping @Sendable () -> Void) -> Void)? = nil) {
    while let turn = lock.withLock({ turns.isEmpty ? nil : turns.removeFirst() }) {
      if turn.isMain, let onMain { onMain(turn.call) } else { turn.call() }
    }
  }

  /// Whether there is any consumer here.
  package var hasConsumers: Bool { lock.withLock { !consumers.isEmpty } }

  /// Whether calls wait for `runTurns`.
  package var hasTurns: Bool { lock.withLock { !turns.isEmpty } }

  // MARK: The consumers' side

  package func post(on queue: DispatchQueue, _ call: @escaping @Sendable () -> Void) {
    if callsInline {
      lock.withLock { turns.append((queue.label == DispatchQueue.main.label, call)) }
    } else {
      queue.async(execute: call)
    }
  }

  /// A manager or a sequence.
  package protocol Consumer: AnyObject, Sendable {
    func receive(_ notice: Notice)
    func sessionClosed()
  }

  package func join(_ consumer: any Consumer) -> Int {
    lock.lock()
    lastID += 1
    let id = lastID
    if !isClosed { consumers[id] = consumer }
    lock.unlock()
    send(input: .joined(id))
    return id
  }

  /// `tickets`: the consumer's unfinished tickets.
  package func leave(_ id: Int, tickets: [UInt64]) {
    lock.lock()
    consumers[id] = nil
    lock.unlock()
    for ticket in tickets { send(input: .finished(ticket: ticket)) }
    send(input: .left(id))
  }

  /// Changes the wishes of a consumer.
  func change(_ id: Int, restarts: Bool = false, _ change: (inout Wishes) -> Void) {
    lock.lock()
    var wishes = machine.consumers.first { $0.id == id }?.wishes ?? Wishes()
    change(&wishes)
    handle(input: .wants(id, wishes, restarts: restarts))
  }

  package func finished(_ ticket: UInt64) { send(input: .finished(ticket: ticket)) }

  func send(input: SessionMachine.Input) {
    lock.lock()
    handle(input: input)
  }

  /// Notes that a sequence began (1) or ended (−1) to wait.
  package func waits(_ change: Int) {
    lock.lock()
    waitingSequences += change
    lock.broadcast()
    lock.unlock()
  }

  /// The object that stands for the app, made if there is none; it lives as long as the session.
  package func app<App: Consumer>(_ make: () -> App) -> App {
    lock.lock()
    if let app = app as? App {
      lock.unlock()
      return app
    }
    let made = make()
    app = made
    lock.unlock()
    return made
  }

  /// Handles an input about the app's background work.
  package func background(_ input: AppBackground.Input) { send(input: .background(input)) }

  /// The seconds for which the app may still run, infinite without a limit; `nil` if the daemon does not answer within
  /// 200 ms.
  package func timeRemaining() -> Double? {
    guard let seconds = ask(.timeRemaining, \.remaining) else { return nil }
    return seconds ?? .infinity
  }

  /// The pending notifications of the app; `nil` if the daemon does not answer within 200 ms.
  package func scheduledNotifications() -> [LocalNotification]? {
    ask(.notifications, \.notifications)
  }

  private func ask<Value>(
    _ question: AppBackground.Question, _ path: KeyPath<AppBackground, AppBackground.Answer<Value>>
  ) -> Value? {
    awaitFirstWord()
    background(.asks(question))
    let deadline = Date(timeIntervalSinceNow: Self.firstWordPatience)
    lock.lock()
    defer { lock.unlock() }
    let number = machine.background[keyPath: path].asked
    while true {
      let answer = machine.background[keyPath: path]
      if answer.answered >= number { return answer.value }
      guard machine.isGreeted, !isClosed, !callsInline, lock.wait(until: deadline) else {
        return nil
      }
    }
  }

  func location(_ fix: Fix, received: UTCInstant) -> CLLocation {
    CLLocation(fix, timestamp: Date(fix.time ?? received), source: source)
  }

  /// Notes a position from before this process, such as the one that launched it.
  package func knows(_ fix: Fix, received: UTCInstant) {
    send(input: .knows(fix, received: received))
  }

  var latest: CLLocation? {
    awaitFirstWord()
    return lock.withLock { machine.latest }.map { location($0.fix, received: $0.received) }
  }

  var authorization: Authorization? {
    awaitFirstWord()
    return lock.withLock { machine.authorization }
  }

  /// The last known authorization, without waiting.
  var heardAuthorization: Authorization? { lock.withLock { machine.authorization } }

  /// The accuracy that the app is allowed.
  var accuracy: LocationAccuracy {
    awaitFirstWord()
    return heardAccuracy
  }

  /// The rules that apply to this process.
  package var circumstances: Circumstances {
    awaitFirstWord()
    return lock.withLock { machine.circumstances }
  }

  /// The last known accuracy, without waiting.
  var heardAccuracy: LocationAccuracy { lock.withLock { machine.accuracy } }

  package var state: AppState? {
    awaitFirstWord()
    return lock.withLock { machine.state }
  }

  var regions: Regions {
    awaitFirstWord()
    return lock.withLock { machine.regions }
  }

  var launchReason: WakeReason? { lock.withLock { machine.launchReason } }
  var isGreeted: Bool { lock.withLock { machine.isGreeted } }

  // MARK: Performing

  /// Handles an input; called with the lock held, which it releases.
  private func handle(input: SessionMachine.Input) {
    guard !isClosed else { return lock.unlock() }
    machine.handle(input, into: &actions)
    lock.broadcast()
    guard !isPerforming else { return lock.unlock() }
    isPerforming = true
    while !actions.isEmpty {
      let next = actions.removeFirst()
      var consumer: (any Consumer)?
      if case .hand(_, let id) = next { consumer = consumers[id] }
      lock.unlock()
      perform(action: next, by: consumer)
      lock.lock()
    }
    isPerforming = false
    lock.broadcast()
    lock.unlock()
  }

  /// Performs an action, without the lock; `consumer` is its target, `nil` if it has left.
  private func perform(action: SessionMachine.Action, by consumer: (any Consumer)?) {
    switch action {
    case .send(let message): backend.send(message)
    case .hand(let notice, _):
      if let consumer {
        consumer.receive(notice)
      } else if let ticket = notice.ticket {
        // The consumer left between the decision and now.
        finished(ticket)
      }
    case .handOver(let socket):
      backend.handOver(
        socket,
        while: { [weak self] in
          self?.lock.withLock { self?.machine.watches(socket) ?? false } ?? false
        },
        then: { [weak self] words in
          guard let words else { return }
          self?.background(.wasRefused(socket, words))
        })
    case .complain(let words): complain(words)
    }
  }
}
