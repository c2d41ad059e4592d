// SPDX-License-Identifier: Apache-2.0

/// A notification that an app asks the system to show its user, now or at a time.
///
/// Shaped like `UILocalNotification`.
package struct LocalNotification: Sendable, Equatable, Codable {
  /// The name within its app; a notification of the same name replaces it.
  package var identifier: String
  /// The fire date, UTC; `nil` is now.
  package var fire: UTCInstant?
  /// The zone whose calendar it repeats by and moves with; `nil` keeps to UTC.
  package var zone: CivilZone?
  package var repeats: CalendarUnit?
  package var body = ""
  /// The number on the app's icon; `nil` leaves it, 0 removes it.
  package var badge: Int?
  /// The name of a sound; `nil` is silent.
  package var sound: String?
  /// A text, in the app's own form, to be handed back with it.
  package var userInfo: String?

  package init(_ identifier: String, fire: UTCInstant? = nil) {
    self.identifier = identifier
    self.fire = fire
  }

  /// The number of notifications that an app can have scheduled [core].
  package static let limit = 128
  /// The greatest size of the text handed back, bytes.
  package static let userInfoLimit = 4_096
}

/// The unit by which a notification repeats.
package enum CalendarUnit: String, Sendable, CaseIterable, Codable {
  case minute, hour, day, week, month, year
}
