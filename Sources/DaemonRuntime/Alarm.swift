// SPDX-License-Identifier: Apache-2.0

import LocationModel
import NIOCore
import ServiceCore

// Theory
// ======
//
// One timer at most, on an event loop. Not `Task.sleep`: that goes through Dispatch's worker threads, and
// once there is one Dispatch looks after its pool every second for as long as the process lives, which
// would be the only wake-up of a service at rest. The loop's clock stands still while the machine is
// suspended, so a timer may then be late by that time; the first event after it catches up.

/// Offers `deadlineCame` to the inbox at an instant of the engine's axis.
struct Alarm {
  private let loop: any EventLoop
  private let inbox: Inbox
  private let clock: HostClock
  /// A year, seconds: what is due later is looked at again then.
  private static let longest = 31_536_000.0
  private var scheduled: Scheduled<Void>?
  private var instant: EngineInstant?

  init(on loop: any EventLoop, _ inbox: Inbox, _ clock: HostClock) {
    self.loop = loop
    self.inbox = inbox
    self.clock = clock
  }

  /// Sets it to `due`, or stops it; the same instant again changes nothing.
  mutating func set(_ due: EngineInstant?, at now: EngineInstant) {
    guard due != instant else { return }
    scheduled?.cancel()
    scheduled = nil
    instant = due
    guard let due else { return }
    let inbox = inbox
    let seconds = min(max(0, EngineInstant.seconds(from: now, to: due)), Self.longest)
    let wait = clock.machineSeconds(seconds)
    scheduled = loop.scheduleTask(in: .microseconds(Int64((wait * 1e6).rounded(.up)))) {
      _ = inbox.offer(.deadlineCame)
    }
  }

  /// It has rung; the next `set` sets it anew.
  mutating func rang() { instant = nil }
}
