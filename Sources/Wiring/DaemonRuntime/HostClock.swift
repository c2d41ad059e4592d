// SPDX-License-Identifier: Apache-2.0

import AppKeeping
import Glibc
package import LocationModel
import ServiceCore

// Theory
// ======
//
// The service receives every instant as an argument. So a clock that runs N times as fast makes it live N times as
// fast: an hour's trace goes by in a minute, with real processes, a real gpsd and the rules' own seconds.
//
//     boot clock = since + (boot-time clock − since) × rate          UTC = shows + (boot-time clock − since) × rate
//
// Both are functions only of the machine's boot-time clock and the time lapse: a daemon that is restarted in the
// middle, and a feed that plays a trace beside it, agree on the time without communication, and UTC is that of the
// trace, as in the replay.
//
// All times in the service's seconds run fast: its deadlines, its UTC, and its instructions to the supervisor (grace,
// time limits, the hold of a frozen app). Times that an edge measures itself stay in the machine's seconds, for nothing
// runs faster there: pauses before retrying gpsd or a database, the bursts of a receiver's reports, gpsd's own 60 s.
// Apps are not faster either: each of their milliseconds is N of the rules'.

/// The clocks of this machine, and the identity of its boot: the only place that reads them.
package struct HostClock: Sendable, Equatable {
  /// A clock that runs faster than the machine's.
  package struct TimeLapse: Sendable, Equatable {
    /// Seconds of this clock in one of the machine's; above 0.
    package var rate: Double
    /// The machine's boot-time clock, microseconds, at which this clock shows `shows`.
    package var since: Int64
    package var shows: UTCInstant

    package init(rate: Double, since: Int64, shows: UTCInstant) {
      self.rate = rate
      self.since = since
      self.shows = shows
    }

    fileprivate var elapsed: Int64 { Int64(Double(readClock(CLOCK_BOOTTIME) - since) * rate) }
  }

  private let lapse: TimeLapse?

  /// The machine's own time, or one that runs faster.
  package init(_ lapse: TimeLapse? = nil) { self.lapse = lapse }

  /// Microseconds since the machine started, with the time that it slept (`CLOCK_BOOTTIME`).
  package var bootClock: Int64 { lapse.map { $0.since + $0.elapsed } ?? readClock(CLOCK_BOOTTIME) }

  /// UTC by this machine's clock (`CLOCK_REALTIME`), which may step; in a time lapse that of the lapse.
  ///
  /// A clock with a year outside 0 to 9999 (a wrong register of a clock chip) counts as the nearest time that RFC 3339
  /// can write, so that stored and sent times can be read again.
  package var utc: UTCInstant {
    let microseconds = lapse.map { $0.shows.microseconds + $0.elapsed } ?? readClock(CLOCK_REALTIME)
    return Self.writable(microseconds)
  }

  /// 0000-01-01T00:00:00Z to 9999-12-31T23:59:59Z, microseconds since 1970 (date -u -d … +%s).
  private static let years: ClosedRange<Int64> = -62_167_219_200_000_000...253_402_300_799_000_000

  static func writable(_ microseconds: Int64) -> UTCInstant {
    UTCInstant(
      microseconds: min(max(microseconds, years.lowerBound), years.upperBound))
  }

  /// The machine's seconds in which `seconds` of this clock pass.
  package func machineSeconds(_ seconds: Double) -> Double { seconds / (lapse?.rate ?? 1) }

  /// This process.
  package static var processID: Int32 { getpid() }

  /// The kernel's random name of this boot. It is empty if it cannot be read (no `/proc`); then each start counts as
  /// the same boot for as long as the boot-time clock does not run backwards.
  package static let bootID = Boot.id
}

/// Microseconds of a clock of this machine.
private func readClock(_ clock: clockid_t) -> Int64 {
  var time = timespec()
  // Fails only for unknown clocks; Linux has both.
  _ = clock_gettime(clock, &time)
  return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
}
