// SPDX-License-Identifier: Apache-2.0

public import Foundation

// The buttons of notifications, and what a user does with them, as values, so that sources which have them build. The
// desktop shows no buttons, and does not report taps.

public struct UNNotificationActionOptions: OptionSet, Sendable {
  public let rawValue: UInt

  public init(rawValue: UInt) { self.rawValue = rawValue }

  public static let authenticationRequired = Self(rawValue: 1)
  public static let destructive = Self(rawValue: 2)
  public static let foreground = Self(rawValue: 4)
}

/// A button of a notification; never shown.
open class UNNotificationAction: NSObject, @unchecked Sendable {
  // Nothing here changes after `init`, which is why `Sendable` is safe.
  public let identifier: String
  public let title: String
  public let options: UNNotificationActionOptions

  public init(identifier: String, title: String, options: UNNotificationActionOptions = []) {
    (self.identifier, self.title, self.options) = (identifier, title, options)
    super.init()
  }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? UNNotificationAction else { return false }
    return (identifier, title, options) == (other.identifier, other.title, other.options)
  }

  open override var hash: Int { identifier.hashValue }
}

public struct UNNotificationCategoryOptions: OptionSet, Sendable {
  public let rawValue: UInt

  public init(rawValue: UInt) { self.rawValue = rawValue }

  public static let customDismissAction = Self(rawValue: 1)
  public static let allowInCarPlay = Self(rawValue: 2)
  public static let hiddenPreviewsShowTitle = Self(rawValue: 4)
  public static let hiddenPreviewsShowSubtitle = Self(rawValue: 8)
}

/// A kind of notification, and its buttons.
open class UNNotificationCategory: NSObject, @unchecked Sendable {
  // Nothing here changes after `init`, which is why `Sendable` is safe.
  public let identifier: String
  public let actions: [UNNotificationAction]
  public let intentIdentifiers: [String]
  public let options: UNNotificationCategoryOptions

  public init(
    identifier: String, actions: [UNNotificationAction], intentIdentifiers: [String],
    options: UNNotificationCategoryOptions = []
  ) {
    (self.identifier, self.actions) = (identifier, actions)
    (self.intentIdentifiers, self.options) = (intentIdentifiers, options)
    super.init()
  }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? UNNotificationCategory else { return false }
    return (identifier, actions, intentIdentifiers) == (
      other.identifier, other.actions, other.intentIdentifiers
    ) && options == other.options
  }

  open override var hash: Int { identifier.hashValue }
}

/// The user opened the app by the notification.
public let UNNotificationDefaultActionIdentifier = "com.apple.UNNotificationDefaultActionIdentifier"
/// The user dismissed the notification.
public let UNNotificationDismissActionIdentifier = "com.apple.UNNotificationDismissActionIdentifier"

/// What a user did with a notification; none is ever reported here.
open class UNNotificationResponse: NSObject, @unchecked Sendable {
  // Nothing here changes after `init`, which is why `Sendable` is safe.
  public let notification: UNNotification
  /// An action's identifier, or one of the two above.
  public let actionIdentifier: String

  init(_ notification: UNNotification, action: String) {
    (self.notification, actionIdentifier) = (notification, action)
    super.init()
  }
}
