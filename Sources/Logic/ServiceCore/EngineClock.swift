// SPDX-License-Identifier: Apache-2.0

package import LocationModel
package import ServiceContract

// Theory
// ======
//
// The engine's axis continues over restarts of the daemon and of the machine: anchors and deadlines in a restored
// engine would mean nothing on a new one.
//
//     engine now = base + (boot clock now − boot clock at the start)
//
// Within one boot the boot-time clock itself goes on, even while the machine sleeps, so the base is where the earlier
// daemon's axis would be now. Over a reboot only UTC goes on: the base is the stored instant and the difference of UTC,
// which is as good as the host's clock was at both ends; a host that starts without the time (no battery, no network
// yet) says less, at least 0. The time from the stored moment to the start was not watched: it is the gap.
//
// Odd cases
// - A boot clock before the stored one on the same boot (a restored image of a machine) is no measure: UTC decides, as
//   over a reboot.
// - A UTC that went back over a reboot is no measure: the gap is taken for 0, and its length is unknown.
// - Times that the earlier service took from the host's clock are put on the axis by that clock's offset at the stored
//   moment. If one lies in the future the clock was set back in between, and its true time is unknown.
// - A reading before the start, or a sum that no axis can hold, counts as the nearest that can be.
// - Without a stored moment the axis begins at the boot clock itself, and there is no gap.

/// Continues the engine's axis over restarts.
package struct EngineClock: Sendable, Equatable, Codable {
  /// The unwatched time, on the engine's axis and in UTC as the host stated it.
  package struct Gap: Sendable, Equatable, Codable {
    package let from: EngineInstant
    package let to: EngineInstant
    package let fromUTC: UTCInstant
    package let toUTC: UTCInstant
    /// Whether the machine restarted in between: then no app's process is left.
    package let isReboot: Bool
    /// Whether a clock that kept running measures its length.
    package let isMeasured: Bool

    /// Seconds; 0 or more.
    package var seconds: Double { EngineInstant.seconds(from: from, to: to) }

    /// Whether the host's UTC is before what it was.
    package var hasClockGoneBack: Bool { toUTC < fromUTC }

    /// Its start by the clock of its end; `nil` if unknown.
    package var beganUTC: UTCInstant? {
      guard hasClockGoneBack else { return fromUTC }
      return isMeasured ? toUTC.advanced(bySeconds: -seconds) : nil
    }
  }

  /// The time since the stored moment; `nil` if there was none.
  package let gap: Gap?
  /// The engine's instant at the start.
  package let start: EngineInstant
  private let startBootClock: Int64

  /// `bootClock` is the boot-time clock now, microseconds; `boot` the kernel's identity of this boot.
  package init(
    continuing moment: StoredMoment?, boot: String, bootClock: Int64, utc: UTCInstant
  ) {
    startBootClock = bootClock
    guard let moment else {
      start = EngineInstant(microseconds: max(0, bootClock))
      gap = nil
      return
    }
    let isSameBoot = moment.boot == boot && bootClock >= moment.bootClock
    let elapsed =
      isSameBoot
      ? Self.difference(bootClock, moment.bootClock)
      : Self.difference(utc.microseconds, moment.utc.microseconds)
    start = EngineInstant(microseconds: Self.sum(moment.engine.microseconds, elapsed))
    gap = Gap(
      from: moment.engine, to: start, fromUTC: moment.utc, toUTC: utc,
      isReboot: moment.boot != boot, isMeasured: isSameBoot || utc >= moment.utc)
  }

  /// The engine's instant at a reading of the boot-time clock, microseconds; never before the start.
  package func instant(atBootClock reading: Int64) -> EngineInstant {
    EngineInstant(
      microseconds: Self.sum(start.microseconds, Self.difference(reading, startBootClock)))
  }

  /// The reading of the boot-time clock at which the engine's axis will stand at `instant`; for timers.
  package func bootClock(at instant: EngineInstant) -> Int64 {
    Self.sum(startBootClock, Self.difference(instant.microseconds, start.microseconds))
  }

  /// The instant on the axis at which the earlier service read `utc` from the host's clock, by that clock's offset at
  /// the stored moment. `nil` if that is in the future: the clock was set back in between, or has lost the time.
  package func instant(ofEarlier utc: UTCInstant) -> EngineInstant? {
    guard let gap else { return nil }
    let instant = gap.from.advanced(bySeconds: UTCInstant.seconds(from: gap.fromUTC, to: utc))
    return instant <= start ? max(.zero, instant) : nil
  }

  /// The moment to store now.
  package func moment(boot: String, at now: ServiceTime) -> StoredMoment {
    StoredMoment(engine: now.at, utc: now.utc, boot: boot, bootClock: bootClock(at: now.at))
  }

  /// `later − earlier`, at least 0, at most what fits.
  private static func difference(_ later: Int64, _ earlier: Int64) -> Int64 {
    let (value, isTooLarge) = later.subtractingReportingOverflow(earlier)
    if later <= earlier { return 0 }
    return isTooLarge ? .max : value
  }

  private static func sum(_ value: Int64, _ elapsed: Int64) -> Int64 {
    let (sum, isTooLarge) = value.addingReportingOverflow(elapsed)
    return isTooLarge ? .max : sum
  }
}
