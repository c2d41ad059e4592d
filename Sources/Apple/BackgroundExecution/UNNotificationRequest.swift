// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import LocationClient
import LocationModel

/// A notification that an app requests, and its time.
public final class UNNotificationRequest: NSObject, @unchecked Sendable {
  // Never changed after `init`: the content is a copy.
  public let identifier: String
  public let content: UNNotificationContent
  /// `nil` is now.
  public let trigger: UNNotificationTrigger?

  public init(
    identifier: String, content: UNNotificationContent, trigger: UNNotificationTrigger?
  ) {
    self.identifier = identifier
    self.content = UNMutableNotificationContent(content)
    self.trigger = trigger
  }

  /// A request that the service holds; its trigger is the next due date.
  convenience init(_ notification: LocalNotification) {
    let due = notification.fire.map { Date($0) }
    let components = due.map {
      Calendar.current.dateComponents(
        [.year, .month, .day, .hour, .minute, .second, .timeZone], from: $0)
    }
    self.init(
      identifier: notification.identifier, content: UNMutableNotificationContent(notification),
      trigger: components.map {
        UNCalendarNotificationTrigger(dateMatching: $0, repeats: notification.repeats != nil)
      })
  }

  /// The form for the service; throws `UNError`.
  func value(now: Date) throws -> LocalNotification {
    let schedule = try trigger?.schedule(after: now)
    var value = LocalNotification(identifier, fire: schedule.map { UTCInstant($0.due) })
    value.repeats = schedule?.repeats
    value.zone = schedule?.zone.map { CivilZone($0, from: schedule?.due ?? now, now: now) }
    value.body = content.text
    value.badge = content.badge?.intValue
    value.sound = content.sound?.name
    value.userInfo = try content.archive()
    return value
  }
}

// MARK: - Content

/// The content of a notification.
open class UNNotificationContent: NSObject, @unchecked Sendable {
  // Only the mutable subclass changes, and requests copy it.
  public fileprivate(set) var title = ""
  public fileprivate(set) var subtitle = ""
  public fileprivate(set) var body = ""
  /// The number on the app's icon; `nil` leaves it unchanged, 0 removes it.
  public fileprivate(set) var badge: NSNumber?
  public fileprivate(set) var sound: UNNotificationSound?
  /// Values of a property list; together with title, subtitle and body at most 4,096 bytes.
  public fileprivate(set) var userInfo: [AnyHashable: Any] = [:]
  public fileprivate(set) var categoryIdentifier = ""
  public fileprivate(set) var threadIdentifier = ""

  fileprivate override init() { super.init() }

  /// Title, subtitle and body as one text, a line each.
  fileprivate var text: String {
    [title, subtitle, body].filter { !$0.isEmpty }.joined(separator: "\n")
  }

  private enum Key {
    static let title = "title"
    static let subtitle = "subtitle"
    static let body = "body"
    static let category = "category"
    static let thread = "thread"
    static let userInfo = "userInfo"
  }

  /// All of it except badge and sound, as a property list.
  fileprivate func archive() throws -> String {
    let all: [String: Any] = [
      Key.title: title, Key.subtitle: subtitle, Key.body: body, Key.category: categoryIdentifier,
      Key.thread: threadIdentifier, Key.userInfo: userInfo,
    ]
    let data =
      PropertyListSerialization.propertyList(all, isValidFor: .xml)
      ? try? PropertyListSerialization.data(fromPropertyList: all, format: .xml, options: 0) : nil
    guard let data else {
      throw UNError(
        .notificationInvalidNoContent,
        "the userInfo of a notification is no property list; use strings, numbers, dates, data, arrays and "
          + "dictionaries with strings as keys")
    }
    guard data.count <= LocalNotification.userInfoLimit else {
      throw UNError(
        .notificationInvalidNoContent,
        "the content of a notification has \(data.count) bytes as a property list; it may have "
          + "\(LocalNotification.userInfoLimit)")
    }
    return String(decoding: data, as: UTF8.self)
  }

  fileprivate func read(notification: LocalNotification) {
    badge = notification.badge.map { NSNumber(value: $0) }
    sound = notification.sound.map { UNNotificationSound(named: UNNotificationSoundName($0)) }
    let list = notification.userInfo.flatMap {
      try? PropertyListSerialization.propertyList(from: Data($0.utf8), format: nil)
    }
    guard let all = list as? [String: Any], let title = all[Key.title] as? String else {
      // Another notification of this app: a `UILocalNotification`.
      body = notification.body
      return
    }
    self.title = title
    subtitle = all[Key.subtitle] as? String ?? ""
    body = all[Key.body] as? String ?? ""
    categoryIdentifier = all[Key.category] as? String ?? ""
    threadIdentifier = all[Key.thread] as? String ?? ""
    userInfo = all[Key.userInfo] as? [String: Any] ?? [:]
  }
}

/// Content that an app fills in.
public final class UNMutableNotificationContent: UNNotificationContent, @unchecked Sendable {
  public override init() { super.init() }

  init(_ other: UNNotificationContent) {
    super.init()
    (title, subtitle, body) = (other.title, other.subtitle, other.body)
    (badge, sound, userInfo) = (other.badge, other.sound, other.userInfo)
    (categoryIdentifier, threadIdentifier) = (other.categoryIdentifier, other.threadIdentifier)
  }

