// SPDX-License-Identifier: Apache-2.0

package import Geodesy
package import LocationModel

// Theory
// ======
//
// What the other side of a sink is told of a delivery, in any protocol that has positions and one time of each:
//
//     a position       the position, with its own time
//     arrived          the stay's place at the arrival, at the time of the position that showed it, and twice between
//     departed         the stay's place a second before the departure, and the position that showed it
//     heartbeat        the stay's place at its own time (Heartbeat.swift)
//
// - Servers rebuild a stay from positions near each other, and an absence from one elsewhere: without the position that
//   showed a departure a walk between two stays at one place is no walk to them, and the device is still shown there.
// - GeoPulse ends a way by three slow positions that last 60 s, and makes a stay of them by a later one; a walk's own slow
//   positions may be among them. A stay of less than an hour, without a heartbeat, would be part of the way.
// - A heartbeat is no repeat of a position: that would have the position's time, and servers drop it or are told nothing
//   by it. It says that the stay goes on. So it has the stay's place, from which a coarse position of the meantime is far.
// - The end of a stay is told as of the second before: the position that shows it was elsewhere, and two places at one
//   instant are in no order.

/// A position that the other side of a sink is told.
package struct ToldPosition: Sendable, Equatable {
  package enum Kind: Sendable, Equatable {
    /// A position of the device, with all that belongs to it.
    case fix
    /// A stay begins or ends there.
    case stay(Visit)
    /// A stay goes on there.
    case still
  }

  package let kind: Kind
  package let coordinate: Coordinate
  /// Metres, 68 %; `nil` is unknown.
  package let accuracy: Double?
  package let time: UTCInstant
  /// Metres per second; `nil` is unknown, as it is of a stay.
  package let speed: Double?
}

extension PendingDelivery {
  /// The time of the position; if the receiver gave none, that of the service's decision.
  package var moment: UTCInstant { delivery.fix.time ?? received }

  package var isHeartbeat: Bool { delivery.occasion == .heartbeat }

  /// The time at which a heartbeat repeats its position.
  private var repeated: UTCInstant {
    guard let time = delivery.fix.time, let since = delivery.since else { return received }
    return time.advanced(bySeconds: since)
  }

  /// Seconds that three slow positions last which GeoPulse takes for a stop (`trip.sustained_stop.min_duration_seconds`).
  private static let stillness = 60.0

  /// What the other side is told, in order of time.
  package var positions: [ToldPosition] {
    func here(_ kind: ToldPosition.Kind, at time: UTCInstant) -> ToldPosition {
      ToldPosition(
        kind: kind, coordinate: delivery.fix.coordinate,
        accuracy: delivery.fix.horizontalAccuracy, time: time,
        speed: kind == .fix ? delivery.fix.speed : nil)
    }
    guard let stay = delivery.event?.visit else {
      return [isHeartbeat ? here(.still, at: repeated) : here(.fix, at: moment)]
    }
    func there(_ kind: ToldPosition.Kind, at time: UTCInstant) -> ToldPosition {
      ToldPosition(
        kind: kind, coordinate: stay.coordinate, accuracy: stay.horizontalAccuracy, time: time,
        speed: nil)
    }
    if let departure = stay.departure {
      return [
        there(.stay(stay), at: departure.advanced(bySeconds: -1)), here(.fix, at: moment),
      ]
    }
    guard let arrival = stay.arrival, arrival.wholeSeconds < moment.wholeSeconds else {
      return [there(.stay(stay), at: stay.arrival ?? moment)]
    }
    let third = Double((moment.wholeSeconds - arrival.wholeSeconds) / 3)
    let between =
      2 * third < Self.stillness
      ? [] : [arrival.advanced(bySeconds: third), arrival.advanced(bySeconds: 2 * third)]
    return [there(.stay(stay), at: arrival)] + (between + [moment]).map { there(.still, at: $0) }
  }
}
