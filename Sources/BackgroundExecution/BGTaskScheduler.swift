// SPDX-License-Identifier: Apache-2.0

public import Dispatch
public import Foundation
import LocationClient
import LocationModel

// Theory
// ======
//
// A refresh task is a background fetch that is asked for each time anew:
//
//   submitted ─► the fetch interval is what is left until `earliestBeginDate`
//   called for a fetch ─► no request pends ─► its launch handler has a `BGTask` ─► completed: the fetch has returned
//                                                   └ 5 s before its time is over: expirationHandler
//
// One refresh request pends at a time, as on phones; it outlives the process, and whoever is called in a later one is the
// first handler that was registered there. What tells of the end is a background task that is begun with the call, since
// both have 30 s from the same moment.
//
// A processing task has minutes, while the device is idle and charges. Nothing here gives that, so none is taken.

/// Has an app called in the background when it may refresh what it shows.
///
/// Shaped like BackgroundTasks' scheduler; any thread may use it. The app declares the mode `fetch`. Identifiers need not be
/// permitted in an Info.plist.
public final class BGTaskScheduler: NSObject, Sendable {
  /// That of this process; in a replay it is of the life that asks.
  public static let shared = BGTaskScheduler()

  private override init() { super.init() }

  private var tasks: RefreshTasks { UIApplication.shared.refreshTasks }

  /// Says who is called for a task of this name, on which queue (`nil`: the main one). Answers `false`, and changes nothing,
  /// where somebody is already.
  @discardableResult
  public func register(
    forTaskWithIdentifier identifier: String, using queue: DispatchQueue?,
    launchHandler: @escaping (BGTask) -> Void
  ) -> Bool { tasks.register(identifier, queue ?? .main, launchHandler) }

  /// Asks for one call. A request of the same name takes the place of the one that pends.
  ///
  /// Throws `BGTaskScheduler.Error`: `notPermitted` where nobody is registered under its name, `tooManyPendingTaskRequests`
  /// where another refresh pends, `unavailable` for a processing task.
  public func submit(_ taskRequest: BGTaskRequest) throws {
    guard let refresh = taskRequest as? BGAppRefreshTaskRequest else {
      throw Error(
        .unavailable,
        "processing tasks are not here: nothing gives an app minutes while the device charges")
    }
    try tasks.submit(refresh)
  }

  /// One that does not pend changes nothing.
  public func cancel(taskRequestWithIdentifier identifier: String) { tasks.cancel(identifier) }

  /// Also what an earlier process of the app has submitted.
  public func cancelAllTaskRequests() { tasks.cancel(nil) }

  /// Those that this process has submitted.
  public func pendingTaskRequests() async -> [BGTaskRequest] { tasks.requests }

  /// The same, on the main queue.
  public func getPendingTaskRequests(
    completionHandler: @escaping @Sendable ([BGTaskRequest]) -> Void
  ) { tasks.tellRequests(completionHandler) }

  /// Why a request was not taken.
  public struct Error: Swift.Error, CustomNSError, LocalizedError, Sendable, Equatable {
    public enum Code: Int, Sendable {
      case unavailable = 1
      case tooManyPendingTaskRequests = 2
      case notPermitted = 3
    }

    public let code: Code
    /// What is wrong, and what to do.
    public let errorDescription: String?

    init(_ code: Code, _ words: String) { (self.code, errorDescription) = (code, words) }

    public static let errorDomain = "BGTaskSchedulerErrorDomain"
    public var errorCode: Int { code.rawValue }
    public var errorUserInfo: [String: Any] {
      [NSLocalizedDescriptionKey: errorDescription ?? ""]
    }
  }
}

/// What is asked for.
open class BGTaskRequest: NSObject, @unchecked Sendable {
  // Copied when it is submitted.
  public let identifier: String
  /// Not before then; `nil` leaves it to the system, which calls at most every 15 minutes.
  open var earliestBeginDate: Date?

  init(named identifier: String) { self.identifier = identifier }
}

/// A call in which an app brings up to date what it shows.
public final class BGAppRefreshTaskRequest: BGTaskRequest, @unchecked Sendable {
  public init(identifier: String) { super.init(named: identifier) }

  convenience init(_ other: BGAppRefreshTaskRequest) {
    self.init(identifier: other.identifier)
    earliestBeginDate = other.earliestBeginDate
  }
}

/// Minutes of work while the device charges: `submit` throws `unavailable`.
public final class BGProcessingTaskRequest: BGTaskRequest, @unchecked Sendable {
  public var requiresNetworkConnectivity = false
  public var requiresExternalPower = false

  public init(identifier: String) { super.init(named: identifier) }
}

/// One call.
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
    // It holds the call until its end, as the system does.
    let background = application.beginBackgroundTask(withName: identifier) { self.expire() }
    lock.withLock { self.background = background }
  }

  /// Called on the main queue 5 s before the app is ended for a task that it does not complete.
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

  /// Says that the work is done; once, what follows changes nothing.
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
    // Called on the queue that it was registered with.
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
    // An interval that is named again would go on from its first time.
    session.background(.fetches(every: nil))
    session.background(.fetches(every: min(wait, 1e9)))
  }

  /// `nil`: whichever pends.
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

  /// Calls whoever is registered; answers whether anybody is. `returned` is called when the task is completed.
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
