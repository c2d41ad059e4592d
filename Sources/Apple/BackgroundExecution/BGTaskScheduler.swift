// SPDX-License-Identifier: Apache-2.0

public import Dispatch
public import Foundation
import LocationClient
import LocationModel

// Theory
// ======
//
// A refresh task is a background fetch that the app requests anew each time:
//
//   submitted ─► the fetch interval is what is left until `earliestBeginDate`
//   called for a fetch ─► no request pends ─► its launch handler has a `BGTask` ─► completed: the fetch has returned
//                                                   └ 5 s before its time is over: expirationHandler
//
// One refresh request is pending at a time, as on phones. It outlives the process; a later process calls the first
// handler that it registers. The end of the task is timed by a background task that begins with the call, since both
// have 30 s from the same moment.
//
// A processing task has minutes, while the device is idle and charges. Milepost cannot provide that, so it refuses
// them.

/// Schedules calls in which an app may refresh its content in the background.
///
///     _ = BGTaskScheduler.shared.register(forTaskWithIdentifier: "feed", using: nil) { task in
///       load { task.setTaskCompleted(success: true) }
///     }
///     let request = BGAppRefreshTaskRequest(identifier: "feed")
///     request.earliestBeginDate = Date(timeIntervalSinceNow: 900)
///     try BGTaskScheduler.shared.submit(request)
///
/// Modelled on the scheduler of BackgroundTasks; any thread may use it. The app declares the mode `fetch`. Identifiers
/// need no permission in an Info.plist.
public final class BGTaskScheduler: NSObject, Sendable {
  /// The scheduler of this process; in a replay, of the caller's life.
  public static let shared = BGTaskScheduler()

  private override init() { super.init() }

  private var tasks: RefreshTasks { UIApplication.shared.refreshTasks }

  /// Registers the handler for tasks of this name, and its queue (`nil`: the main one). Returns `false`, and changes
  /// nothing, if a handler is already registered.
  @discardableResult
  public func register(
    forTaskWithIdentifier identifier: String, using queue: DispatchQueue?,
    launchHandler: @escaping (BGTask) -> Void
  ) -> Bool { tasks.register(identifier, queue ?? .main, launchHandler) }

  /// Requests one call. A request replaces a pending one with the same name.
  ///
  /// Throws `BGTaskScheduler.Error`: `notPermitted` if no handler is registered under its name,
  /// `tooManyPendingTaskRequests` if another refresh is pending, `unavailable` for a processing task.
  public func submit(_ taskRequest: BGTaskRequest) throws {
    guard let refresh = taskRequest as? BGAppRefreshTaskRequest else {
      throw Error(
        .unavailable,
        "processing tasks are not here: nothing gives an app minutes while the device charges")
    }
    try tasks.submit(refresh)
  }

  /// Cancels a pending request; otherwise changes nothing.
  public func cancel(taskRequestWithIdentifier identifier: String) { tasks.cancel(identifier) }

  /// Cancels all requests, also those of an earlier process of the app.
  public func cancelAllTaskRequests() { tasks.cancel(nil) }

  /// The pending requests that this process has submitted.
  public func pendingTaskRequests() async -> [BGTaskRequest] { tasks.requests }

  /// The same, on the main queue.
  public func getPendingTaskRequests(
    completionHandler: @escaping @Sendable ([BGTaskRequest]) -> Void
  ) { tasks.tellRequests(completionHandler) }

  /// The reason why a request was refused.
  public struct Error: Swift.Error, CustomNSError, LocalizedError, Sendable, Equatable {
    public enum Code: Int, Sendable {
      case unavailable = 1
      case tooManyPendingTaskRequests = 2
      case notPermitted = 3
    }

    public let code: Code
    /// The fault and its remedy.
    public let errorDescription: String?

    init(_ code: Code, _ words: String) { (self.code, errorDescription) = (code, words) }

    public static let errorDomain = "BGTaskSchedulerErrorDomain"
    public var errorCode: Int { code.rawValue }
    public var errorUserInfo: [String: Any] {
      [NSLocalizedDescriptionKey: errorDescription ?? ""]
    }
  }
}

/// A request for a task.
open class BGTaskRequest: NSObject, @unchecked Sendable {
  // Copied on submission.
  public let identifier: String
  /// The earliest start; `nil` leaves it to the system, which calls at most every 15 minutes.
  open var earliestBeginDate: Date?

  init(named identifier: String) { self.identifier = identifier }
}

/// A request for a call in which an app refreshes its content.
public final class BGAppRefreshTaskRequest: BGTaskRequest, @unchecked Sendable {
  public init(identifier: String) { super.init(named: identifier) }

  convenience init(_ other: BGAppRefreshTaskRequest) {
    self.init(identifier: other.identifier)
    earliestBeginDate = other.earliestBeginDate
  }
}

