// SPDX-License-Identifier: Apache-2.0

import FixFormats
import Geodesy
import LocationEngine
import LocationModel
import Testing

@testable import Replay

/// A device that leaves home at 100 s, and an account of one app, by hand.
@Suite("What is expected of a scenario")
struct ExpectationTests {
  private static let home = Place(
    name: "home", centre: Coordinate(clampingLatitude: 10, wrappingLongitude: 20), radius: 200)

  private static func time(_ seconds: Double) -> UTCInstant {
    UTCInstant(microseconds: 1_777_878_489_000_000).advanced(bySeconds: seconds)
  }

  /// A fix each second: at home, and from `from` to `to` a kilometre away.
  private static func way(outFrom from: Int, to: Int, until end: Int) -> [TraceEvent] {
    (0...end).map { second in
      let isOut = second >= from && second < to
      var fix = Fix(
        time: time(Double(second)),
        coordinate: Coordinate(clampingLatitude: isOut ? 10.01 : 10, wrappingLongitude: 20),
        hdop: nil, source: .gnss)
      fix.horizontalAccuracy = 5
      return .fix(fix, line: second + 1)
    }
  }

  private static func event(_ seconds: Double, _ kind: ReplayEvent.Kind, of app: String? = "app")
    -> ReplayEvent
  {
    ReplayEvent(
      at: EngineInstant(microseconds: Int64(seconds * 1e6)), time: time(seconds), kind: kind,
      name: app)
  }

  private static func change(
    _ seconds: Double, _ from: AppState, _ to: AppState, _ reason: LifecycleTransition.Reason
  ) -> ReplayEvent {
    event(
      seconds,
      .decided(.transition(AppID(1), LifecycleTransition(from: from, to: to, reason: reason))))
  }

  private static func crossed(_ seconds: Double, _ what: PlaceEvent) -> ReplayEvent {
    let fix = Fix(
      time: time(seconds), coordinate: home.centre, hdop: nil, source: .gnss)
    return event(
      seconds,
      .decided(
        .place(
          AppID(1),
          .event(
            Delivery(
              sequence: 1, service: .significant, fix: fix, isCached: false, moved: nil, since: nil,
              event: what)))))
  }

  /// Suspended from the tenth second on.
  private static let asleep = [
    change(0, .notRunning, .active, .launched), change(10, .background, .suspended, .nothingHolds),
  ]

  private static func failures(
    _ claim: Replay.Expectation.Claim, over way: [TraceEvent], _ account: [ReplayEvent],
    joules: Double = 0
  ) -> [String] {
    let app = ScenarioApp(
      name: "app", handlers: [.init(.launch, [.monitorRegion(home)])])
    var scenario = Scenario(apps: [app], acts: [])
    let isOfDevice = if case .energy = claim { true } else { false }
    scenario.expectations = [Replay.Expectation(claim, "…", of: isOfDevice ? nil : "app")]
    var judge = ExpectationJudge(scenario)
    judge.takeTruth(way)
    judge.takeAccount(account)
    return judge.failures(joules: joules).map { failure in
      (failure.time.map { "\(Int(UTCInstant.seconds(from: time(0), to: $0))): " } ?? "")
        + failure.words
    }
  }

  private static let leaving = Replay.Expectation.Claim.woken(
    within: 60, of: .init(home, isLeaving: true))

