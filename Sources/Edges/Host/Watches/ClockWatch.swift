// SPDX-License-Identifier: Apache-2.0

import CUnix
import Glibc

// Theory
// ======
//
// One thread, which blocks in `poll` without a timeout on two of the kernel's timers (timerfd_create(2)) and on a
// bell for the end:
//
//   - one of the boot-time clock, which is due at the requested time. That clock goes on while the machine is
//     suspended: deadlines that passed meanwhile are reported at its wake, and an hour is an hour even if the
//     machine slept for half of it. If it may wake the machine, it is one of the alarm clock of the same axis, which
//     the kernel gives to the machine's RTC before a suspension.
//   - one of the wall clock that is never due, and that the kernel cancels when that clock is set, or the
//     machine wakes (TFD_TIMER_CANCEL_ON_SET). A clock whose rate is merely adjusted is not set.
//
// Any thread can set a timer without waking this one. It has negligible slack and no second wakeup: a machine on which
// nothing is due and whose clock is not set is not woken.
//
// The event loop's timer is unsuitable: it runs on CLOCK_MONOTONIC, which stops while the machine is suspended. So is
// `Task.sleep`: it goes through Dispatch's worker threads, and once there is one Dispatch checks its pool every second
// for as long as the process lives, which would be the only wakeup of an idle service.

/// Reports when a time has passed, and when the machine's wall clock was set.
package final class ClockWatch: Sendable {
  package enum Event: Sendable, Equatable {
    /// The last set time has passed, or one that was set shortly before it.
    case due
    /// The wall clock may differ from its undisturbed course.
    case clockWasSet
  }

  /// The reason why nothing can be reported: there is no timer, or no thread.
  package struct Failure: Error, Sendable, Equatable, CustomStringConvertible {
    package let description: String
  }

  /// Why it cannot wake the machine, though it was to; it reports at the machine's own wake then.
  package let cannotWake: String?
  private let timer: Int32
  private let clock: Int32
  private let thread = BellThread()
  private let sink: @Sendable (Event) -> Void

  /// `wakes`: whether a suspended machine is woken for a report. `sink` is called on the watch's own thread and must not
  /// block.
  package convenience init(
    wakes: Bool = false, sink: @escaping @Sendable (Event) -> Void
  ) throws(Failure) {
    let alarm = wakes ? unix_boot_timer(1) : -1
    let why = wakes && alarm < 0 ? SystemError.text() : nil
    let timer = alarm < 0 ? unix_boot_timer(0) : alarm
    guard timer >= 0 else {
      throw Failure(description: "the kernel gives no timer: \(SystemError.text())")
    }
    // Without this one, wall-clock deadlines are late after the clock was set, and all else works.
    try self.init(timer: timer, clock: unix_clock_timer(), cannotWake: why, sink: sink)
  }

  /// Takes over two descriptors; the second is optional (below 0).
  init(
    timer: Int32, clock: Int32, cannotWake: String? = nil,
    sink: @escaping @Sendable (Event) -> Void
  ) throws(Failure) {
    self.cannotWake = cannotWake
    self.timer = timer
    self.clock = clock
    self.sink = sink
    do throws(BlockingThread.Missing) {
      try thread.start { self.runThread() }
    } catch {
      throw Failure(description: error.description)
    }
  }

  deinit {
    for descriptor in [timer, clock] where descriptor >= 0 { Glibc.close(descriptor) }
  }

  /// Sets the time of the next report, in seconds of the boot-time clock, once, in place of the earlier one; `nil` only
  /// cancels that. A time more than a century ahead is reported after a century.
  package func set(after seconds: Double?) {
    guard let seconds else {
      _ = unix_set_timer(timer, 0)
      return
    }
    // A timer of 0 would be disarmed.
    _ = unix_set_timer(timer, Int64((min(max(0, seconds), 3e9) * 1e9).rounded(.up)) | 1)
  }

  /// Ends the thread. No event follows.
  package func close() async { await thread.close() }

  private func runThread() {
    // poll(2) ignores an entry with a descriptor below 0.
    var entries = [
      thread.bell.entry,
      pollfd(fd: timer, events: Int16(POLLIN), revents: 0),
      pollfd(fd: clock, events: Int16(POLLIN), revents: 0),
    ]
    while !thread.isToEnd {
      guard poll(&entries, nfds_t(entries.count), -1) > 0 else { continue }
      var ticks: UInt64 = 0
      // The clock first: deadlines then follow its new reading.
      if entries[2].revents != 0 {
        // Gives ECANCELED, which is known already.
        _ = read(clock, &ticks, 8)
        if unix_await_clock_set(clock) == 0 { entries[2].fd = -1 }
        sink(.clockWasSet)
      }
      // It may have been set anew since `poll`, and is not due then (EAGAIN).
      if entries[1].revents != 0, read(timer, &ticks, 8) == 8 { sink(.due) }
    }
  }
}
