// SPDX-License-Identifier: Apache-2.0

package import ControlClient
import ControlProtocol
package import LocationModel

// Theory of operation
// ===================
//
// One consumer of a process stands for the app as a whole: the *listener*. It first receives, once, that the process
// was launched; then the app's states, as all consumers do; then calls (a fetch, a keep-alive, a push …), expiring
// tasks, stopped audio and notifications.
//
//   welcome, or no daemon ─┐
//                          ├─ both ─► launched(reason) ─► the state told last, if any ─► calls that waited
//   listens ───────────────┘
//
// - *Settings* (tasks under way, fetch interval, keep-alive, socket, audio) are sent when they change and again at
//   every welcome, also those that were switched off: the daemon changes nothing if it knows them. A process does not
//   send undecided settings, since the fetch interval outlives processes.
// - *The socket* that is handed over goes to the daemon on a separate connection, after the setting that it is watched,
//   and again at every welcome, since a new daemon has none. A copy is kept for that until the socket is taken back.
// - *Orders* (the end of a task, a notification, a handler's return) are sent once. Without a connection they wait for
//   the next welcome. A notification replaces a waiting one with the same name; cancelling all removes all waiting
//   ones. At most `waitingLimit` wait, then the oldest are dropped: the first is named on standard error at once, and
//   their number when the daemon is there.
// - *Calls*: each WAKE is one. The WAKE that launched the process came before any listener existed, so the first
//   welcome, which has the reason, stands for it. Without a listener a call waits: at most `callLimit`, then the newest
//   are dropped, which is reported once.
// - The daemon knows one handler per reason. So if a handler is called again before it has returned, its return is sent
//   when the last call has returned.
// - *Answers* come in the order of the questions, one for each, and both are counted. So a caller can tell its own
//   answer from a late one to an earlier caller. Questions of a connection that ended are not answered.

/// A call of the object that stands for the app.
package enum BackgroundNews: Sendable, Equatable {
  /// The process was launched, for that reason (`nil`: by its user), into that state.
  case launched(WakeReason?, into: AppState)
  /// The app is called, and has `seconds`; `nil` if there is no limit or it is unknown.
  case called(WakeReason, seconds: Double?)
  /// These tasks must end within `seconds`.
  case expiring([UInt32], seconds: Double)
  case audioStopped
  /// The socket that was handed over is not watched, with the reason.
  case socketRefused(String)
  /// A notification that is due while the app is active.
  case notification(LocalNotification)
}

