// SPDX-License-Identifier: Apache-2.0

import Glibc
package import LocationModel
import ServiceCore

/// The clocks of this machine, and the identity of its boot: the only place that reads them.
package enum HostClock {
  /// Microseconds since the machine started, with the time that it slept (`CLOCK_BOOTTIME`).
  package static var bootClock: Int64 { read(CLOCK_BOOTTIME) }

  /// UTC as this machine has it (`CLOCK_REALTIME`); may step.
  package static var utc: UTCInstant { UTCInstant(microseconds: read(CLOCK_REALTIME)) }

  /// This process.
  package static var processID: Int32 { getpid() }

  /// The kernel's random name of this boot; where it cannot be read (no `/proc`), empty, and then each
  /// start counts as the same boot for as long as the boot-time clock does not run backwards.
  package static let bootID: String = {
    let file = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return "" }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = Glibc.read(file, &bytes, bytes.count)
    guard count > 0 else { return "" }
    return String(decoding: bytes[..<count].prefix { $0 > 32 }, as: UTF8.self)
  }()

  private static func read(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    // Fails for unknown clocks only; Linux has both.
    _ = clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
  }
}
