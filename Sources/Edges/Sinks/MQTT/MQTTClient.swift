// SPDX-License-Identifier: Apache-2.0

import Glibc
import Host
import ServiceContract
import Synchronization

// Theory
// ======
//
// The shell around `MQTTSession`: a thread that lives only while there is work — a batch, or a held connection — and
// blocks in poll(2), on the broker's socket and a bell. It performs the session's commands and reports the results to
// it. It decides nothing.
//
// Only a name lookup cannot be interrupted: it ends with the resolver's own timeout (resolv.conf(5): 5 s, two times,
// for each server).

/// What a sink does when something comes from its broker.
struct MQTTReaction: Sendable, Equatable {
  var requests: [SinkRequest] = []
  /// The messages to publish in answer.
  var replies: [MQTTMessage] = []
}

/// The outcome of a batch.
struct MQTTOutcome: Sendable {
  var answer: MQTTSession.Answer
  /// Since the last outcome.
  var traffic: SinkTraffic
}

/// One sink's client at its broker.
final class MQTTClient: Sendable {
  private let core: MQTTThread

  /// `way` is called before each connection, since passwords are in files; `react` receives all arrivals, on the
  /// client's own thread, and must not block.
  init(
    _ terms: MQTTSession.Terms, way: @escaping @Sendable () throws(SinkError) -> MQTTWay,
    react: @escaping @Sendable (MQTTArrival) -> MQTTReaction
  ) {
    core = MQTTThread(MQTTSession(terms), way: way, react: react)
  }

  deinit { core.leave() }

  /// Publishes in this order, and returns when all is acknowledged or there is no further hope. Without messages it
  /// only checks whether the broker admits it.
  ///
  /// `arrived` is called on the client's thread as deliveries are acknowledged, with the last number of them. If the
  /// task is cancelled, nothing more is published.
  func publish(
    _ messages: [MQTTMessage], arrived: @escaping @Sendable (UInt64) -> Void = { _ in }
  ) async -> MQTTOutcome {
    let recall = Recall()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { core.enqueue(messages, recall, arrived, $0) }
    } onCancel: {
      recall.order()
      core.ring()
    }
  }

  /// Sets the listener of the other side's requests, as they come: the broker takes them for delivered, whatever the
  /// outcome of the batch.
  func listen(_ hear: @escaping @Sendable (SinkRequest) -> Void) { core.listen(hear) }
}

/// The thread, and the requests of others for it.
private final class MQTTThread: Sendable {
  private struct Job {
    let messages: [MQTTMessage]
    let recall: Recall
    let arrived: @Sendable (UInt64) -> Void
    let waiter: CheckedContinuation<MQTTOutcome, Never>
  }

  private struct State {
    var session: MQTTSession
    var jobs: [Job] = []
    var current: Job?
    var hear: (@Sendable (SinkRequest) -> Void)?
    var hasThread = false
    var isLeaving = false
  }

  private let state: Mutex<State>
  private let way: @Sendable () throws(SinkError) -> MQTTWay
  private let react: @Sendable (MQTTArrival) -> MQTTReaction
  private let bell = Bell()

  init(
    _ session: MQTTSession, way: @escaping @Sendable () throws(SinkError) -> MQTTWay,
    react: @escaping @Sendable (MQTTArrival) -> MQTTReaction
  ) {
    state = Mutex(State(session: session))
    self.way = way
    self.react = react
  }

  func enqueue(
    _ messages: [MQTTMessage], _ recall: Recall, _ arrived: @escaping @Sendable (UInt64) -> Void,
    _ waiter: CheckedContinuation<MQTTOutcome, Never>
  ) {
    let needsThread = state.withLock { state in
      state.jobs.append(Job(messages: messages, recall: recall, arrived: arrived, waiter: waiter))
      defer { state.hasThread = true }
      return !state.hasThread
    }
    guard needsThread else { return bell.ring() }
    do throws(BlockingThread.Missing) {
      try BlockingThread.start { self.runThread() }
    } catch {
      giveUp("\(error)")
    }
  }

