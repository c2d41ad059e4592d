// SPDX-License-Identifier: Apache-2.0

public import Foundation
import LocationClient

/// The ways in which a notification alerts its user (iOS 8 and 9).
public struct UIUserNotificationType: OptionSet, Sendable {
  public let rawValue: UInt

  public init(rawValue: UInt) { self.rawValue = rawValue }

  public static let badge = Self(rawValue: 1)
  public static let sound = Self(rawValue: 2)
  public static let alert = Self(rawValue: 4)
}

/// The permission for notifications that an app asks for, or has (iOS 8 and 9).
///
///     let settings = UIUserNotificationSettings(types: [.alert, .sound], categories: nil)
///     UIApplication.shared.registerUserNotificationSettings(settings)
public final class UIUserNotificationSettings: NSObject, Sendable {
  public let types: UIUserNotificationType

  /// `categories`: not kept, since notifications here have no buttons.
  public init(types: UIUserNotificationType, categories: Set<AnyHashable>?) { self.types = types }
}

extension UIApplication {
  /// Asks for nothing, since the manifest decides (`notifications`): `didRegister` is told what that allows of it.
  public func registerUserNotificationSettings(_ settings: UIUserNotificationSettings) {
    let granted = session.circumstances.mayNotify ? settings.types : []
    let answer = UIUserNotificationSettings(types: granted, categories: nil)
    session.post(on: .main) { self.delegate?.application(self, didRegister: answer) }
  }

  /// What the manifest allows.
  public var currentUserNotificationSettings: UIUserNotificationSettings? {
    UIUserNotificationSettings(
      types: session.circumstances.mayNotify ? [.alert, .badge, .sound] : [], categories: nil)
  }

  // MARK: Pushes

  /// There is no service that gives tokens: `didFailToRegisterForRemoteNotificationsWithError` says so. Pushes come
  /// nevertheless, by `milepost apps send APP push`.
  public func registerForRemoteNotifications() {
    session.post(on: .main) {
      self.delegate?.application(
        self, didFailToRegisterForRemoteNotificationsWithError: RemoteNotificationError())
    }
  }

  public func unregisterForRemoteNotifications() {}

  /// Always false.
  public var isRegisteredForRemoteNotifications: Bool { false }

  // MARK: Other programs

  /// The settings of this app, which are the user's commands: `milepost apps`.
  public static let openSettingsURLString = "app-settings:"

  /// Always false: nothing is opened.
  public func canOpenURL(_ url: URL) -> Bool { false }

  /// Opens nothing; `completion` hears that. For the settings, standard error has the command that changes them.
  public func open(
    _ url: URL, options: [OpenExternalURLOptionsKey: Any] = [:],
    completionHandler completion: (@Sendable (Bool) -> Void)? = nil
  ) {
    if url.absoluteString == Self.openSettingsURLString {
      session.complain(
        "milepost: the settings of an app are changed by milepost apps authorize NAME")
    }
    if let completion { session.post(on: .main) { completion(false) } }
  }

  public struct OpenExternalURLOptionsKey: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let universalLinksOnly = Self(
      rawValue: "UIApplicationOpenURLOptionUniversalLinksOnly")
  }
}

/// The reason why there is no token for pushes.
public struct RemoteNotificationError: Error, CustomStringConvertible, Sendable {
  public let description =
    "there is no service that gives tokens for pushes here; milepost apps send APP push sends one"
}
