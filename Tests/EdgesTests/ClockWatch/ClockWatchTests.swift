// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Synchronization
import Testing

@testable import Host

@Suite("The watch of the clocks")
struct ClockWatchTests {
  private final class Heard: Sendable {
    private let entries = Mutex<[ClockWatch.Event]>([])
    var take: @Sendable (ClockWatch.Event) -> Void {
      { event in self.entries.withLock { $0.append(event) } }
    }
    var events: [ClockWatch.Event] { entries.withLock { $0 } }

    /// Whether `count` events come, within some seconds.
    func come(_ count: Int) -> Bool {
      for _ in 0..<1_000 where events.count < count { poll(nil, 0, 10) }
      return events.count >= count
    }
  }

  /// The kernel's facts about this process's timers (proc(5), /proc/PID/fdinfo).
  private static func timers() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fdinfo").compactMap { name in
      let text = (try? String(contentsOfFile: "/proc/self/fdinfo/\(name)", encoding: .utf8)) ?? ""
      return text.contains("clockid:") ? text : nil
    }
  }

  @Test("What was set last is told once it is due, and what was taken back is not")
  func due() async throws {
    let heard = Heard()
    // The machine's clock may be set meanwhile.
    let watch = try ClockWatch { if $0 == .due { heard.take($0) } }
    watch.set(after: 3_600)
    watch.set(after: 0.01)
    #expect(heard.come(1))
    watch.set(after: 0)
    #expect(heard.come(2), "what is due already is told too")
    watch.set(after: 0.5)
    watch.set(after: nil)
    poll(nil, 0, 700)
    #expect(heard.events == [.due, .due])
    await watch.close()
  }

  @Test("Time counts while the machine is suspended, and the kernel tells that the clock was set")
  func clocks() async throws {
    let before = try Self.timers()
    let watch = try ClockWatch { _ in }
    watch.set(after: 3_600)
    let timers = try Self.timers().filter { !before.contains($0) }
    // <linux/time.h>: CLOCK_BOOTTIME is 7, CLOCK_REALTIME 0. <sys/timerfd.h>: TFD_TIMER_ABSTIME is 1,
    // TFD_TIMER_CANCEL_ON_SET 2; the kernel writes them in octal.
    #expect(timers.contains { $0.contains("clockid: 7\n") })
    #expect(
      timers.contains { $0.contains("clockid: 0\n") && $0.contains("settime flags: 03\n") })
    await watch.close()
  }

  @Test(
    "A watch that wakes the machine has the kernel's alarm clock, or says why not and tells all the same"
  )
  func wakes() async throws {
    let before = try Self.timers()
    let heard = Heard()
    let watch = try ClockWatch(wakes: true) { if $0 == .due { heard.take($0) } }
    // <linux/time.h>: CLOCK_BOOTTIME_ALARM is 9; it needs CAP_WAKE_ALARM and an RTC that wakes.
    let isAlarm = try Self.timers().contains { !before.contains($0) && $0.contains("clockid: 9\n") }
    #expect(isAlarm == (watch.cannotWake == nil))
    watch.set(after: 0.01)
    #expect(heard.come(1))
    await watch.close()
  }

  @Test("A clock that was set is told, before what is due")
  func clockWasSet() async throws {
    let heard = Heard()
    // A pipe with 8 bytes in it is read as a timer is.
    var (timer, clock) = ([Int32](repeating: -1, count: 2), [Int32](repeating: -1, count: 2))
    #expect(pipe(&timer) == 0 && pipe(&clock) == 0)
    var one: UInt64 = 1
    _ = write(timer[1], &one, 8)
    _ = write(clock[1], &one, 8)
    defer { for descriptor in [timer[1], clock[1]] { close(descriptor) } }
    let watch = try ClockWatch(timer: timer[0], clock: clock[0], sink: heard.take)
    #expect(heard.come(2))
    await watch.close()
    #expect(heard.events == [.clockWasSet, .due])
  }

  @Test(
    "A wall clock that is really set is told, each time",
    .enabled(
      if: WallClock.mayBeStepped,
      "the wall clock is set by root of the machine only (CAP_SYS_TIME): not in a container, not in a namespace"
    ))
  func reallySet() async throws {
    let heard = Heard()
    let watch = try ClockWatch(sink: heard.take)
    // A nanosecond goes unnoticed elsewhere, and it is given back.
    #expect(WallClock.step(byNanoseconds: 1))
    #expect(heard.come(1))
    #expect(WallClock.step(byNanoseconds: -1))
    #expect(heard.come(2), "the timer that the kernel has ended is set again")
    await watch.close()
    #expect(heard.events.allSatisfy { $0 == .clockWasSet }, "\(heard.events)")
  }

  @Test("After the end nothing is told")
  func end() async throws {
    let heard = Heard()
    let watch = try ClockWatch(sink: heard.take)
    watch.set(after: 0.5)
    await watch.close()
    poll(nil, 0, 700)
    #expect(heard.events.isEmpty)
  }
}
