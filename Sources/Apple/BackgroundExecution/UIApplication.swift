// SPDX-License-Identifier: Apache-2.0

import ControlClient
import Dispatch
public import Foundation
package import LocationClient
import LocationModel

// Theory
// ======
//
// Each session has one object, so that in a replay each life of an app has its own. The session passes on the news of
// `AppBackground` on the main queue. News for the delegate waits until there is one; handlers that were given to this
// object (for expiring tasks, for keep-alives) are called without a delegate.
//
//   told ─► a delegate is there? ──yes──► launched, states, calls, notifications: in the order of their coming
//               │no
//               ▼
//             waits for one (at most 64; then the newest are not told)
//
// Handlers are called on the main queue, one at a time; so they need not be `Sendable` if the app's own code runs there
// too.

/// The app as a whole: its state, its background time, its wakes and its notifications.
///
///     let application = UIApplication.shared
///     var task = UIBackgroundTaskIdentifier.invalid
///     task = application.beginBackgroundTask { application.endBackgroundTask(task) }
///     upload(positions) { application.endBackgroundTask(task) }
///
/// Modelled on UIKit's; any thread may use it.
public final class UIApplication: NSObject, @unchecked Sendable {
  let session: LocationSession
  // `lock` guards everything below it.
  private let lock = NSLock()
  private weak var heldDelegate: (any UIApplicationDelegate)?
  private weak var heldExtension: (any CLLocationPushServiceExtension)?
  private var isListening = false
  private var untold: [Notice] = []
  private var life: LifeCallbacks?
  /// The app's state for the duration of a callback.
  private var stateInCallback: State?
  private var lastTask: UInt32 = 0
  private var expirations: [UInt32: Handler] = [:]
  private var keepAlive: Handler?
  private var isPlaying = false
  private var isWatching = false
  private var badge = 0
  private var endsWithItsLife = false
  /// The state of `BGTaskScheduler` in this process.
  let refreshTasks: RefreshTasks
  /// The target of `UNUserNotificationCenter`.
  let presentation = NotificationPresentation()

  /// The calls of which no method of the delegate hears, once each.
  private var unheard: Set<DelegateCall> = []

  private static let untoldLimit = 64

  private struct Handler: @unchecked Sendable {
    // Called only on the main queue.
    let call: () -> Void
  }

  private init(_ session: LocationSession) {
    self.session = session
    refreshTasks = RefreshTasks(session)
  }

  /// The app of this process; in a replay, of the caller's life.
  public static var shared: UIApplication {
    let session = LocationSession.current
    let application = session.app { UIApplication(session) }
    application.listen()
    return application
  }

  private func listen() {
    let isNew = lock.withLock {
      defer { isListening = true }
      return !isListening
    }
    if isNew { session.background(.listens(session.join(self))) }
  }

  /// The delegate of the app's life; not retained. The launch is its first call.
  public weak var delegate: (any UIApplicationDelegate)? {
    get { lock.withLock { heldDelegate } }
    set {
      lock.withLock { heldDelegate = newValue }
      if newValue != nil { session.post(on: .main) { self.tellWhatWaits() } }
    }
  }

  /// Ours: the handler of pushes that ask for the device's location; not retained. On a phone it is an extension in a
  /// separate process; here it is the app's. Without one, a push gets an empty answer.
  public weak var locationPushExtension: (any CLLocationPushServiceExtension)? {
    get { lock.withLock { heldExtension } }
    set { lock.withLock { heldExtension = newValue } }
  }

  /// Whether the process ends when `applicationWillTerminate` has returned.
  var endsProcess: Bool {
    get { lock.withLock { endsWithItsLife } }
    set { lock.withLock { endsWithItsLife = newValue } }
  }

  // MARK: State

  /// The state of an app that runs code.
  public enum State: Int, Sendable {
    case active = 0
    case inactive = 1
    case background = 2
  }

  /// The app's state as its delegate has been told; active without a daemon.
  public var applicationState: State {
    let told = lock.withLock { stateInCallback ?? life?.state }
    if let told { return told }
    guard let state = session.state else { return .active }
    return State(state) ?? .background
  }

  /// The seconds for which the app may still run; `Double.greatestFiniteMagnitude` in the foreground, and in the
  /// background without a limit (continuous location, audio).
  ///
  /// The daemon is asked, since only it knows all that holds the app. Earlier messages count: a task that has just
  /// begun is included. 0 if the daemon does not answer within 200 ms.
  public var backgroundTimeRemaining: TimeInterval {
    switch session.state {
    case .active?, .inactive?, nil: return .greatestFiniteMagnitude
    case .background?, .suspended?, .notRunning?: break
    }
    return min(session.timeRemaining() ?? 0, .greatestFiniteMagnitude)
  }

  // MARK: Tasks

