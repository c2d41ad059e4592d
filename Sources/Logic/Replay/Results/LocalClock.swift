// SPDX-License-Identifier: Apache-2.0

package import LocationModel

// Theory
// ======
//
// A reader wants the times of a trip as the clocks on the way showed them. The right clock depends on borders and laws:
// the polygons of all time zones take megabytes, and a trace rarely states its zone. If it does not, the fallback is
// the zone of the sea: every 15 degrees of longitude an hour, the zone's meridian in its middle (nautical time;
// Bowditch, The American Practical Navigator, "Time"). On land it is off if law moves the clock: an hour in summer, up
// to three in the west of a wide zone (Galicia in summer), and the half of one in India. So output with such a time
// states its clock.

/// A clock at a fixed distance from UTC.
package struct LocalClock: Sendable, Equatable {
  /// The source of the offset.
  package enum Origin: Sendable {
    /// The place is unknown.
    case none
    case longitude
    /// The trace's time stamps state it.
    case stated
  }

  /// Minutes east of UTC.
  package let minutes: Int
  package let origin: Origin

  package static let utc = LocalClock(minutes: 0, origin: .none)

  private init(minutes: Int, origin: Origin) {
    self.minutes = minutes
    self.origin = origin
  }

  /// Nautical time at a longitude in degrees, -180 to 180.
  package init(atLongitude longitude: Double) {
    self.init(minutes: 60 * Int((longitude / 15).rounded()), origin: .longitude)
  }

  /// The clock of time stamps such as `2026-05-04T07:08:09+02:00`.
  package init(statedMinutes minutes: Int) { self.init(minutes: minutes, origin: .stated) }

  /// The UTC instant whose UTC reading equals this clock's reading at `instant`.
  package func shown(at instant: UTCInstant) -> UTCInstant {
    instant.advanced(bySeconds: Double(minutes) * 60)
  }

  package func date(of instant: UTCInstant) -> CivilDate { shown(at: instant).date }
}
