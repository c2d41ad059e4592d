// SPDX-License-Identifier: Apache-2.0
import Glibc
import LocationModel

enum HostClock {
  struct Reading: Sendable { var boot: String; var bootClock: Int64; var utc: UTCInstant }
  static func bootClock() -> Int64 {
    var t = timespec(); clock_gettime(CLOCK_BOOTTIME, &t);
    return Int64(t.tv_sec) * 1_000_000 + Int64(t.tv_nsec) / 1000
  }
  static func utc() -> UTCInstant {
    var t = timespec(); clock_gettime(CLOCK_REALTIME, &t);
    return UTCInstant(microseconds: Int64(t.tv_sec) * 1_000_000 + Int64(t.tv_nsec) / 1000)
  }
  static func reading() -> Reading { Reading(boot: "", bootClock: bootClock(), utc: utc()) }
}
