// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import Glibc
import LocationModel

// Theory
// ======
//
// The service's clock may run faster than the machine's, and only it knows how fast. Two readings tell, the better the
// further they are apart; so it is asked at first, then after twice the time, and so on, up to a minute. In between
// the time is reckoned.

/// The clock of the service.
struct ServiceClock {
  private let service: ServiceOptions
  /// Seconds of it in one of the machine's, as far as was seen; at first as if it were the machine's.
  private(set) var rate = 1.0
  private var first: Reading?
  private var latest: Reading?

  /// What it showed, and the machine's clock then, seconds since it started.
  private struct Reading {
    let shown: UTCInstant
    let at: Double
  }

  /// Machine's seconds between two readings from which on they say how fast it is, and at most.
  private static let baseline = 0.2...60.0
  /// Machine's seconds of one sleep at most: the clock may be set meanwhile.
  private static let longestSleep = 5.0

  init(_ service: ServiceOptions) { self.service = service }

  private static var machine: Double {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// UTC as the service has it; throws where it has to be asked and does not answer.
  mutating func now() throws -> UTCInstant {
    let machine = Self.machine
    if let first, let latest {
      let next = min(max(latest.at - first.at, Self.baseline.lowerBound), Self.baseline.upperBound)
      if rate != 1 || latest.at > first.at, machine < latest.at + next {
        return latest.shown.advanced(bySeconds: (machine - latest.at) * rate)
      }
    }
    return try read()
  }

  private mutating func read() throws -> UTCInstant {
    let before = Self.machine
    let status: StatusDocument? = try service.ask(.status)
    let at = (before + Self.machine) / 2
    guard let status else { throw Complaint("the service did not say what time it has") }
    let reading = Reading(shown: status.since.advanced(bySeconds: status.uptime), at: at)
    guard let first else {
      (first, latest) = (reading, reading)
      return reading.shown
    }
    guard at - first.at >= Self.baseline.lowerBound else { return reading.shown }
    let seen = UTCInstant.seconds(from: first.shown, to: reading.shown) / (at - first.at)
    // A twentieth is the roughness of the question.
    rate = abs(seen - 1) < 0.05 ? 1 : max(seen, 0.001)
    latest = reading
    return reading.shown
  }

  /// Sleeps for so many of its seconds.
  mutating func sleep(_ seconds: Double) throws {
    let end = try now().advanced(bySeconds: seconds)
    while true {
      let left = UTCInstant.seconds(from: try now(), to: end)
      guard left > 0 else { return }
      // Until it is known how fast it is, it may be much faster.
      let isKnown = latest.flatMap { latest in first.map { latest.at > $0.at } } ?? false
      let machine = min(left / rate, isKnown ? Self.longestSleep : Self.baseline.lowerBound)
      usleep(UInt32(max(1_000, machine * 1e6)))
    }
  }
}
