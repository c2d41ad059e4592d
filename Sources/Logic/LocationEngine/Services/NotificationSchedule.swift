// SPDX-License-Identifier: Apache-2.0

package import LocationModel

// Theory
// ======
//
// Local notifications run no code: the system alerts the user, and an app that is active is handed the notification
// instead [core]. So they live on UTC, not on the engine's axis: the caller that knows UTC gives the time, and asks
// when the next one is due.
//
// - One without a fire date, or with one that is past, is due at once.
// - One that repeats is due at its fire date and then every unit of the calendar of its zone: at the same
//   reading of a clock there, also over changes of summer time; on the last day of a month that is too short
//   for its day. Those that were missed (the machine was off) are due once, not once for each.
// - Nothing but the rule is kept of one that moves with its zone: if the zone's offsets change, so does the next time.

/// The pending local notifications of one app.
package struct NotificationSchedule: Sendable, Equatable, Codable {
  /// In the order in which they are due.
  private var entries: [Entry] = []

  private struct Entry: Sendable, Equatable, Codable {
    let notification: LocalNotification
    let fire: UTCInstant
    /// The number of the next repetition, from 0.
    var number = 0

    var due: UTCInstant { notification.occurrence(number, from: fire) }
  }

  package init() {}

  /// The time of the first one; `nil` if there is none.
  package var next: UTCInstant? { entries.first?.due }

  /// All pending notifications, in order.
  package var all: [LocalNotification] { entries.map(\.notification) }

  /// Adds one, in place of one of the same name; returns whether there was room for it. One that is due at once and
  /// does not repeat needs none.
  package mutating func add(notification: LocalNotification, at now: UTCInstant) -> Bool {
    entries.removeAll { $0.notification.identifier == notification.identifier }
    let fire = notification.fire ?? now
    let waits = fire > now || notification.repeats != nil
    guard !waits || entries.count < LocalNotification.limit else { return false }
    entries.append(Entry(notification: notification, fire: fire))
    sort()
    return true
  }

  /// Cancels the one of that name; `nil` cancels all.
  package mutating func cancel(_ identifier: String?) {
    entries.removeAll { identifier == nil || $0.notification.identifier == identifier }
  }

  /// Takes those that are due, in order; a repeating one waits for its next time.
  mutating func takeDue(at now: UTCInstant) -> [LocalNotification] {
    var due: [LocalNotification] = []
    while let first = entries.first, first.due <= now {
      due.append(first.notification)
      guard let unit = first.notification.repeats else {
        entries.removeFirst()
        continue
      }
      entries[0].number =
        max(first.number, first.notification.passed(unit, from: first.fire, to: now)) + 1
      while entries[0].due <= now { entries[0].number += 1 }
      sort()
    }
    return due
  }

  private mutating func sort() {
    // Stable: if two are due together, the one scheduled first goes first.
    let order = entries.indices.sorted {
      (entries[$0].due, $0) < (entries[$1].due, $1)
    }
    entries = order.map { entries[$0] }
  }
}

extension LocalNotification {
  /// The time of the `number`th repetition after its fire date.
  fileprivate func occurrence(_ number: Int, from fire: UTCInstant) -> UTCInstant {
    guard let repeats, number > 0 else { return fire }
    let zone = zone ?? .utc
    if let seconds = repeats.fixedSeconds {
      return fire.advanced(bySeconds: Double(number) * seconds)
    }
    let civil = fire.advanced(bySeconds: Double(zone.offset(at: fire)))
    return zone.instant(showing: repeats.adding(number, to: civil))
  }

  /// The approximate number of units between the fire date and an instant: one too few rather than too many.
  fileprivate func passed(_ unit: CalendarUnit, from fire: UTCInstant, to now: UTCInstant) -> Int {
    max(0, Int(UTCInstant.seconds(from: fire, to: now) / unit.longestSeconds) - 1)
  }
}

extension CalendarUnit {
  /// Seconds of a unit that no calendar changes.
  fileprivate var fixedSeconds: Double? {
    switch self {
    case .minute: 60
    case .hour: 3_600
    case .day, .week, .month, .year: nil
    }
  }

  fileprivate var longestSeconds: Double {
    switch self {
    case .minute: 60
    case .hour: 3_600
    case .day: 90_000
    case .week: 608_400
    case .month: 31 * 86_400 + 3_600
    case .year: 366 * 86_400 + 3_600
    }
  }

  /// The clock reading `number` units later.
  fileprivate func adding(_ number: Int, to civil: UTCInstant) -> UTCInstant {
    let date = civil.date
    let days: Int64
    switch self {
    case .minute, .hour: return civil
    case .day: days = date.daysSince1970 + Int64(number)
    case .week: days = date.daysSince1970 + 7 * Int64(number)
    case .month: days = Self.day(of: date, months: number)
    case .year: days = Self.day(of: date, months: 12 * number)
    }
    return UTCInstant(microseconds: days * UTCInstant.dayLength + civil.microsecondOfDay)
  }

  /// The same day `months` months later, or the last one of a month that is too short.
  private static func day(of date: CivilDate, months: Int) -> Int64 {
    let month = date.year * 12 + date.month - 1 + months
    let (year, rest) = (month / 12, month % 12 + 1)
    let day = min(date.day, CivilDate.days(inMonth: rest, year: year))
    return CivilDate(year: year, month: rest, day: day)?.daysSince1970 ?? date.daysSince1970
  }
}
