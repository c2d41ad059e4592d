// SPDX-License-Identifier: Apache-2.0

public import Foundation
import LocationClient
import LocationModel

// Theory
// ======
//
// A request is a local notification of the app (`LocalNotification`), under its identifier. Its content travels with it
// as data for the app, so that a later process receives it whole. A trigger becomes a time and, if it repeats, a unit
// of the calendar:
//
//   none                                        now
//   time interval                               that many seconds from now; repeats each minute, hour, day or week
//   calendar: month, day …                      the next such date; repeats each year
//             day …                                                       each month
//             weekday …                                                   each week
//             hour …                                                      each day
//             minute …                                                    each hour
//
// While the app is active, its delegate decides what the user sees; here the user is never alerted then.

/// The notifications of an app.
///
///     let content = UNMutableNotificationContent()
///     content.title = "Parcel"
///     content.body = "It is at the shop."
///     let trigger = UNTimeIntervalNotificationTrigger(timeInterval: 600, repeats: false)
///     try await UNUserNotificationCenter.current().add(
///       UNNotificationRequest(identifier: "parcel", content: content, trigger: trigger))
///
/// Modelled on the center of UserNotifications; any thread may use it. The manifest (`notifications`) says whether the
/// user allows them; there is no prompt.
public final class UNUserNotificationCenter: NSObject, Sendable {
  private static let center = UNUserNotificationCenter()

  private override init() { super.init() }

  /// The center of this process; in a replay, of the caller's life.
  public class func current() -> UNUserNotificationCenter { center }

  private var session: LocationSession { UIApplication.shared.session }

  /// The recipient of notifications that are due while the app is active; not retained.
  public var delegate: (any UNUserNotificationCenterDelegate)? {
    get { UIApplication.shared.presentation.delegate }
    set { UIApplication.shared.presentation.delegate = newValue }
  }

  // MARK: Permission

  /// Returns the manifest's setting at once, on the main queue.
  public func requestAuthorization(
    options: UNAuthorizationOptions = [],
    completionHandler: @escaping @Sendable (Bool, (any Swift.Error)?) -> Void
  ) {
    let session = session
    let isGranted = session.circumstances.mayNotify
    session.post(on: .main) { completionHandler(isGranted, nil) }
  }

  public func requestAuthorization(options: UNAuthorizationOptions = []) async throws -> Bool {
    session.circumstances.mayNotify
  }

  public func notificationSettings() async -> UNNotificationSettings {
    UNNotificationSettings(isAllowed: session.circumstances.mayNotify)
  }

  public func getNotificationSettings(
    completionHandler: @escaping @Sendable (UNNotificationSettings) -> Void
  ) {
    let session = session
    let settings = UNNotificationSettings(isAllowed: session.circumstances.mayNotify)
    session.post(on: .main) { completionHandler(settings) }
  }

  // MARK: Requests

  /// Schedules a notification; at most 128 of an app wait, and one more is refused (see `milepost apps log`). It
  /// replaces one with the same identifier.
  ///
  /// The completion has a `UNError` if the trigger can never fire, or repeats by no unit of the calendar.
  public func add(
    _ request: UNNotificationRequest,
    withCompletionHandler completionHandler: (@Sendable ((any Swift.Error)?) -> Void)? = nil
  ) {
    let session = session
    var failure: (any Swift.Error)?
    do { try schedule(request) } catch { failure = error }
    if let completionHandler {
      let told = failure
      session.post(on: .main) { completionHandler(told) }
    }
  }

  public func add(_ request: UNNotificationRequest) async throws { try schedule(request) }

  private func schedule(_ request: UNNotificationRequest) throws {
    let session = session
    session.background(.schedules(try request.value(now: session.now())))
  }

  /// The pending requests, also of earlier processes; empty if the daemon does not answer within 200 ms.
  public func pendingNotificationRequests() async -> [UNNotificationRequest] { pending }

  public func getPendingNotificationRequests(
    completionHandler: @escaping @Sendable ([UNNotificationRequest]) -> Void
  ) {
    let (session, requests) = (session, pending)
    session.post(on: .main) { completionHandler(requests) }
  }

  private var pending: [UNNotificationRequest] {
    (session.scheduledNotifications() ?? []).map { UNNotificationRequest($0) }
  }

  public func removePendingNotificationRequests(withIdentifiers identifiers: [String]) {
    for identifier in identifiers { session.background(.cancels(identifier)) }
  }

  public func removeAllPendingNotificationRequests() { session.background(.cancels(nil)) }

  /// Always empty: shown notifications belong to the desktop.
  public func deliveredNotifications() async -> [UNNotification] { [] }

  /// Changes nothing: shown notifications belong to the desktop.
  public func removeDeliveredNotifications(withIdentifiers identifiers: [String]) {}
  public func removeAllDeliveredNotifications() {}

  // MARK: Categories

  /// Remembered by this process; notifications here have no buttons.
  public func setNotificationCategories(_ categories: Set<UNNotificationCategory>) {
    UIApplication.shared.presentation.categories = categories
  }

  public func notificationCategories() async -> Set<UNNotificationCategory> {
    UIApplication.shared.presentation.categories
  }

