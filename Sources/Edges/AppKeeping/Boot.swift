// SPDX-License-Identifier: Apache-2.0

import Glibc
import Host

/// This boot of the machine.
package enum Boot {
  /// The kernel's random name of the boot: process numbers and start times are valid only within it. Empty if it cannot
  /// be read (no `/proc`).
  package static var id: String {
    String((SmallFile.text(of: "/proc/sys/kernel/random/boot_id") ?? "").prefix { $0 != "\n" })
  }

  /// Seconds since the boot, on the clock that goes on while the machine sleeps.
  package static var seconds: Double { seconds(CLOCK_BOOTTIME) }

  /// Seconds for which the machine has slept since the boot, to a fraction of a millisecond.
  package static var slept: Double { max(0, seconds - seconds(CLOCK_MONOTONIC)) }

  private static func seconds(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
