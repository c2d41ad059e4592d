// SPDX-License-Identifier: Apache-2.0

public import Foundation
import LocationClient
import LocationModel

/// The name of the sound that the system plays where an app has none of its own.
public let UILocalNotificationDefaultSoundName = "UILocalNotificationDefaultSoundName"

/// What an app asks the system to tell its user, now or at a time.
///
/// Runs no code: its user is alerted, by the desktop's notifications where there are some, and in the journal;
/// an app that is active is handed it instead (`application(_:didReceive:)`).
open class UILocalNotification: NSObject, NSCopying {
  /// When it is due; `nil`, and a date that is no number, is now.
  open var fireDate: Date?
  /// The zone whose calendar it repeats by, also over changes of summer time; `nil` keeps to UTC.
  open var timeZone: TimeZone?
  /// One of minute, hour, day, weekOfYear, month and year, by which it is repeated; empty is once.
  open var repeatInterval: NSCalendar.Unit = []
  /// The text; 4,096 bytes of UTF-8 at most, what is longer is cut off.
  open var alertBody: String?
  /// The name of a sound, which goes with the notification; `nil` is silent.
  open var soundName: String?
  /// The number for the app's icon; 0 leaves it.
  open var applicationIconBadgeNumber = 0
  /// What the app wants handed back: values of a property list, in 4,096 bytes of its XML. Where that cannot be,
  /// the notification goes without, and standard error says so.
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

  /// Names it among the app's: a copy is the same notification.
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

  /// What goes to the service, as it is now; `complain` hears what cannot.
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
  /// Schedules a notification, as it is now; at most 128 of an app wait, one more is refused (`milepost apps
  /// log` says so). The same object again replaces what was scheduled of it.
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

  /// Those that are still to come, also of earlier processes, in the order in which they are due. `nil` where
  /// the daemon does not answer within 200 ms. Setting it cancels all others.
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
  /// At most so many bytes of it, in whole characters.
  fileprivate func cut(to limit: Int) -> String {
    var bytes = 0
    return String(
      prefix { character in
        bytes += character.utf8.count
        return bytes <= limit
      })
  }
}
