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

/// A zone's offsets from UTC, as far as the holder of a time-zone database wrote them down.
package struct CivilZone: Sendable, Equatable, Codable {
  /// `Europe/Berlin`.
  package var name: String
  /// Each offset, seconds east of UTC, and the instant from which it holds, in order. The first one holds before,
  /// too; never empty.
  package private(set) var offsets: [Offset]

  package struct Offset: Sendable, Equatable, Codable {
    package var from: UTCInstant
    package var seconds: Int

    package init(from: UTCInstant, seconds: Int) {
      self.from = from
      self.seconds = seconds
    }
  }

  /// `nil` without an offset, or if they are not in order.
  package init?(name: String, offsets: [Offset]) {
    guard !offsets.isEmpty, zip(offsets, offsets.dropFirst()).allSatisfy({ $0.from < $1.from })
    else { return nil }
    self.name = name
    self.offsets = offsets
  }

  package static let utc = CivilZone(fixed: 0, name: "UTC")

  private init(fixed seconds: Int, name: String) {
    self.name = name
    offsets = [Offset(from: .epoch, seconds: seconds)]
  }

  /// Seconds east of UTC at an instant.
  package func offset(at instant: UTCInstant) -> Int {
    (offsets.last { $0.from <= instant } ?? offsets[0]).seconds
  }

  /// The instant that a clock of the zone shows as `civil` (its reading as if it were UTC).
  ///
  /// A reading that is skipped in spring is the one an hour later; a doubled one in autumn is the earlier one.
  package func instant(showing civil: UTCInstant) -> UTCInstant {
    let candidates = [-86_400.0, 86_400].map { offset(at: civil.advanced(bySeconds: $0)) }
    let instants = candidates.map { civil.advanced(bySeconds: -Double($0)) }
    let exact = zip(candidates, instants).filter { offset(at: $1) == $0 }.map(\.1)
    // Skipped: before the change the offset was the smaller one, which leads past the gap.
    return exact.min() ?? instants[0]
  }
}
