// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationEngine
import LocationModel
import Replay
import Testing

@testable import Reports

@Suite("A timeline tells every app's life")
struct TimelineTests {
  // 2026-05-04T07:00:00Z
  private static let start = UTCInstant(microseconds: 1_777_878_000_000_000)

  private func event(
    _ seconds: Double, _ kind: ReplayEvent.Kind, of app: String? = "app"
  ) -> ReplayEvent {
    ReplayEvent(
      at: EngineInstant.zero.advanced(bySeconds: seconds),
      time: Self.start.advanced(bySeconds: seconds), kind: kind, name: app)
  }

  private func change(
    _ from: AppState, _ to: AppState, _ reason: LifecycleTransition.Reason
  ) -> ReplayEvent.Kind {
    .decided(.transition(AppID(1), LifecycleTransition(from: from, to: to, reason: reason)))
  }

  private func delivery(_ service: Service, moved: Double? = nil, since: Double? = nil)
    -> ReplayEvent.Kind
  {
    .decided(
      .deliver(
        AppID(1),
        Delivery(
          sequence: 1, service: service,
          fix: Fix(time: nil, coordinate: Coordinate(clampingLatitude: 0, wrappingLongitude: 0)),
          isCached: false, moved: moved, since: since)))
  }

  private func timeline(_ events: [ReplayEvent], until seconds: Double) -> Timeline {
    var timeline = Timeline(Scenario(apps: [ScenarioApp(name: "app")], acts: []))
    timeline.include(events: events)
    timeline.finish(at: seconds, Self.start.advanced(bySeconds: seconds), adding: [3])
    return timeline
  }

  private func words(_ timeline: Timeline) -> [String] {
    timeline.lines.map {
      "\(Int($0.at)) \($0.state?.rawValue ?? "-"): \(TimelineText.sentence(of: $0))"
    }
  }