  init(_ notification: LocalNotification) {
    super.init()
    read(notification: notification)
  }

  public override var title: String {
    get { super.title }
    set { super.title = newValue }
  }
  public override var subtitle: String {
    get { super.subtitle }
    set { super.subtitle = newValue }
  }
  public override var body: String {
    get { super.body }
    set { super.body = newValue }
  }
  public override var badge: NSNumber? {
    get { super.badge }
    set { super.badge = newValue }
  }
  public override var sound: UNNotificationSound? {
    get { super.sound }
    set { super.sound = newValue }
  }
  public override var userInfo: [AnyHashable: Any] {
    get { super.userInfo }
    set { super.userInfo = newValue }
  }
  public override var categoryIdentifier: String {
    get { super.categoryIdentifier }
    set { super.categoryIdentifier = newValue }
  }
  public override var threadIdentifier: String {
    get { super.threadIdentifier }
    set { super.threadIdentifier = newValue }
  }
}

/// The name of one of the app's sounds.
public struct UNNotificationSoundName: RawRepresentable, Hashable, Sendable {
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }
  public init(_ rawValue: String) { self.rawValue = rawValue }
}

/// The sound of a notification: its name is sent along.
public final class UNNotificationSound: NSObject, Sendable {
  let name: String

  public init(named name: UNNotificationSoundName) { self.name = name.rawValue }

  public static let `default` = UNNotificationSound(
    named: UNNotificationSoundName(UILocalNotificationDefaultSoundName))
}

// MARK: - Triggers

/// The time of a notification.
open class UNNotificationTrigger: NSObject, @unchecked Sendable {
  // Never changed after `init`.
  public let repeats: Bool

  fileprivate init(repeats: Bool) { self.repeats = repeats }

  /// The due time, its zone, and the unit of repetition.
  struct Schedule {
    var due: Date
    var zone: TimeZone?
    var repeats: CalendarUnit?
  }

  func schedule(after now: Date) throws -> Schedule {
    throw UNError(.notificationInvalidNoDate, "a trigger of this kind has no date")
  }
}

public final class UNTimeIntervalNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {
  /// Seconds.
  public let timeInterval: TimeInterval

  /// A repeating trigger fires each minute, hour, day or week: 60, 3,600, 86,400 or 604,800 s.
  public init(timeInterval: TimeInterval, repeats: Bool) {
    self.timeInterval = timeInterval
    super.init(repeats: repeats)
  }

  /// The next due time from now.
  public func nextTriggerDate() -> Date? { Date(timeIntervalSinceNow: timeInterval) }

  override func schedule(after now: Date) throws -> Schedule {
    guard timeInterval > 0 else {
      throw UNError(
        .notificationInvalidNoDate, "timeInterval is \(timeInterval); write more than 0 seconds")
    }
    let units: [Double: CalendarUnit] = [60: .minute, 3_600: .hour, 86_400: .day, 604_800: .week]
    if repeats, units[timeInterval] == nil {
      throw UNError(
        .notificationInvalidNoDate,
        "a notification cannot repeat every \(timeInterval) s; write 60, 3600, 86400 or 604800")
    }
    return Schedule(
      due: now.addingTimeInterval(timeInterval), zone: nil,
      repeats: repeats ? units[timeInterval] : nil)
  }
}

/// The border of a region; such a notification is refused: the app monitors the region itself, and adds the notification
/// when it is told.
public final class UNLocationNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {
  public let region: CLRegion

  public init(region: CLRegion, repeats: Bool) {
    self.region = region
    super.init(repeats: repeats)
  }

  override func schedule(after now: Date) throws -> Schedule {
    throw UNError(
      .notificationInvalidNoDate,
      "a notification at '\(region.identifier)' is not scheduled; monitor that region, and add the notification in "
        + "didEnterRegion, without a trigger")
  }
}

public final class UNCalendarNotificationTrigger: UNNotificationTrigger, @unchecked Sendable {
  public let dateComponents: DateComponents

  public init(dateMatching dateComponents: DateComponents, repeats: Bool) {
    self.dateComponents = dateComponents
    super.init(repeats: repeats)
  }

  public func nextTriggerDate() -> Date? { next(after: Date()) }

  private func next(after now: Date) -> Date? {
    var calendar = dateComponents.calendar ?? .current
    if let zone = dateComponents.timeZone { calendar.timeZone = zone }
    var wanted = dateComponents
    (wanted.calendar, wanted.timeZone) = (nil, nil)
    return calendar.nextDate(after: now, matching: wanted, matchingPolicy: .nextTime)
  }

  override func schedule(after now: Date) throws -> Schedule {
    guard let due = next(after: now) else {
      throw UNError(
        .notificationInvalidNoDate,
        "no date to come is \(dateComponents); leave out what has passed")
    }
    let zone = dateComponents.timeZone ?? dateComponents.calendar?.timeZone ?? .current
    return Schedule(due: due, zone: zone, repeats: repeats ? unit : nil)
  }

  /// The unit above the largest given component.
  private var unit: CalendarUnit {
    if dateComponents.month != nil { return .year }
    if dateComponents.day != nil { return .month }
    if dateComponents.weekday != nil { return .week }
    if dateComponents.hour != nil { return .day }
    return dateComponents.minute != nil ? .hour : .minute
  }
}