  @Test("An app must run within the time that it is given, and a short absence counts for nothing")
  func woken() {
    let way = Self.way(outFrom: 100, to: 400, until: 500)
    func wake(_ second: Double) -> [ReplayEvent] {
      Self.asleep + [Self.change(second, .suspended, .background, .woken(.location))]
    }
    #expect(Self.failures(Self.leaving, over: way, wake(160)) == [])
    #expect(
      Self.failures(Self.leaving, over: way, wake(172)) == [
        "100: woken 1 min 12 s after it left home"
      ])
    #expect(
      Self.failures(Self.leaving, over: way, Self.asleep) == [
        "100: it is not woken after it left home"
      ])
    #expect(
      Self.failures(
        Self.leaving, over: way, [Self.change(0, .notRunning, .active, .launched)]) == [],
      "it runs all the time")
    #expect(
      Self.failures(Self.leaving, over: Self.way(outFrom: 100, to: 140, until: 500), Self.asleep)
        == ["the device never leaves home for so long over this trace"])
    #expect(
      Self.failures(
        .woken(within: 60, of: .init(Self.home, isLeaving: false)), over: way, Self.asleep) == [
          "400: it is not woken after it reached home"
        ])
  }

  @Test("A sink must not be silent for longer, from the trace's begin to its end")
  func silence() {
    let way = Self.way(outFrom: 0, to: 0, until: 500)
    func sends(_ seconds: [Double]) -> [ReplayEvent] {
      seconds.map { Self.event($0, .sent(SinkTransfer(events: [], bytes: 600))) }
    }
    #expect(
      Self.failures(.silence(atMost: 200), over: way, sends([100, 300, 310])) == [])
    #expect(
      Self.failures(.silence(atMost: 200), over: way, sends([100, 301, 310])) == [
        "100: silent for 3 min 21 s"
      ])
    #expect(
      Self.failures(.silence(atMost: 200), over: way, sends([100, 290])) == [
        "290: silent for 3 min 30 s"
      ])
    #expect(
      Self.failures(.silence(atMost: 200), over: way, []) == ["it never sends anything"])
  }

  @Test("What nobody saw is not judged")
  func gap() {
    let way =
      Self.way(outFrom: 100, to: 400, until: 130) + [.segmentEnd(line: 131)]
      + Self.way(outFrom: 0, to: 900, until: 800).suffix(300)
    #expect(
      Self.failures(Self.leaving, over: way, Self.asleep) == [
        "the device never leaves home for so long over this trace"
      ])
  }

  @Test("Each crossing of a fence is told, in its direction and in time")
  func told() {
    let way = Self.way(outFrom: 100, to: 400, until: 500)
    func failures(_ left: Double, _ reached: Double) -> [String] {
      Self.failures(
        .told(within: 60), over: way,
        Self.asleep + [
          Self.crossed(left, .exited("home")), Self.crossed(reached, .entered("home")),
        ])
    }
    #expect(failures(150, 455) == [])
    #expect(failures(98, 455) == [], "the receiver's error shows it before it is so")
    #expect(failures(170, 455) == ["100: told 1 min 10 s after it left home"])
    #expect(failures(150, 495) == ["400: told 1 min 35 s after it reached home"])
    #expect(
      Self.failures(
        .told(within: 60), over: way, Self.asleep + [Self.crossed(150, .exited("home"))]) == [
          "400: not told that it reached home"
        ])
  }

  @Test("Wakes are counted, and joules are those of the device")
  func most() {
    let twice =
      Self.asleep + [
        Self.change(20, .suspended, .background, .woken(.location)),
        Self.change(30, .background, .suspended, .finished),
        Self.change(40, .suspended, .background, .woken(.fetch)),
      ]
    #expect(Self.failures(.wakes(atMost: 2), over: [], twice) == [])
    #expect(Self.failures(.wakes(atMost: 1), over: [], twice) == ["40: 2 wakes"])
    #expect(Self.failures(.energy(atMost: 30), over: [], [], joules: 30) == [])
    #expect(Self.failures(.energy(atMost: 30), over: [], [], joules: 30.16) == ["30.2 J"])
  }

  @Test("After a reboot the system must start it, and there must be one")
  func reboot() {
    let reboot = Self.event(50, .user(.device(.rebooted(isLocked: true))), of: nil)
    let launch = Self.event(60, .decided(.launch(AppID(1), LaunchOptions(reason: .location))))
    #expect(Self.failures(.relaunched, over: [], [reboot, launch]) == [])
    #expect(Self.failures(.relaunched, over: [], [launch]) == ["the device never starts anew"])
    #expect(
      Self.failures(.relaunched, over: [], [launch, Self.event(70, reboot.kind, of: nil)]) == [
        "70: it is not started again"
      ])
    // A start after the next reboot is none after this one.
    #expect(
      Self.failures(.relaunched, over: [], [Self.event(40, reboot.kind, of: nil), reboot, launch])
        == ["40: it is not started again"])
  }

  @Test("Nothing may come while it is denied, and it must be denied once")
  func denied() {
    let deny = Self.event(50, .user(.authorize("app", .denied, nil)), of: nil)
    let allow = Self.event(70, .user(.authorize("app", .always, nil)), of: nil)
    func heard(_ second: Double) -> ReplayEvent { Self.crossed(second, .exited("home")) }
    let claim = Replay.Expectation.Claim.neverWhileDenied
    #expect(Self.failures(claim, over: [], [heard(40), deny, allow, heard(80)]) == [])
    #expect(
      Self.failures(claim, over: [], [deny, heard(60), allow]) == ["60: it got a location"])
    #expect(
      Self.failures(claim, over: [], [heard(40)]) == ["nobody ever denies it a location"])
  }
}
