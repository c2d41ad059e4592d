// SPDX-License-Identifier: Apache-2.0

import Dispatch
public import Foundation
public import LocationClient
import LocationModel

/// The events of an app's life. All methods have defaults, and are called on the main queue, in a replay as described
/// in `ReplayedTrace`.
///
/// An asynchronous form is called if the one with a completion is not implemented. Swift calls only the methods of the
/// class that conforms, and their overrides.
///
///     class AppDelegate: UIResponder, UIApplicationDelegate {
///       func application(
///         _ application: UIApplication,
///         didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
///       ) -> Bool {
///         print(launchOptions?[.location] == nil ? "opened" : "launched for a location")
///         return true
///       }
///
///       func applicationDidEnterBackground(_ application: UIApplication) { print("put away") }
///     }
public protocol UIApplicationDelegate: AnyObject {
  /// The process has begun. Returns whether it can go on; that changes nothing here.
  func application(
    _ application: UIApplication,
    willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool
  /// The process has begun, and should make its requests before this returns. `launchOptions` is `nil` if the user
  /// launched it.
  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool
  /// The form of the first phones, called as well.
  func applicationDidFinishLaunching(_ application: UIApplication)

  func applicationDidBecomeActive(_ application: UIApplication)
  func applicationWillResignActive(_ application: UIApplication)
  /// Unless something holds it, the app is suspended 5 s after it entered the background.
  func applicationDidEnterBackground(_ application: UIApplication)
  func applicationWillEnterForeground(_ application: UIApplication)
  /// The app is ended when this has returned, after 5 s at the latest. A suspended app is not called.
  func applicationWillTerminate(_ application: UIApplication)

  /// The app may fetch new data, and reports the result within 30 s.
  func application(
    _ application: UIApplication,
    performFetchWithCompletionHandler completionHandler:
      @escaping @Sendable (UIBackgroundFetchResult) -> Void)
  /// The same as an asynchronous function.
  func application(_ application: UIApplication) async -> UIBackgroundFetchResult
  /// A push announces data to fetch; the app reports the result within 30 s.
  /// `userInfo` is empty: pushes have no payload here.
  func application(
    _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
    fetchCompletionHandler completionHandler:
      @escaping @Sendable (UIBackgroundFetchResult) -> Void)
  /// The same as an asynchronous function.
  func application(
    _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any]
  ) async -> UIBackgroundFetchResult
  /// Never called: there is no service that gives tokens.
  func application(
    _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken token: Data)
  /// The answer to `registerForRemoteNotifications`.
  func application(
    _ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error)
  /// The answer to `registerUserNotificationSettings`: what the manifest allows of it.
  func application(
    _ application: UIApplication, didRegister notificationSettings: UIUserNotificationSettings)
  /// A local notification is due while the app is active; the user is not alerted.
  func application(
    _ application: UIApplication, didReceive notification: UILocalNotification)

  // Ours -------------------------------------------------------------------------------------------

  /// The app is called for an event without a method on phones: data on its socket, from an accessory or a Bluetooth
  /// device, a newsstand issue, a boot of the device, an exit with an error. The app has `seconds`; `nil` if there is
  /// no limit or it is unknown.
  func application(
    _ application: UIApplication, didWakeFor reason: CLLaunchReason, seconds: TimeInterval?)
  /// The app's audio ended: it is in the background and does not declare the mode `audio`, the app in front plays, or
  /// there is a call.
  func applicationAudioDidStop(_ application: UIApplication)
  /// The socket that was handed over is not watched: `error` is a `SocketHandOverError` with the reason.
  func application(_ application: UIApplication, didFailToHandOverSocket error: any Error)
}

/// The reason why a socket is not watched.
public struct SocketHandOverError: Error, CustomStringConvertible, Sendable {
  public let description: String

  init(_ description: String) { self.description = description }
}

