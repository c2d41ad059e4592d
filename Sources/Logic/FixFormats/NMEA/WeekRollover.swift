// SPDX-License-Identifier: Apache-2.0

// GPS counts weeks with ten bits, so a receiver whose firmware guesses the wrong cycle states dates
// that lie 1,024 weeks (7,168 days) or a multiple of it too early. No clock is asked. Two signs:
//
// - The stated date differs from the date that the log itself arrived at by n × 7,168 days (or one day
//   more or less, as midnight may lie between).
// - The log states a date that lies before its own sentences were possible: before 1990 for any NMEA
//   0183 2.0 receiver; before 2009 for one that talks as GN (common solutions came into ordinary
//   receivers with GLONASS after that [estimate]); before 2012 for one with features of NMEA 0183 4.10
//   (talkers GA, GB, GQ; system in GSA; status in RMC).
//
// A plain GP log of 2005 shows neither, and is believed. So is a rolled-over log without modern signs:
// it looks the same as an old one.

struct WeekRollover: Sendable {
  static let cycle: Int64 = 7_168

  /// The day (since 1970) before which this log's dates cannot lie: at first 1990-01-01.
  private(set) var floor: Int64 = 7_305

  /// 2012-01-01; a log dated from here on cannot fall below the floor.
  static let greatestFloor: Int64 = 15_340

  mutating func see(_ talker: Talker) {
    if talker.isModern {
      floor = Self.greatestFloor
    } else if talker.isCombined {
      floor = max(floor, 14_245)  // 2009-01-01
    }
  }

  mutating func seeModernField() { floor = Self.greatestFloor }

  /// Days to add to `day` to bring it to the floor or later: a multiple of the cycle, 0 if it is.
  func repair(_ day: Int64) -> Int64 {
    day >= floor ? 0 : (floor - day + Self.cycle - 1) / Self.cycle * Self.cycle
  }

  /// The number of cycles in `difference` days, if it is one: within one day of n × 7,168, n not 0.
  static func cycles(in difference: Int64) -> Int64? {
    let half = difference < 0 ? -cycle / 2 : cycle / 2
    let count = (difference + half) / cycle
    return count != 0 && (difference - count * cycle).magnitude <= 1 ? count : nil
  }
}