  private func giveUp(_ words: String) {
    let jobs = state.withLock { state in
      state.hasThread = false
      defer { state.jobs = [] }
      return state.jobs
    }
    for job in jobs {
      let trouble = MQTTTrouble.unreachable(words)
      job.waiter.resume(
        returning: MQTTOutcome(
          answer: .failed(trouble, confirmed: 0), traffic: SinkTraffic(up: 0, down: 0)))
    }
  }

  func listen(_ hear: @escaping @Sendable (SinkRequest) -> Void) {
    state.withLock { $0.hear = hear }
  }

  /// Makes the thread look whether its batch was recalled.
  func ring() { bell.ring() }

  func leave() {
    state.withLock { $0.isLeaving = true }
    bell.ring()
  }

  // MARK: The thread

  /// The state that belongs only to the thread.
  private struct Line {
    var connection: MQTTConnection?
    var version = MQTTVersion.five
    /// Positions in the batch by the library's numbers.
    var places: [Int32: Int] = [:]
    /// The last delivery that was told to be acknowledged.
    var passed: UInt64?
    /// Octets of earlier connections, and those of this one that are reported already.
    var past = SinkTraffic(up: 0, down: 0)
    var told = SinkTraffic(up: 0, down: 0)
    /// Seconds between two pings, as the access of the connection states them.
    var keepAlive = 0.0

    var untold: SinkTraffic {
      let sum = past + (connection?.traffic ?? SinkTraffic(up: 0, down: 0))
      return SinkTraffic(up: sum.up - told.up, down: sum.down - told.down)
    }

    /// For `poll`, which ignores an entry with a descriptor below 0.
    var awaited: pollfd { connection?.awaited ?? pollfd(fd: -1, events: 0, revents: 0) }

    /// Seconds without an event after which the connection is checked: the time of the next ping, and a second more,
    /// since the library counts whole ones; at once if the library has closed its socket.
    var patience: Double {
      guard let connection else { return .infinity }
      return connection.awaited == nil ? 0 : keepAlive + 1
    }

    mutating func drop() {
      if let connection { past = past + connection.traffic }
      connection = nil
      places = [:]
    }
  }

  private func runThread() {
    var line = Line()
    while true {
      enum Step {
        case over
        case commands([MQTTSession.Command])
        case wait(until: Double?)
      }
      let now = BlockingThread.now
      let step: Step = state.withLock { state in
        if state.isLeaving {
          let commands = state.session.handle(.leave, at: now)
          state.hasThread = false
          return .commands(commands)
        }
        if state.session.isFree, !state.jobs.isEmpty {
          let job = state.jobs.removeFirst()
          state.current = job
          return .commands(state.session.handle(.batch(job.messages), at: now))
        }
        if state.current?.recall.isOrdered == true, state.session.canRecall {
          return .commands(state.session.handle(.recall, at: now))
        }
        guard state.session.state == .idle else { return .wait(until: state.session.deadline) }
        state.hasThread = false
        return .over
      }
      switch step {
      case .over: return
      case .commands(let commands):
        perform(commands: commands, &line)
        if state.withLock({ $0.isLeaving }) { return }
      case .wait(let deadline): wait(until: deadline, &line)
      }
    }
  }

  private func giveSession(_ input: MQTTSession.Input, _ line: inout Line) {
    perform(commands: state.withLock { $0.session.handle(input, at: BlockingThread.now) }, &line)
  }

  private func perform(commands: [MQTTSession.Command], _ line: inout Line) {
    for command in commands {
      switch command {
      case .connect(let version, let isIPv4Only): connect(version, isIPv4Only, &line)
      case .subscribe(let topic): line.connection?.subscribe(topic)
      case .greet(let message): _ = line.connection?.publish(message)
      case .publish(let place): publish(place, &line)
      case .disconnect(let willStands):
        line.connection?.disconnect(willStands: willStands, line.version)
        line.drop()
      case .abandon: line.drop()
      case .answer(let answer): finishBatch(answer, &line)
      }
    }
  }

