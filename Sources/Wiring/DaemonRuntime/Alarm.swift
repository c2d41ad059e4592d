// SPDX-License-Identifier: Apache-2.0

import Host
import JSONText
import LocationModel
import ServiceContract
import ServiceCore

// Theory
// ======
//
// At most one timer, on the clock of the engine's axis, which runs on while the machine is suspended: deadlines that
// pass meanwhile are reported at its wake.
//
// The wall clock gives a wall-clock deadline (a local notification) its instant on that axis. When that clock is set,
// the service is told that time has passed; its deadlines then follow the new reading, and so does the timer.

/// Offers `deadlineCame` to the inbox at an instant of the engine's axis.
struct Alarm {
  private let watch: ClockWatch
  private let clock: HostClock
  private var instant: EngineInstant?

  /// `wakes`: whether it may wake the machine. Throws `Complaint` if the process can have no timer.
  init(_ inbox: Inbox, _ clock: HostClock, wakes: Bool = false) throws {
    self.clock = clock
    do throws(ClockWatch.Failure) {
      watch = try ClockWatch(wakes: wakes) { event in
        switch event {
        case .due: _ = inbox.offer(.deadlineCame)
        case .clockWasSet: _ = inbox.offer(.service(.timePassed))
        }
      }
    } catch {
      throw Complaint(
        "\(error); close programs, or raise the limits of this user (ulimit -n, ulimit -u)")
    }
    if let why = watch.cannotWake {
      _ = inbox.offer(.machine(.trouble("a machine that sleeps is not woken for a look: \(why)")))
    }
  }

  /// Sets it to `due`, or stops it; the same instant again changes nothing.
  mutating func set(_ due: EngineInstant?, at now: EngineInstant) {
    guard due != instant else { return }
    instant = due
    watch.set(after: due.map { clock.machineSeconds(EngineInstant.seconds(from: now, to: $0)) })
  }

  /// Notes that it has rung; the next `set` sets it anew.
  mutating func rang() { instant = nil }

  /// Ends the alarm.
  func close() async { await watch.close() }
}