/// What an app does in the background beside locations, as far as this process knows.
package struct AppBackground: Sendable, Equatable {
  package enum Input: Sendable, Equatable {
    /// The consumer of this number stands for the app from now on.
    case listens(Int)
    case begins(task: UInt32, name: String)
    case ends(task: UInt32)
    /// Seconds; `nil` is never.
    case fetches(every: Double?)
    case keepsAlive(every: Double?)
    case watchesSocket(Bool)
    case handsOver(SocketCopy)
    /// The daemon does not watch this socket, with the reason.
    case wasRefused(SocketCopy, String)
    case playsAudio(Bool)
    /// A handler that was called for this reason has returned.
    case returns(WakeReason, FetchResult?)
    case schedules(LocalNotification)
    /// `nil`: all.
    case cancels(String?)
    case asks(Question)
  }

  package enum Question: Sendable, Equatable {
    case timeRemaining, notifications
  }

  /// The last answer, and the numbers of questions and answers.
  struct Answer<Value: Sendable & Equatable>: Sendable, Equatable {
    private(set) var value: Value
    /// The number of the last question.
    private(set) var asked = 0
    /// The number of the last answered question.
    private(set) var answered = 0

    init(_ value: Value) { self.value = value }

    mutating func wasAsked() { asked += 1 }

    mutating func came(_ value: Value) {
      self.value = value
      answered += 1
    }

    mutating func connectionBegan() { asked = answered }
  }

  private enum Setting<Value: Sendable & Equatable>: Sendable, Equatable {
    case undecided
    case decided(Value)
  }

  static let waitingLimit = 256
  static let callLimit = 16

  private(set) var listener: Int?
  /// Seconds; `nil` is without a limit.
  fileprivate(set) var remaining = Answer<Double?>(nil)
  fileprivate(set) var notifications = Answer<[LocalNotification]>([])
  private var tasks: [BackgroundTask] = []
  /// Seconds; `nil` is never.
  private var fetch = Setting<Double?>.undecided
  private var keepAlive = Setting<Double?>.undecided
  private var watchesSocket = Setting<Bool>.undecided
  private var playsAudio = Setting<Bool>.undecided
  /// The watched socket; `nil` if the app has handed none over, or taken it back.
  private var socket: SocketCopy?
  /// Orders that wait for a connection.
  private var waiting: [ClientMessage] = []
  /// The number of orders that were dropped since the last connection.
  private var givenUp = 0
  /// The number of calls that came before any listener could hear them.
  private(set) var unheard = 0
  /// Calls that wait for a listener.
  private var calls: [BackgroundNews] = []
  /// Handlers that have not returned, a reason for each call.
  private var handlers: [WakeReason] = []
  private var isLaunched = false

  fileprivate mutating func listen(_ id: Int) { listener = id }

  /// Whether the listener must be told of the launch, now and only now.
  fileprivate mutating func takesLaunch() -> Bool {
    guard listener != nil, !isLaunched else { return false }
    isLaunched = true
    return true
  }

  /// Notes a call; returns what the listener hears now.
  fileprivate mutating func called(_ reason: WakeReason, seconds: Double?) -> Called {
    guard calls.count < Self.callLimit else {
      unheard += 1
      return unheard == 1 ? .unheard(Self.words(unheard: reason)) : .waits
    }
    if reason.mustReturn { handlers.append(reason) }
    let news = BackgroundNews.called(reason, seconds: seconds)
    guard !isLaunched else { return .news(news) }
    calls.append(news)
    return .waits
  }

  /// What becomes of a call.
  fileprivate enum Called {
    case news(BackgroundNews)
    case waits
    /// The call is not passed on; the text reports that.
    case unheard(String)
  }

  fileprivate mutating func takeCalls() -> [BackgroundNews] {
    defer { calls.removeAll() }
    return calls
  }

  /// Notes an input; returns the message for the daemon about it.
  fileprivate mutating func change(_ input: Input) -> Saying? {
    switch input {
    case .listens: return nil
    case .begins(let task, let name):
      tasks.append(BackgroundTask(id: task, name: name))
      return .setting(.beginTask(id: task, name: name))
    case .ends(let task):
      guard let index = tasks.firstIndex(where: { $0.id == task }) else { return nil }
      tasks.remove(at: index)
      return .order(.endTask(task))
    case .fetches(let interval):
      fetch = .decided(interval)
      return .setting(.setFetchInterval(interval))
    case .keepsAlive(let interval):
      keepAlive = .decided(interval)
      return .setting(.setKeepAlive(interval))
    case .watchesSocket(let isOn):
      watchesSocket = .decided(isOn)
      if !isOn { socket = nil }
      return .setting(.watchSocket(isOn))
    case .handsOver(let copy):
      watchesSocket = .decided(true)
      socket = copy
      return .setting(.watchSocket(true))
    case .wasRefused(let copy, _):
      if socket == copy { socket = nil }
      return nil
    case .playsAudio(let isOn):
      playsAudio = .decided(isOn)
      return .setting(.audio(isOn))
    case .returns(let reason, let result):
      guard let index = handlers.firstIndex(of: reason) else { return nil }
      handlers.remove(at: index)
      return handlers.contains(reason) ? nil : .order(.returned(reason, result))
    case .schedules(let notification): return .order(.schedule(notification))
    case .cancels(let identifier): return .order(.cancelNotification(identifier))
    case .asks(.timeRemaining):
      remaining.wasAsked()
      return .question(.timeRemaining)
    case .asks(.notifications):
      notifications.wasAsked()
      return .question(.notifications)
    }
  }

  fileprivate enum Saying {
    /// A message that is repeated at the next welcome anyway.
    case setting(ClientMessage)
    case order(ClientMessage)
    /// A message that is useless later.
    case question(ClientMessage)
  }

  /// Keeps an order for the next connection; returns the complaint about the first that is dropped for it.
  fileprivate mutating func wait(_ order: ClientMessage) -> String? {
    switch order {
    case .background(.schedule(let notification)):
      waiting.removeAll { $0.scheduledIdentifier == notification.identifier }
    case .background(.cancelNotification(nil)): waiting.removeAll { $0.isAboutNotifications }
    default: break
    }
    waiting.append(order)
    guard waiting.count > Self.waitingLimit else { return nil }
    givenUp += 1
    let first = waiting.removeFirst()
    return givenUp == 1 ? Self.words(givingUp: first) : nil
  }

  private static func words(givingUp order: ClientMessage) -> String {
    let subject =
      order.scheduledIdentifier.map { "the notification '\($0)'" } ?? "a \(order.name)"
    return
      "milepost: \(waitingLimit) things that this app has said wait for milepostd, which is not there; the "
      + "oldest are given up for new ones, first \(subject); is milepostd running?"
  }

  private static func words(unheard reason: WakeReason) -> String {
    "milepost: this app was called \(callLimit) times and nobody in it listens; it is not told of any more calls, "
      + "first \(reason.rawValue); set UIApplication.shared.delegate when the process begins"
  }

  /// The complaint about dropped orders, once there is a connection.
  fileprivate mutating func takeComplaint() -> String? {
    guard givenUp > 0 else { return nil }
    defer { givenUp = 0 }
    return
      "milepost: milepostd is there; of what this app has said meanwhile the newest \(Self.waitingLimit) are "
      + "heard, and \(givenUp) before them are lost"
  }

  fileprivate var handedSocket: SocketCopy? { socket }

  /// The daemon has stopped the audio, so it knows.
  fileprivate mutating func stopAudio() { playsAudio = .undecided }

  /// All messages for a new connection.
  fileprivate mutating func takeWishes() -> [ClientMessage] {
    remaining.connectionBegan()
    notifications.connectionBegan()
    var wishes: [ClientMessage] = tasks.map { .beginTask(id: $0.id, name: $0.name) }
    if case .decided(let interval) = fetch { wishes.append(.setFetchInterval(interval)) }
    if case .decided(let interval) = keepAlive { wishes.append(.setKeepAlive(interval)) }
    if case .decided(let isOn) = watchesSocket { wishes.append(.watchSocket(isOn)) }
    if case .decided(let isOn) = playsAudio { wishes.append(.audio(isOn)) }
    wishes += waiting
    waiting.removeAll()
    return wishes
  }
}