/// A request for minutes of work while the device charges: `submit` throws `unavailable`.
public final class BGProcessingTaskRequest: BGTaskRequest, @unchecked Sendable {
  public var requiresNetworkConnectivity = false
  public var requiresExternalPower = false

  public init(identifier: String) { super.init(named: identifier) }
}

/// One call of a task.
open class BGTask: NSObject, @unchecked Sendable {
  public let identifier: String
  private let application: UIApplication
  private let returned: @Sendable (UIBackgroundFetchResult) -> Void
  // `lock` guards everything below it.
  private let lock = NSLock()
  private var expires: (() -> Void)?
  private var hasExpired = false
  private var background: UIBackgroundTaskIdentifier?

  init(
    _ identifier: String, _ application: UIApplication,
    _ returned: @escaping @Sendable (UIBackgroundFetchResult) -> Void
  ) {
    self.identifier = identifier
    self.application = application
    self.returned = returned
    super.init()
    // It keeps the call alive until its end, as the system does.
    let background = application.beginBackgroundTask(withName: identifier) { self.expire() }
    lock.withLock { self.background = background }
  }

  /// Called on the main queue 5 s before the app is ended for a task that it has not completed.
  open var expirationHandler: (() -> Void)? {
    get { lock.withLock { expires } }
    set {
      let isLate = lock.withLock {
        expires = newValue
        return hasExpired
      }
      if isLate { newValue?() }
    }
  }

  private func expire() {
    let handler = lock.withLock {
      hasExpired = true
      return expires
    }
    handler?()
  }

  /// Completes the task; later calls change nothing.
  open func setTaskCompleted(success: Bool) {
    let background = lock.withLock {
      defer { self.background = nil }
      expires = nil
      return self.background
    }
    guard let background else { return }
    application.endBackgroundTask(background)
    returned(success ? .newData : .failed)
  }
}

public final class BGAppRefreshTask: BGTask, @unchecked Sendable {}

/// The refresh tasks of one process.
final class RefreshTasks: @unchecked Sendable {
  private let session: LocationSession
  // `lock` guards everything below it.
  private let lock = NSLock()
  private var handlers: [(identifier: String, queue: DispatchQueue, launch: Launch)] = []
  private var pending: BGAppRefreshTaskRequest?

  private struct Launch: @unchecked Sendable {
    // Called on the queue of its registration.
    let call: (BGTask) -> Void
  }

  init(_ session: LocationSession) { self.session = session }

  func register(
    _ identifier: String, _ queue: DispatchQueue, _ launch: @escaping (BGTask) -> Void
  ) -> Bool {
    let launch = Launch(call: launch)
    return lock.withLock {
      guard !handlers.contains(where: { $0.identifier == identifier }) else { return false }
      handlers.append((identifier, queue, launch))
      return true
    }
  }

  func submit(_ request: BGAppRefreshTaskRequest) throws {
    let copy = BGAppRefreshTaskRequest(request)
    try lock.withLock {
      guard handlers.contains(where: { $0.identifier == copy.identifier }) else {
        throw BGTaskScheduler.Error(
          .notPermitted,
          "nobody is registered for '\(copy.identifier)'; call register(forTaskWithIdentifier:using:launchHandler:) "
            + "before the launch is over")
      }
      if let pending, pending.identifier != copy.identifier {
        throw BGTaskScheduler.Error(
          .tooManyPendingTaskRequests,
          "'\(pending.identifier)' pends, and one refresh can at a time; cancel it first")
      }
      pending = copy
    }
    let wait = copy.earliestBeginDate.map { max(0, $0.timeIntervalSince(session.now())) } ?? 0
    // Repeating an interval would continue it from its first time.
    session.background(.fetches(every: nil))
    session.background(.fetches(every: min(wait, 1e9)))
  }

  /// `nil`: any pending request.
  func cancel(_ identifier: String?) {
    let isMeant = lock.withLock {
      guard identifier == nil || pending?.identifier == identifier else { return false }
      pending = nil
      return true
    }
    if isMeant { session.background(.fetches(every: nil)) }
  }

  var requests: [BGTaskRequest] {
    lock.withLock { pending.map { [BGAppRefreshTaskRequest($0)] } ?? [] }
  }

  func tellRequests(_ tell: @escaping @Sendable ([BGTaskRequest]) -> Void) {
    let requests = requests
    session.post(on: .main) { tell(requests) }
  }

  /// Calls the registered handler; returns whether there is one. `returned` is called when the task is completed.
  func call(
    by application: UIApplication,
    returned: @escaping @Sendable (UIBackgroundFetchResult) -> Void
  ) -> Bool {
    let (handler, identifier) = lock.withLock {
      let asked = pending?.identifier
      pending = nil
      return (handlers.first { $0.identifier == asked } ?? handlers.first, asked)
    }
    guard let handler else { return false }
    session.background(.fetches(every: nil))
    let task = BGAppRefreshTask(identifier ?? handler.identifier, application, returned)
    session.post(on: handler.queue) { handler.launch.call(task) }
    return true
  }
}