  /// Requests time to finish work in the background; each call needs its own `endBackgroundTask`.
  ///
  /// All tasks together have the era's time (600, 180 or 30 s) once the app is in the background and nothing else holds
  /// it. `handler` is called on the main queue 5 s before the limit; a task that has not ended by then ends the app. A
  /// first task that begins in those 5 s is over at once: its `handler` is called, and the app lives on.
  ///
  /// Returns `.invalid` without multitasking: the app runs only in front, and nothing continues.
  public func beginBackgroundTask(
    withName taskName: String?, expirationHandler handler: (() -> Void)? = nil
  ) -> UIBackgroundTaskIdentifier {
    guard !session.circumstances.isFrontOnly else { return .invalid }
    let expiration = handler.map { Handler(call: $0) }
    let id = lock.withLock {
      lastTask += 1
      expirations[lastTask] = expiration
      return lastTask
    }
    session.background(.begins(task: id, name: taskName ?? ""))
    return UIBackgroundTaskIdentifier(rawValue: Int(id))
  }

  /// The same without a name.
  public func beginBackgroundTask(
    expirationHandler handler: (() -> Void)? = nil
  ) -> UIBackgroundTaskIdentifier {
    beginBackgroundTask(withName: nil, expirationHandler: handler)
  }

  /// Ends the task; one that is not under way, or `.invalid`, changes nothing.
  public func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {
    guard let id = UInt32(exactly: identifier.rawValue) else { return }
    lock.withLock { expirations[id] = nil }
    session.background(.ends(task: id))
  }

  // MARK: Being called

  /// Seconds; the system chooses the interval.
  public static let backgroundFetchIntervalMinimum: TimeInterval = 0
  /// Never.
  public static let backgroundFetchIntervalNever: TimeInterval = .greatestFiniteMagnitude

  /// Sets the minimum seconds between two fetches; needs the declared mode `fetch`. Holds until it is changed, also for
  /// later processes.
  public func setMinimumBackgroundFetchInterval(_ minimumBackgroundFetchInterval: TimeInterval) {
    let never = minimumBackgroundFetchInterval >= Self.backgroundFetchIntervalNever
    let interval = min(max(0, minimumBackgroundFetchInterval), Self.longestInterval)
    session.background(.fetches(every: never ? nil : interval))
  }

  /// Sets a handler that is called within every `timeout` seconds, often earlier, and has 30 s to return; needs the
  /// declared mode `voip`. Returns `false`, and changes nothing, if `timeout` is below 600 s.
  @discardableResult
  public func setKeepAliveTimeout(
    _ timeout: TimeInterval, handler keepAliveHandler: (() -> Void)? = nil
  ) -> Bool {
    guard timeout >= KeepAlive.shortest else { return false }
    let handler = keepAliveHandler.map { Handler(call: $0) }
    lock.withLock { keepAlive = handler }
    session.background(.keepsAlive(every: min(timeout, Self.longestInterval)))
    return true
  }

  /// Removes the keep-alive handler.
  public func clearKeepAliveTimeout() {
    lock.withLock { keepAlive = nil }
    session.background(.keepsAlive(every: nil))
  }

  /// Seconds; about 32 years.
  private static let longestInterval = 1e9

  /// Ours: whether the app plays audio, which keeps it running in the background if it declares the mode `audio`. On
  /// phones the audio session knows; here the app sets it.
  public var playsAudio: Bool {
    get { lock.withLock { isPlaying } }
    set {
      lock.withLock { isPlaying = newValue }
      session.background(.playsAudio(newValue))
    }
  }

  /// Ours: whether the app is woken when data arrives for it while it is suspended (`EVENT` in the control protocol
  /// reports data), or when the network changes; needs the declared mode `voip`. The delegate receives `didWakeFor:
  /// .socket`. `handOverSocket` sets it; `false` takes the socket back.
  public var watchesSocket: Bool {
    get { lock.withLock { isWatching } }
    set {
      lock.withLock { isWatching = newValue }
      session.background(.watchesSocket(newValue))
    }
  }

  /// Ours: hands over the app's one signalling socket, which the daemon watches for as long as the app is suspended:
  /// data on it, or its end, wakes the app, and the delegate receives `didWakeFor: .socket`. Needs the declared mode
  /// `voip`, and an era that has it.
  ///
  /// The app keeps `descriptor`, and reads the data. A copy is kept here, and handed to a new daemon too: before the
  /// app closes its own it sets `watchesSocket = false`, else the connection stays open. Another socket replaces it. If
  /// it cannot be watched, the delegate receives `didFailToHandOverSocket`.
  public func handOverSocket(_ descriptor: Int32) {
    do {
      let copy = try SocketCopy(of: descriptor)
      lock.withLock { isWatching = true }
      session.background(.handsOver(copy))
    } catch {
      receive(.background(.socketRefused(error.description)))
    }
  }

  /// The number on the app's icon. Remembered by this process; the user sees those of notifications.
  public var applicationIconBadgeNumber: Int {
    get { lock.withLock { badge } }
    set { lock.withLock { badge = newValue } }
  }

  // MARK: Telling

  /// A default method of a delegate was called for that: says so once.
  func isUnheard(_ call: DelegateCall, by delegate: any AnyObject) {
    guard lock.withLock({ unheard.insert(call).inserted }) else { return }
    session.complain(call.words(unheardBy: delegate))
  }

