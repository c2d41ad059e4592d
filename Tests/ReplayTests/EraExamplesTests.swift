// SPDX-License-Identifier: Apache-2.0

import LocationModel
import Testing

@testable import Replay

/// The examples of the texts about background execution, in every era: the outcome matches each era's row. The task
/// that finishes an upload is in `ScenarioRunTests`.
extension ScenarioRunTests {
  /// The seconds at which it was called for `reason`, woken or launched.
  private func calls(_ states: [String], for reason: String) -> [Int] {
    states.filter { $0.hasSuffix("woken by \(reason)") || $0.hasSuffix("relaunched by \(reason)") }
      .compactMap { Int($0.prefix { $0 != " " }) }
  }

  @Test(
    "A VoIP app is called within each 600 s in the eras that keep it alive, and else purged",
    arguments: [(Era.ios4, true), (.ios7, true), (.ios13, false), (.today, false)])
  func voip(era: Era, isCalled: Bool) throws {
    let phone = app(
      "app", .voip,
      [
        .init(.launch, [.setKeepAlive(600)]),
        .init(.keepAlive, [.work(1), .transfer(up: 1_000, down: 0)]),
      ])
    let events = try play([phone], putAway, era: era)
    let calls = calls(states(events), for: "keep_alive")
    guard isCalled else {
      #expect(calls == [])
      #expect(
        states(events).suffix(2) == [
          "65 suspended: nothing holds it in the background", "665 not_running: purged",
        ])
      return
    }
    #expect(calls.count >= 4)
    // The interval counts from the previous call, and the first one from the time when the app entered the background.
    #expect(zip([60] + calls, calls).allSatisfy { $1 - $0 <= 600 })
    // Each is over when its second of work is done.
    #expect(states(events).count { $0.hasSuffix("suspended: finished its work") } == calls.count)
  }

  @Test("A keep-alive of 300 s is refused in a scenario as it is live, and its app is purged")
  func keepAliveTooOften() throws {
    let phone = app("app", .voip, [.init(.launch, [.setKeepAlive(300)])])
    let events = try play([phone], putAway, era: .ios7)
    #expect(calls(states(events), for: "keep_alive") == [])
    #expect(states(events).last == "665 not_running: purged")
    let said = events.compactMap { if case .did(let words) = $0.kind { words } else { nil } }
    #expect(said.contains("is told: a keep-alive every 300 s is refused: 600 s are the least"))
  }

  @Test(
    "A feed fetches in the eras that have background fetch, and is suspended when it has answered",
    arguments: [(Era.ios4, false), (.ios7, true), (.ios13, true), (.today, true)])
  func feed(era: Era, fetches: Bool) throws {
    let feed = app(
      "app", .fetch,
      [
        .init(.launch, [.setFetchInterval(0)]),
        .init(.fetch, [.work(3), .transfer(up: 0, down: 60_000), .answer(.newData)]),
      ])
    let all = states(try play([feed], putAway, era: era))
    let calls = calls(all, for: "fetch")
    #expect(calls.isEmpty != fetches)
    for call in calls { #expect(all.contains("\(call + 3) suspended: finished its work")) }
  }

  @Test(
    "A tracker that its user swiped away is launched by the next significant change but in ios7",
    arguments: [(Era.ios4, true), (.ios7, false), (.ios13, true), (.today, true)])
  func tracker(era: Era, comesBack: Bool) throws {
    let tracker = app(
      "app", [],
      [
        .init(.launch, [.startSignificant]),
        .init(.location, [.work(1), .transfer(up: 2_000, down: 0)]),
      ])
    let all = states(
      try play([tracker], putAway + [UserAct(.forceQuit("app"), after: 800)], era: era))
    let calls = calls(all, for: "location")
    // 700 s at 14 m/s are 9.8 km: it is woken before.
    #expect(calls.contains { $0 < 800 })
    #expect(calls.contains { $0 > 800 } == comesBack)
    #expect(all.contains { $0.hasSuffix("relaunched by location") } == comesBack)
  }
}