extension SessionMachine {
  /// Whether this is the socket to watch now.
  func watches(_ socket: SocketCopy) -> Bool { background.handedSocket == socket }

  /// Whether there has never been a daemon.
  private var isAlone: Bool { hasComplained && accepted == nil }

  mutating func handle(_ input: AppBackground.Input, into actions: inout [Action]) {
    if case .listens(let id) = input {
      background.listen(id)
      return launch(into: &actions)
    }
    if case .wasRefused(let socket, let words) = input, watches(socket) {
      hand(news: .socketRefused(words), into: &actions)
    }
    switch background.change(input) {
    case .setting(let message)?, .question(let message)?:
      if isGreeted { actions.append(.send(message)) }
    case .order(let message)?:
      if isGreeted {
        actions.append(.send(message))
      } else if let words = background.wait(message) {
        actions.append(.complain(words))
      }
    case nil: break
    }
    if case .handsOver(let socket) = input, isGreeted { actions.append(.handOver(socket)) }
  }

  /// Sends the background settings and waiting orders after a welcome.
  mutating func sayBackground(isFirst: Bool, into actions: inout [Action]) {
    if let words = background.takeComplaint() { actions.append(.complain(words)) }
    actions += background.takeWishes().map { .send($0) }
    if let socket = background.handedSocket { actions.append(.handOver(socket)) }
    if isFirst, let launchReason, !launchReason.isOfPlace {
      call(launchReason, seconds: nil, into: &actions)
    }
    launch(into: &actions)
  }

  /// Tells the listener of the launch, if there is a listener and the launch is known or no daemon can report it.
  mutating func launch(into actions: inout [Action]) {
    guard isGreeted || isAlone, background.takesLaunch() else { return }
    hand(news: .launched(launchReason, into: state ?? .active), into: &actions)
    // A state that is only assumed causes no callback.
    if case .told(let state) = toldState, let listener = background.listener {
      actions.append(.hand(.state(state), to: listener))
    }
    for call in background.takeCalls() { hand(news: call, into: &actions) }
  }

  private mutating func call(
    _ reason: WakeReason, seconds: Double?, into actions: inout [Action]
  ) {
    switch background.called(reason, seconds: seconds) {
    case .news(let news): hand(news: news, into: &actions)
    case .waits: break
    case .unheard(let words): actions.append(.complain(words))
    }
  }

  private func hand(news: BackgroundNews, into actions: inout [Action]) {
    guard let listener = background.listener else { return }
    actions.append(.hand(.background(news), to: listener))
  }

  /// Handles a message of the daemon about background work.
  mutating func hearOfBackground(_ message: ServerMessage, into actions: inout [Action]) {
    switch message {
    case .wake(let reason, let seconds): call(reason, seconds: seconds, into: &actions)
    case .tasksExpire(let tasks, let seconds):
      hand(news: .expiring(tasks, seconds: seconds), into: &actions)
    case .audioStopped:
      background.stopAudio()
      hand(news: .audioStopped, into: &actions)
    case .notification(let notification): hand(news: .notification(notification), into: &actions)
    case .timeRemaining(let seconds): background.remaining.came(seconds)
    case .notifications(let all): background.notifications.came(all)
    default: break
    }
  }
}

extension ClientMessage {
  /// The name of the notification that this message schedules; `nil` for all others.
  fileprivate var scheduledIdentifier: String? {
    if case .background(.schedule(let notification)) = self { notification.identifier } else { nil }
  }

  fileprivate var isAboutNotifications: Bool {
    switch self {
    case .background(.schedule), .background(.cancelNotification): true
    default: false
    }
  }
}