  @Test("What happens to an app at one instant is one line, in its last state")
  func instants() {
    let told = timeline(
      [
        event(0, .user(.open("app")), of: nil),
        event(0, change(.notRunning, .inactive, .launched)),
        event(0, .callbacks(AppID(1), [.didFinishLaunching(nil)])),
        event(0, change(.inactive, .active, .launched)),
        event(0, .callbacks(AppID(1), [.didBecomeActive])),
        event(0, .did("works 5 s")),
      ], until: 60)
    #expect(
      words(told) == [
        "0 -: the user opens app",
        "0 active: launched by the user; told didFinishLaunching, didBecomeActive; works 5 s",
      ])
  }

  @Test("A block that comes three times in a row is told once, with its count and its last time")
  func folding() {
    var events = [
      event(0, change(.notRunning, .inactive, .launched)),
      event(0, change(.inactive, .active, .launched)),
    ]
    for number in 0..<5 {
      events.append(event(10 + 2 * Double(number), delivery(.standard)))
      events.append(event(11 + 2 * Double(number), .did("uploads 2 kB")))
    }
    events.append(event(30, .did("exits")))
    #expect(
      words(timeline(events, until: 40))
        == [
          "0 active: launched by the user", "10 active: a location (5 times until 07:00:18)",
          "11 active: uploads 2 kB (5 times until 07:00:19)", "30 active: exits",
        ])
  }

  @Test("What repeats past midnight says until which day")
  func days() {
    // Every 6 hours from 07:00 on: the last of five is at 07:00 on the day after.
    let events = (0..<5).map { event(21_600 * Double($0), .did("uploads 2 kB")) }
    #expect(
      words(timeline(events, until: 90_000)) == [
        "0 not_running: uploads 2 kB (5 times until 5 May 07:00:00)"
      ])
  }

  @Test("What it was told at one instant is one list, in the state that it ended in")
  func callbacks() {
    func opens(_ seconds: Double, _ first: AppCallback, _ second: AppCallback) -> [ReplayEvent] {
      [
        event(seconds, change(.background, .inactive, .enteredForeground)),
        event(seconds, .callbacks(AppID(1), [first])),
        event(seconds, change(.inactive, .active, .enteredForeground)),
        event(seconds, .callbacks(AppID(1), [second])),
      ]
    }
    #expect(
      words(timeline(opens(5, .willEnterForeground, .didBecomeActive), until: 60)) == [
        "5 active: comes to the foreground; told willEnterForeground, didBecomeActive"
      ])
    // Three that end otherwise are not the same.
    let events =
      opens(5, .willEnterForeground, .didBecomeActive)
      + opens(6, .willEnterForeground, .willResignActive)
      + opens(7, .willEnterForeground, .didBecomeActive)
    #expect(timeline(events, until: 60).lines.map(\.count) == [1, 1, 1])
  }

  @Test("What comes several times at one instant is said once, with its count")
  func atOnce() {
    let kept = (0..<500).map { _ in event(60, delivery(.continuous)) }
    let told = timeline(
      [event(60, change(.suspended, .background, .woken(.location)))] + kept, until: 100)
    #expect(words(told) == ["60 background: woken: significant change; a location 500 ×"])
  }

  @Test("Significant changes are never folded: each has its own numbers")
  func significant() {
    let events = (0..<4).map {
      event(400 * Double($0), delivery(.significant, moved: 600, since: 400))
    }
    #expect(
      words(timeline(events, until: 2_000)).allSatisfy {
        $0.hasSuffix(": a significant change, 600 m and 400 s after the last")
      })
    #expect(timeline(events, until: 2_000).lines.count == 4)
  }

  @Test(
    "Ten minutes in which nothing woke an app have a line that says why, the nearest with numbers")
  func silence() {
    let near = Verdict(
      .tooClose, moved: 480, movedRequired: 500, since: 700, sinceRequired: 300, accuracy: 35)
    let far = Verdict(
      .tooClose, moved: 100, movedRequired: 500, since: 800, sinceRequired: 300, accuracy: 35)
    func judged(_ seconds: Double, _ verdict: Verdict) -> ReplayEvent {
      event(seconds, .decided(.verdict(AppID(1), .significant, verdict, fixTime: nil)))
    }
    let told = timeline(
      [
        event(0, change(.background, .suspended, .nothingHolds)), judged(100, far),
        judged(200, near), judged(300, far),
        event(660, change(.suspended, .background, .woken(.location))),
      ], until: 700)
    #expect(
      words(told) == [
        "0 suspended: nothing holds it in the background",
        "0 suspended: not woken for 11 min: too close 3 × (the nearest: 480 m of 500 m, 700 s of 300 s, "
          + "accuracy 35 m)",
        "660 background: woken: significant change",
      ])
    let short = timeline(
      [
        event(0, change(.background, .suspended, .nothingHolds)), judged(100, far),
        event(599, change(.suspended, .background, .woken(.location))),
      ], until: 700)
    #expect(words(short).count == 2)
  }

  @Test("A reason for which no location wakes it at all comes first, and for how long it held")
  func unreachable() {
    let told = timeline(
      [
        event(0, change(.background, .suspended, .nothingHolds)),
        event(240, .decided(.unreachable(AppID(1), .refreshIsOff))),
        event(840, change(.suspended, .notRunning, .purged)),
        event(2_000, .decided(.unreachable(AppID(1), nil))),
        event(2_001, change(.notRunning, .background, .relaunched(.location))),
      ], until: 2_100)
    #expect(
      words(told) == [
        "0 suspended: nothing holds it in the background",
        "0 suspended: not woken for 14 min: for 10 min background refresh is switched off",
        "240 suspended: no location wakes it now: background refresh is switched off",
        "840 not_running: purged",
        "840 not_running: not launched for 19 min: background refresh is switched off",
        "2001 background: launched in the background: significant change",
      ])
  }

  @Test("A title steers no terminal")
  func title() {
    var scenario = Scenario(apps: [], acts: [])
    scenario.title = "a\u{1B}[2J\u{7}b"
    let title = TimelineText.title(Timeline(scenario))
    #expect(title == "a?[2J?b")
  }

  @Test("Where nothing happens, the time has passed all the same")
  func nothing() throws {
    let told = timeline([], until: 600)
    #expect(told.start == Self.start)
    #expect(try #require(told.lives.first).seconds(in: .notRunning) == 600)
  }

  @Test("A life adds up: states fill the time, wakes, launches and ends are counted")
  func sums() throws {
    let told = timeline(
      [
        event(10, change(.notRunning, .inactive, .launched)),
        event(10, change(.inactive, .active, .launched)),
        event(70, change(.active, .inactive, .leftForeground)),
        event(70, change(.inactive, .background, .leftForeground)),
        event(75, change(.background, .suspended, .nothingHolds)),
        event(100, change(.suspended, .background, .woken(.location))),
        event(110, change(.background, .suspended, .budgetUsedUp)),
        event(200, change(.suspended, .notRunning, .purged)),
        event(300, change(.notRunning, .background, .relaunched(.fetch))),
      ], until: 310)
    let life = try #require(told.lives.first)
    #expect(life.seconds(in: .notRunning) == 10 + 100)
    #expect(life.seconds(in: .active) == 60)
    #expect(life.seconds(in: .background) == 5 + 10 + 10)
    #expect(life.seconds(in: .suspended) == 25 + 90)
    #expect(AppState.allCases.map(life.seconds).reduce(0, +) == 310)
    #expect(life.wakes == [.location: 1])
    #expect(life.launches == [.fetch: 1])
    #expect((life.opened, life.ends) == (1, ["purged": 1]))
    #expect(
      TimelineText.sentences(life) == [
        "suspended 115 s, background 25 s, active 60 s, not running 110 s",
        "launched once by its user; launched in the background once (background fetch); woken once "
          + "(significant change)", "no deliveries", "ended: purged once",
        "adds 3.0 J to what the device takes without it",
      ])
    var sharing = life
    sharing.adds = -240
    #expect(
      TimelineText.sentences(sharing).last
        == "the device takes 240 J less with it than without it: what it does moves the calls, wakes or "
        + "fixes of other apps")
  }
}
