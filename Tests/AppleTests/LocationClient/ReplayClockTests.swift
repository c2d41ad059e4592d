// SPDX-License-Identifier: Apache-2.0

import LocationClient
import LocationClientReplay
import Synchronization
import Testing

@Suite("The clock of a replay")
struct ReplayClockTests {
  private func walk() throws -> ReplayedTrace {
    var trace = try ReplayedTrace(Traces.path("walk.nmea"))
    trace.firstStart = .hot
    return trace
  }

  @Test("A loop that sleeps by the clock wakes when virtual time has come there, to the second")
  func sleeps() async throws {
    let trace = try walk()
    let ticks = Mutex<[Date]>([])
    let ended = Mutex(0)
    let account = try await trace.run { _ in
      do {
        while true {
          try await trace.clock.sleep(for: .seconds(60))
          ticks.withLock { $0.append(trace.clock.date) }
        }
      } catch {
        if error is CancellationError { ended.withLock { $0 += 1 } }
      }
    }
    let times = ticks.withLock { $0 }
    let duration = account.end.timeIntervalSince(account.start)
    #expect(times.count == Int(duration / 60))
    for (index, time) in times.enumerated() {
      #expect(abs(time.timeIntervalSince(account.start) - Double(index + 1) * 60) < 0.001)
    }
    #expect(ended.withLock { $0 } == 1)
  }

  @Test("A suspended app sleeps on; outside of a run nobody moves the time")
  func suspended() async throws {
    var trace = try walk()
    trace.background(after: 60)
    let clock = trace.clock
    let ticks = Mutex<[Date]>([])
    let account = try await trace.run { _ in
      while (try? await clock.sleep(for: .seconds(1))) != nil {
        ticks.withLock { $0.append(clock.date) }
      }
    }
    let last = try #require(ticks.withLock { $0.last })
    // Suspended 5 s after it entered the background.
    #expect(abs(last.timeIntervalSince(account.start) - 65) <= 1)
    await #expect(throws: CancellationError.self) { try await clock.sleep(for: .seconds(1)) }
  }
}
