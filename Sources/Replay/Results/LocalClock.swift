// SPDX-License-Identifier: Apache-2.0

package import LocationModel

// Theory
// ======
//
// A reader wants the times of a trip as the clocks on the way showed them. Which clock that is depends on
// borders and laws: the polygons of all time zones take megabytes, and a trace rarely says. Where it does not, the fallback
// is the zone of the sea: every 15 degrees of longitude an hour, the zone's meridian in its middle
// (nautical time; Bowditch, The American Practical Navigator, "Time"). On land it is off where law moves
// the clock: an hour in summer, up to three in the west of a wide zone (Galicia in summer), and the half of
// one in India. So whoever prints such a time says which it is.

/// A clock at a fixed distance from UTC.
package struct LocalClock: Sendable, Equatable {
  /// How it is known.
  package enum Origin: Sendable {
    /// Nothing is known of the place.
    case none
    case longitude
    /// The trace's time stamps say so.
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

  /// What UTC would have to be to show what this clock shows at an instant.
  package func shown(at instant: UTCInstant) -> UTCInstant {
    instant.advanced(bySeconds: Double(minutes) * 60)
  }

  package func date(of instant: UTCInstant) -> CivilDate { shown(at: instant).date }
}