  private func connect(_ version: MQTTVersion, _ isIPv4Only: Bool, _ line: inout Line) {
    line.drop()
    line.version = version
    do {
      let way = try way()
      line.keepAlive = Double(way.keepAlive)
      line.connection = try MQTTConnection(way, version, isIPv4Only: isIPv4Only)
    } catch let trouble as MQTTTrouble {
      giveSession(.failed(trouble, isIPv6: false), &line)
    } catch let error as SinkError {
      giveSession(.failed(.notReady(error.message), isIPv6: false), &line)
    } catch {
      giveSession(.failed(.notReady("\(error)"), isIPv6: false), &line)
    }
  }

  private func publish(_ place: Int, _ line: inout Line) {
    let message = state.withLock { state in
      state.session.work.flatMap { $0.messages.indices.contains(place) ? $0.messages[place] : nil }
    }
    // A refusal of an earlier message has ended the batch.
    guard let message, let connection = line.connection else { return }
    switch connection.publish(message) {
    case .success(let number): line.places[number] = place
    case .failure(.reason(let reason)): giveSession(.acknowledged(place, reason), &line)
    case .failure(.words(let words)): giveSession(.unsendable(place, words), &line)
    }
  }

  private func finishBatch(_ answer: MQTTSession.Answer, _ line: inout Line) {
    line.places = [:]
    line.passed = nil
    let current = state.withLock { state in
      defer { state.current = nil }
      return state.current
    }
    // Answers to commands belonged to no batch: the next one reports their octets.
    guard let current else { return }
    let traffic = line.untold
    line.told = line.told + traffic
    current.waiter.resume(returning: MQTTOutcome(answer: answer, traffic: traffic))
  }

  private func wait(until deadline: Double?, _ line: inout Line) {
    // Events during a send: a message of quality 0 is done at once.
    if let waiting = line.connection?.taken(), !waiting.isEmpty {
      for happening in waiting { handle(happening: happening, &line) }
      return
    }
    var entries = [bell.entry, line.awaited]
    let pause = deadline.map { max(0, $0 - BlockingThread.now) } ?? .infinity
    let patience = min(pause, line.patience)
    let milliseconds = patience.isFinite ? Int32(min(patience * 1_000 + 1, 1e9)) : -1
    let count = poll(&entries, nfds_t(entries.count), milliseconds)
    bell.answer(entries[0])
    var happenings: [MQTTConnection.Happening] = []
    if let connection = line.connection {
      if count > 0 { happenings = connection.exchange(entries[1].revents) }
      // Also while the broker goes on sending: it measures what it receives.
      if count >= 0, !happenings.contains(where: \.isEnd) { happenings += connection.keepAlive() }
    }
    for happening in happenings { handle(happening: happening, &line) }
    if let deadline, BlockingThread.now >= deadline { giveSession(.timePassed, &line) }
  }

  private func handle(happening: MQTTConnection.Happening, _ line: inout Line) {
    switch happening {
    case .reached: giveSession(.reached, &line)
    case .connected(let welcome): giveSession(.connected(welcome), &line)
    case .notLetIn(let reason): giveSession(.notLetIn(reason), &line)
    case .subscribed(let reason): giveSession(.subscribed(reason), &line)
    case .acknowledged(let number, let reason):
      guard let place = line.places.removeValue(forKey: number) else { return }
      giveSession(.acknowledged(place, reason), &line)
      sayArrived(&line)
    case .arrived(let arrival): hear(arrival: arrival, &line)
    case .failed(let trouble, let isIPv6): giveSession(.failed(trouble, isIPv6: isIPv6), &line)
    case .closed(let reason): giveSession(.closed(reason), &line)
    }
  }

  /// Tells how far the batch under way is acknowledged, if that is news; its end is told as its outcome.
  private func sayArrived(_ line: inout Line) {
    let (passed, arrived) = state.withLock { state in
      let work = state.session.work
      return (
        work.flatMap { MQTTSession.Work.passed($0.confirmed, of: $0.messages) },
        state.current?.arrived
      )
    }
    guard let passed, passed != line.passed else { return }
    line.passed = passed
    arrived?(passed)
  }

  private func hear(arrival: MQTTArrival, _ line: inout Line) {
    let reaction = react(arrival)
    if !reaction.replies.isEmpty { giveSession(.reply(reaction.replies), &line) }
    let listener = state.withLock { $0.hear }
    for request in reaction.requests { listener?(request) }
  }
}