  public func getNotificationCategories(
    completionHandler: @escaping @Sendable (Set<UNNotificationCategory>) -> Void
  ) {
    let categories = UIApplication.shared.presentation.categories
    session.post(on: .main) { completionHandler(categories) }
  }

  /// As `UIApplication.applicationIconBadgeNumber`.
  public func setBadgeCount(
    _ newBadgeCount: Int,
    withCompletionHandler completionHandler: (@Sendable ((any Swift.Error)?) -> Void)? = nil
  ) {
    let application = UIApplication.shared
    application.applicationIconBadgeNumber = newBadgeCount
    if let completionHandler { application.session.post(on: .main) { completionHandler(nil) } }
  }
}

/// The events of a center, on the main queue; all methods have defaults. An asynchronous form is called if the one with a
/// completion is not implemented.
public protocol UNUserNotificationCenterDelegate: AnyObject {
  /// A notification is due while the app is active. The argument of the completion changes nothing here.
  func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
    withCompletionHandler completionHandler:
      @escaping @Sendable (UNNotificationPresentationOptions) -> Void)
  /// The same as an asynchronous function.
  func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification
  ) async -> UNNotificationPresentationOptions

  /// Never called: the desktop does not report what its user does with a notification.
  func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
    withCompletionHandler completionHandler: @escaping @Sendable () -> Void)
  /// Never called either.
  func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
  ) async
}

extension UNUserNotificationCenterDelegate {
  /// Calls the asynchronous form.
  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
    withCompletionHandler completionHandler:
      @escaping @Sendable (UNNotificationPresentationOptions) -> Void
  ) {
    nonisolated(unsafe) let delegate: any UNUserNotificationCenterDelegate = self
    LocationSession.current.runApp {
      completionHandler(
        await delegate.userNotificationCenter(center, willPresent: notification))
    }
  }

  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification
  ) async -> UNNotificationPresentationOptions {
    UIApplication.shared.isUnheard(.presentation, by: self)
    return []
  }

  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
    withCompletionHandler completionHandler: @escaping @Sendable () -> Void
  ) { completionHandler() }

  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
  ) async {}
}

/// The target of notifications that are due while the app of one process is active.
final class NotificationPresentation: @unchecked Sendable {
  // `lock` guards everything below it.
  private let lock = NSLock()
  private weak var held: (any UNUserNotificationCenterDelegate)?
  private var heldCategories: Set<UNNotificationCategory> = []

  var categories: Set<UNNotificationCategory> {
    get { lock.withLock { heldCategories } }
    set { lock.withLock { heldCategories = newValue } }
  }

  var delegate: (any UNUserNotificationCenterDelegate)? {
    get { lock.withLock { held } }
    set { lock.withLock { held = newValue } }
  }

  /// Tells the delegate; returns whether there is one.
  func takes(_ due: LocalNotification, at now: Date) -> Bool {
    guard let delegate else { return false }
    delegate.userNotificationCenter(
      .current(), willPresent: UNNotification(UNNotificationRequest(due), date: now)
    ) { _ in }
    return true
  }
}

// MARK: - Values

public struct UNAuthorizationOptions: OptionSet, Sendable {
  public let rawValue: UInt

  public init(rawValue: UInt) { self.rawValue = rawValue }

  public static let badge = Self(rawValue: 1)
  public static let sound = Self(rawValue: 2)
  public static let alert = Self(rawValue: 4)
  public static let provisional = Self(rawValue: 64)
}

public struct UNNotificationPresentationOptions: OptionSet, Sendable {
  public let rawValue: UInt

  public init(rawValue: UInt) { self.rawValue = rawValue }

  public static let badge = Self(rawValue: 1)
  public static let sound = Self(rawValue: 2)
  public static let alert = Self(rawValue: 4)
  public static let list = Self(rawValue: 8)
  public static let banner = Self(rawValue: 16)
}

/// The notification settings of an app.
public final class UNNotificationSettings: NSObject, Sendable {
  public let authorizationStatus: UNAuthorizationStatus

  init(isAllowed: Bool) { authorizationStatus = isAllowed ? .authorized : .denied }
}

public enum UNAuthorizationStatus: Int, Sendable {
  case notDetermined = 0
  case denied = 1
  case authorized = 2
  case provisional = 3
  case ephemeral = 4
}

/// A due notification.
public final class UNNotification: NSObject, Sendable {
  public let request: UNNotificationRequest
  /// When it was due.
  public let date: Date

  init(_ request: UNNotificationRequest, date: Date) { (self.request, self.date) = (request, date) }
}

/// The reason why a notification is not scheduled.
public struct UNError: Error, CustomNSError, LocalizedError, Sendable, Equatable {
  public enum Code: Int, Sendable {
    case notificationInvalidNoDate = 1401
    case notificationInvalidNoContent = 1402
  }

  public let code: Code
  /// The fault and its remedy.
  public let errorDescription: String?

  init(_ code: Code, _ words: String) { (self.code, errorDescription) = (code, words) }

  public static let errorDomain = "UNErrorDomain"
  public var errorCode: Int { code.rawValue }
  public var errorUserInfo: [String: Any] {
    [NSLocalizedDescriptionKey: errorDescription ?? ""]
  }
}
