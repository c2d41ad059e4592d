// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel
import Testing

@testable import Replay

@Suite("What user and system do comes in order, at its time or its place")
struct ActQueueTests {
  private let home = Place(
    name: "home", centre: Coordinate(clampingLatitude: 48, wrappingLongitude: 11), radius: 100)

  /// The seconds at which the acts come, given the device's metres east of home at each second.
  private func times(_ acts: [UserAct], east: [Double] = []) -> [Double] {
    var queue = ActQueue(acts)
    let start = EngineInstant(microseconds: 5_000_000)
    queue.begin(at: start, utc: UTCInstant(microseconds: 1_000_000_000_000_000))
    var times: [Double] = []
    func pop(until now: EngineInstant) {
      while let due = queue.nextDeadline, due <= now {
        _ = queue.pop(at: due)
        times.append(EngineInstant.seconds(from: start, to: due))
      }
    }
    for (second, metres) in (east.isEmpty ? [0] : east).enumerated() {
      let now = start.advanced(bySeconds: Double(second))
      pop(until: now)
      let frame = LocalFrame(origin: home.centre)
      queue.see(frame.point(east: metres, north: 0), at: now)
      pop(until: now)
    }
    pop(until: start.advanced(bySeconds: 10_000))
    return times
  }

  @Test("Elapsed time counts from the begin, later time from the line before, UTC from the clock")
  func clocks() {
    let utc = UTCInstant(microseconds: 1_000_000_100_000_000)
    #expect(
      times([
        UserAct(.home, after: 60), UserAct(.lock, .later(10)),
        UserAct(.device(.unlocked), .utc(utc)),
        UserAct(.device(.rebooted(isLocked: true)), .later(5)),
      ]) == [60, 70, 100, 105])
  }

  @Test("A line whose time is past when its turn comes, comes at once")
  func late() {
    #expect(times([UserAct(.home, after: 60), UserAct(.lock, after: 30)]) == [60, 60])
  }

  @Test("Leaving needs to have been inside, reaching outside, each since the line's turn came")
  func places() {
    let leaves = UserAct(.home, .leaving(home))
    let comes = UserAct(.lock, .reaching(home))
    #expect(times([leaves], east: [0, 50, 99, 101, 300]) == [3])
    #expect(times([leaves], east: [200, 300, 50, 400]) == [3])
    #expect(times([comes], east: [0, 50, 200, 80]) == [3])
    #expect(times([leaves, comes, leaves], east: [0, 200, 0, 0, 200]) == [1, 2, 4])
  }

  @Test("A place that is never reached keeps back what stands behind it")
  func never() {
    #expect(times([UserAct(.home, .reaching(home)), UserAct(.lock, after: 5)]) == [])
  }
}
