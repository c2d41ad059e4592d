// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import Glibc
import JSONText
import LocationModel
import Replay
import ServiceCore

/// The clock of the service, which may run faster than the machine's, and may be set.
struct ServiceClock {
  private let service: ServiceOptions
  private var reckoning = ClockReckoning()

  /// The maximum length of one sleep, machine's seconds: the clock may be set meanwhile.
  private static let longestSleep = 5.0

  init(_ service: ServiceOptions) { self.service = service }

  /// Its observed seconds in one of the machine's.
  var rate: Double { reckoning.rate }

  private static var machine: Double {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// The service's UTC; throws if the service must be asked and does not answer.
  mutating func now() throws -> UTCInstant {
    if let shown = reckoning.shown(at: Self.machine) { return shown }
    let before = Self.machine
    let status: StatusDocument? = try service.ask(.status)
    let at = (before + Self.machine) / 2
    guard let status else { throw Complaint("the service did not say what time it has") }
    let shown = status.since.advanced(bySeconds: status.uptime)
    reckoning.takeReading(shown, at: at)
    return shown
  }

  /// Sleeps for that many of its seconds.
  mutating func sleep(_ seconds: Double) throws {
    let end = try now().advanced(bySeconds: seconds)
    while true {
      let left = UTCInstant.seconds(from: try now(), to: end)
      guard left > 0 else { return }
      // As long as its rate is unknown, it may be much faster.
      let most = reckoning.isKnown ? Self.longestSleep : ClockReckoning.baseline.lowerBound
      usleep(UInt32(max(1_000, min(left / reckoning.rate, most) * 1e6)))
    }
  }
}
