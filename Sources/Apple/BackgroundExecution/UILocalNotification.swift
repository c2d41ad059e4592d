// SPDX-License-Identifier: Apache-2.0

public import Foundation
import LocationClient
import LocationModel

/// The name of the sound that the system plays for an app without its own.
public let UILocalNotificationDefaultSoundName = "UILocalNotificationDefaultSoundName"

/// A notification that the system shows to the user, now or at a given time.
///
///     let notification = UILocalNotification()
///     notification.alertBody = "Stand up"
///     notification.fireDate = Date(timeIntervalSinceNow: 3_600)
///     notification.repeatInterval = .day
///     UIApplication.shared.scheduleLocalNotification(notification)
///
/// Runs no code: the user is alerted by the desktop's notifications, if there are any, and in the journal; an active
/// app receives it instead (`application(_:didReceive:)`).
open class UILocalNotification: NSObject, NSCopying {
  /// The time when it is due; `nil`, and a date that is no number, is now.
  open var fireDate: Date?
  /// The zone whose calendar the repetition follows, also across changes of summer time; `nil` is UTC.
  open var timeZone: TimeZone?
  /// The repetition: one of minute, hour, day, weekOfYear, month and year; empty is once.
  open var repeatInterval: NSCalendar.Unit = []
  /// The text; at most 4,096 bytes of UTF-8, the rest is cut off.
  open var alertBody: String?
  /// The name of a sound that accompanies the notification; `nil` is silent.
  open var soundName: String?
  /// The number for the app's icon; 0 leaves it unchanged.
  open var applicationIconBadgeNumber = 0
  /// Data for the app: values of a property list, in 4,096 bytes of its XML. Data that does not fit is left out of the
  /// notification, with a message on standard error.
  open var userInfo: [AnyHashable: Any]?
  private let identifier: String

  public override init() {
    identifier = UUID().uuidString
    super.init()
  }

  init(_ notification: LocalNotification) {
    identifier = notification.identifier
    super.init()
    fireDate = notification.fire.map { Date($0) }
    timeZone = notification.zone.flatMap { TimeZone(identifier: $0.name) }
    repeatInterval = notification.repeats.map { NSCalendar.Unit($0) } ?? []
    alertBody = notification.body.isEmpty ? nil : notification.body
    soundName = notification.sound
    applicationIconBadgeNumber = notification.badge ?? 0
    userInfo = notification.userInfo.flatMap { text in
      let list = try? PropertyListSerialization.propertyList(from: Data(text.utf8), format: nil)
      return list as? [String: Any]
    }
  }

  /// Identifies it among the app's notifications: a copy is the same notification.
  private init(copying other: UILocalNotification) {
    identifier = other.identifier
    super.init()
    fireDate = other.fireDate
    timeZone = other.timeZone
    repeatInterval = other.repeatInterval
    alertBody = other.alertBody
    soundName = other.soundName
    applicationIconBadgeNumber = other.applicationIconBadgeNumber
    userInfo = other.userInfo
  }

  open func copy(with zone: NSZone? = nil) -> Any { UILocalNotification(copying: self) }

  var name: String { identifier }

  /// The current form for the service; `complain` receives the parts that cannot be sent.
  func value(now: Date, complain: (String) -> Void) -> LocalNotification {
    let due = fireDate.flatMap { $0.timeIntervalSince1970.isNaN ? nil : $0 }
    var value = LocalNotification(identifier, fire: due.map { UTCInstant($0) })
    value.zone = timeZone.map { CivilZone($0, from: due ?? now, now: now) }
    value.repeats = repeats(complain)
    value.body = (alertBody ?? "").cut(to: 4_096)
    value.sound = soundName?.cut(to: 256)
    value.badge = applicationIconBadgeNumber == 0 ? nil : applicationIconBadgeNumber
    value.userInfo = userInfoText(complain)
    return value
  }

  private func repeats(_ complain: (String) -> Void) -> CalendarUnit? {
    guard !repeatInterval.isEmpty else { return nil }
    let unit = CalendarUnit.allCases.first { NSCalendar.Unit($0) == repeatInterval }
    if unit == nil {
      complain(
        "milepost: the repeatInterval of a notification is \(repeatInterval.rawValue), and it is not "
          + "repeated; write one of .minute, .hour, .day, .weekOfYear, .month, .year")
    }
    return unit
  }

  private func userInfoText(_ complain: (String) -> Void) -> String? {
    guard let userInfo, !userInfo.isEmpty else { return nil }
    let keys = userInfo.keys.compactMap { $0 as? String }
    let isList =
      keys.count == userInfo.count
      && PropertyListSerialization.propertyList(userInfo, isValidFor: .xml)
    let data =
      isList
      ? try? PropertyListSerialization.data(fromPropertyList: userInfo, format: .xml, options: 0)
      : nil
    guard let data else {
      complain(
        "milepost: the userInfo of a notification is left out, since it is no property list; use "
          + "strings, numbers, dates, data, arrays and dictionaries with strings as keys")
      return nil
    }
    guard data.count <= LocalNotification.userInfoLimit else {
      complain(
        "milepost: the userInfo of a notification is left out, since it has \(data.count) bytes as a "
          + "property list; it may have \(LocalNotification.userInfoLimit)")
      return nil
    }
    return String(decoding: data, as: UTF8.self)
  }
}

extension UIApplication {
  /// Schedules a notification in its current form; at most 128 of an app wait, and one more is refused (see `milepost
  /// apps log`). Scheduling the same object again replaces its notification.
  public func scheduleLocalNotification(_ notification: UILocalNotification) {
    let value = notification.value(now: session.now(), complain: session.complain)
    session.background(.schedules(value))
  }

  /// As `scheduleLocalNotification`, now and once.
  public func presentLocalNotificationNow(_ notification: UILocalNotification) {
    var value = notification.value(now: session.now(), complain: session.complain)
    (value.fire, value.repeats) = (nil, nil)
    session.background(.schedules(value))
  }

  public func cancelLocalNotification(_ notification: UILocalNotification) {
    session.background(.cancels(notification.name))
  }

  public func cancelAllLocalNotifications() { session.background(.cancels(nil)) }

  /// The pending notifications, also of earlier processes, in the order of their due times. `nil` if the daemon does
  /// not answer within 200 ms. Setting it cancels all others.
  public var scheduledLocalNotifications: [UILocalNotification]? {
    get { session.scheduledNotifications()?.map { UILocalNotification($0) } }
    set {
      cancelAllLocalNotifications()
      for notification in newValue ?? [] { scheduleLocalNotification(notification) }
    }
  }
}

extension NSCalendar.Unit {
  fileprivate init(_ unit: CalendarUnit) {
    self =
      switch unit {
      case .minute: .minute
      case .hour: .hour
      case .day: .day
      case .week: .weekOfYear
      case .month: .month
      case .year: .year
      }
  }
}

extension String {
  /// At most `limit` bytes of it, in whole characters.
  fileprivate func cut(to limit: Int) -> String {
    var bytes = 0
    return String(
      prefix { character in
        bytes += character.utf8.count
        return bytes <= limit
      })
  }
}