extension UIApplicationDelegate {
  public func application(
    _ application: UIApplication,
    willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool { true }

  public func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool { true }

  public func applicationDidFinishLaunching(_ application: UIApplication) {}
  public func applicationDidBecomeActive(_ application: UIApplication) {}
  public func applicationWillResignActive(_ application: UIApplication) {}
  public func applicationDidEnterBackground(_ application: UIApplication) {}
  public func applicationWillEnterForeground(_ application: UIApplication) {}
  public func applicationWillTerminate(_ application: UIApplication) {}

  /// Calls the asynchronous form.
  public func application(
    _ application: UIApplication,
    performFetchWithCompletionHandler completionHandler:
      @escaping @Sendable (UIBackgroundFetchResult) -> Void
  ) {
    nonisolated(unsafe) let delegate: any UIApplicationDelegate = self
    application.session.runApp { completionHandler(await delegate.application(application)) }
  }

  /// There was nothing to fetch.
  public func application(_ application: UIApplication) async -> UIBackgroundFetchResult {
    application.isUnheard(.fetch, by: self)
    return .noData
  }

  /// Calls the asynchronous form.
  public func application(
    _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
    fetchCompletionHandler completionHandler:
      @escaping @Sendable (UIBackgroundFetchResult) -> Void
  ) {
    nonisolated(unsafe) let delegate: any UIApplicationDelegate = self
    nonisolated(unsafe) let userInfo = userInfo
    application.session.runApp {
      completionHandler(
        await delegate.application(application, didReceiveRemoteNotification: userInfo))
    }
  }

  /// There was nothing to fetch.
  public func application(
    _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any]
  ) async -> UIBackgroundFetchResult {
    application.isUnheard(.push, by: self)
    return .noData
  }

  public func application(
    _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken token: Data
  ) {}

  public func application(
    _ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error
  ) {}

  public func application(
    _ application: UIApplication, didRegister notificationSettings: UIUserNotificationSettings
  ) {}

  public func application(
    _ application: UIApplication, didReceive notification: UILocalNotification
  ) {}

  public func application(
    _ application: UIApplication, didWakeFor reason: CLLaunchReason, seconds: TimeInterval?
  ) {}

  public func applicationAudioDidStop(_ application: UIApplication) {}

  /// Reports it on standard error.
  public func application(_ application: UIApplication, didFailToHandOverSocket error: any Error) {
    application.session.complain("milepost: \(error)")
  }
}

/// The usual superclass of an app delegate: `class AppDelegate: UIResponder, UIApplicationDelegate`.
open class UIResponder: NSObject {
  public override init() { super.init() }
}

extension NSObject {
  // Swift makes an object of a class that is known only at run time if its `init` is `required`, which that of
  // `NSObject` is not, nor those of app delegates that are written for phones. But a convenience initializer calls the
  // `init()` of the class for which it is called, and can itself be called for any: under its symbol it is a static
  // method.

  @_silgen_name("milepost_makeObject") fileprivate convenience init(ofDynamicClass: Void) {
    self.init()
  }

  /// An object of this very class, made by its `init()`.
  @_silgen_name("milepost_makeObject") static func made() -> Self
}

extension UIApplicationDelegate where Self: NSObject {
  /// The app's main function, which `@main` calls: makes the delegate and serves the main queue. The process ends on
  /// request, when `applicationWillTerminate` has returned.
  public static func main() {
    let delegate = Self.made()
    let application = UIApplication.shared
    application.endsProcess = true
    application.delegate = delegate
    withExtendedLifetime(delegate) { dispatchMain() }
  }
}

/// The result of a fetch.
public enum UIBackgroundFetchResult: UInt, Sendable {
  case newData = 0
  case noData = 1
  case failed = 2
}

extension FetchResult {
  init(_ result: UIBackgroundFetchResult) {
    self =
      switch result {
      case .newData: .newData
      case .noData: .noData
      case .failed: .failed
      }
  }
}

/// Identifies a background task within its process.
public struct UIBackgroundTaskIdentifier: RawRepresentable, Hashable, Sendable {
  public let rawValue: Int

  public init(rawValue: Int) { self.rawValue = rawValue }

  /// No task.
  public static let invalid = UIBackgroundTaskIdentifier(rawValue: 0)
}