  private func hear(notice: Notice) {
    if case .background(let news) = notice {
      switch news {
      case .expiring(let tasks, _): return expire(tasks)
      case .called(.keepAlive, _):
        lock.withLock { keepAlive }?.call()
        return session.background(.returns(.keepAlive, nil))
      case .called(.locationPush, _): return askWhereItIs()
      case .called(.fetch, _) where refreshTasks.call(by: self, returned: completion(of: .fetch)):
        return
      case .notification(let due) where presentation.takes(due, at: session.now()): return
      case .launched, .called, .audioStopped, .socketRefused, .notification: break
      }
    }
    lock.withLock { if untold.count < Self.untoldLimit { untold.append(notice) } }
    tellWhatWaits()
  }

  private func askWhereItIs() {
    let completion = completion(of: .locationPush)
    guard let asked = locationPushExtension else { return completion(.noData) }
    asked.didReceiveLocationPushPayload([:]) { completion(.newData) }
  }

  private func expire(_ tasks: [UInt32]) {
    for task in tasks {
      // Called once: the app decides how to react.
      let handler = lock.withLock { expirations.removeValue(forKey: task) }
      handler?.call()
    }
  }

  private func tellWhatWaits() {
    while let delegate {
      let next = lock.withLock { untold.isEmpty ? nil : untold.removeFirst() }
      guard let next else { return }
      tell(notice: next, to: delegate)
    }
  }

  private func tell(notice: Notice, to delegate: any UIApplicationDelegate) {
    switch notice {
    case .background(.launched(let reason, let state)):
      lock.withLock { life = LifeCallbacks(launchedInto: state) }
      let options = LaunchOptionsKey.options(reason)
      _ = delegate.application(self, willFinishLaunchingWithOptions: options)
      _ = delegate.application(self, didFinishLaunchingWithOptions: options)
      delegate.applicationDidFinishLaunching(self)
      NotificationCenter.default.post(name: Self.didFinishLaunchingNotification, object: self)
    case .state(let state):
      for callback in lock.withLock({ life?.follow(state: state) }) ?? [] {
        tell(callback: callback, to: delegate)
      }
    case .willTerminate:
      delegate.applicationWillTerminate(self)
      NotificationCenter.default.post(name: Self.willTerminateNotification, object: self)
      if endsProcess { exit(EXIT_SUCCESS) }
    case .background(.called(let reason, let seconds)): call(reason, seconds, of: delegate)
    case .background(.audioStopped):
      lock.withLock { isPlaying = false }
      delegate.applicationAudioDidStop(self)
    case .background(.socketRefused(let words)):
      delegate.application(self, didFailToHandOverSocket: SocketHandOverError(words))
    case .background(.notification(let notification)):
      delegate.application(self, didReceive: UILocalNotification(notification))
    default: break
    }
  }

  private func tell(
    callback: LifeCallbacks.Callback, to delegate: any UIApplicationDelegate
  ) {
    lock.withLock { stateInCallback = callback.state }
    defer { lock.withLock { stateInCallback = nil } }
    let name: Notification.Name
    switch callback {
    case .didBecomeActive:
      delegate.applicationDidBecomeActive(self)
      name = Self.didBecomeActiveNotification
    case .willResignActive:
      delegate.applicationWillResignActive(self)
      name = Self.willResignActiveNotification
    case .didEnterBackground:
      delegate.applicationDidEnterBackground(self)
      name = Self.didEnterBackgroundNotification
    case .willEnterForeground:
      delegate.applicationWillEnterForeground(self)
      name = Self.willEnterForegroundNotification
    }
    NotificationCenter.default.post(name: name, object: self)
  }

  private func call(
    _ reason: WakeReason, _ seconds: Double?, of delegate: any UIApplicationDelegate
  ) {
    switch reason {
    case .fetch:
      delegate.application(self, performFetchWithCompletionHandler: completion(of: reason))
    case .push:
      delegate.application(
        self, didReceiveRemoteNotification: [:], fetchCompletionHandler: completion(of: reason))
    default: delegate.application(self, didWakeFor: CLLaunchReason(reason), seconds: seconds)
    }
  }

  /// A completion that reports a handler's return; only its first call counts.
  private func completion(of reason: WakeReason) -> @Sendable (UIBackgroundFetchResult) -> Void {
    let once = Once()
    return { [weak self] result in
      guard once.isFirst() else { return }
      self?.session.background(.returns(reason, FetchResult(result)))
    }
  }
}

extension UIApplication: LocationSession.Consumer {
  package func receive(_ notice: Notice) {
    if let ticket = notice.ticket { session.finished(ticket) }
    switch notice {
    case .background, .state, .willTerminate: session.post(on: .main) { self.hear(notice: notice) }
    default: break
    }
  }

  package func sessionClosed() {
    lock.withLock {
      heldDelegate = nil
      presentation.delegate = nil
      expirations = [:]
      keepAlive = nil
    }
  }
}
