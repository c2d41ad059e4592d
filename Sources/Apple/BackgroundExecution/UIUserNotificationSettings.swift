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
}
