// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel
import RadioPower
import ServiceCore
import Testing

@testable import Replay

/// Scenarios over a drawn drive: 100 s still, then 14 m/s. The expected outcome follows from the rules of background
/// execution: budgets of 600, 180 and 30 s, grace 5 s, a wake of 10 s, handlers 30 s.
@Suite("A scenario is played by the rules")
struct ScenarioRunTests {
  func play(
    _ apps: [ScenarioApp], _ acts: [UserAct], era: Era = .today, seconds: Double = 3_000
  ) throws -> [ReplayEvent] {
    try run(apps, acts, era: era, seconds: seconds).events
  }

  private func run(
    _ apps: [ScenarioApp], _ acts: [UserAct], era: Era = .today, uploads: UploadPolicy = .none,
    seconds: Double = 3_000
  ) throws -> (events: [ReplayEvent], counters: Counters) {
    let trace = Drawn.trace([(100, 0), (seconds - 100, 14)])
    let device = try #require(try ProfileLibrary.device(named: "phone-2021-lte"))
    var options = ReplayOptions(device: device, network: nil)
    options.rules.era = era
    options.uploads = uploads
    let plan = RunPlan(.significant, .pocket, policy: .ios)
    let run = Run(
      Scenario(apps: apps, acts: acts), tracking: plan, options: options,
      records: [.events, .verdicts])
    let summary = Drawn.summary(trace)
    var comparison = Comparison(run, options: options, summary: summary, observed: nil)
    comparison.feed(trace)
    let result = try #require(comparison.finishTrace().runs.first)
    return (comparison.drainEvents(ofRun: 0), result.counters)
  }

  func app(
    _ name: String = "app", _ modes: BackgroundModes = [], _ handlers: [ScenarioApp.Handler]
  ) -> ScenarioApp {
    var declaration = AppDeclaration()
    declaration.modes = modes
    return ScenarioApp(name: name, declaration: declaration, handlers: handlers)
  }

  /// `60 active>background`: an app's changes of state, with their times.
  func states(_ events: [ReplayEvent], of app: String = "app") -> [String] {
    events.compactMap { event in
      guard event.name == app, case .decided(.transition(_, let change)) = event.kind else {
        return nil
      }
      return "\(Int(event.at.seconds.rounded())) \(change.to.rawValue): \(change.reason.text)"
    }
  }

  private func deeds(_ events: [ReplayEvent], of app: String = "app") -> [String] {
    events.compactMap { event in
      guard event.name == app, case .did(let words) = event.kind else { return nil }
      return "\(Int(event.at.seconds.rounded())) \(words)"
    }
  }

  let putAway = [UserAct(.open("app"), after: 0), UserAct(.home, after: 60)]

  @Test("What an app does takes its time, one step after the other, side by side by handler")
  func steps() throws {
    let events = try play(
      [
        app(
          "app", [],
          [
            .init(.launch, [.work(10), .transfer(up: 1_000, down: 0), .work(5), .crash]),
            .init(.background, [.work(2), .hang, .exit(3)]),
          ])
      ], [UserAct(.open("app"), after: 0), UserAct(.home, after: 12)])
    #expect(
      deeds(events) == [
        "0 works 10 s", "10 uploads 1 kB", "10 works 5 s", "12 works 2 s", "14 hangs",
        "15 crashes",
      ])
    #expect(states(events).last == "15 not_running: exited by itself")
  }

  @Test(
    "An app comes to the front and becomes active at its launch too, and resigns before it leaves")
  func callbacks() throws {
    let events = try play(
      [
        app(
          "app", [],
          [
            .init(.launch, [.beginTask("launch")]), .init(.foreground, [.beginTask("foreground")]),
            .init(.active, [.beginTask("active")]), .init(.inactive, [.beginTask("inactive")]),
            .init(.background, [.beginTask("background"), .nothing]),
          ])
      ],
      [
        UserAct(.open("app"), after: 0), UserAct(.device(.call(true)), after: 10),
        UserAct(.device(.call(false)), after: 20), UserAct(.home, after: 30),
        UserAct(.open("app"), after: 33),
      ])
    #expect(
      deeds(events) == [
        "0 begins the task launch", "0 begins the task foreground", "0 begins the task active",
        "10 begins the task inactive", "20 begins the task active", "30 begins the task inactive",
        "30 begins the task background", "33 begins the task foreground",
        "33 begins the task active",
      ])
  }

  @Test("An issue is downloaded while its app sleeps, and its end wakes it, complete or not")
  func issue() throws {
    let handlers = [
      ScenarioApp.Handler(.background, [.downloadIssue(200_000_000)]),
      .init(.newsstand, [.beginTask("read"), .work(1), .endTask("read")]),
    ]
    let woken = "background: woken by newsstand"
    let whole = try play([app("app", .newsstandContent, handlers)], putAway, era: .ios7)
    let wakes = states(whole).filter { $0.hasSuffix(woken) }
    #expect(wakes.count == 1)
    #expect(states(whole).contains("65 suspended: nothing holds it in the background"))
    let end = try #require(wakes.first?.split(separator: " ").first.flatMap { Int($0) })
    #expect(end > 65)
    let cut = try play(
      [app("app", .newsstandContent, handlers)], putAway + [UserAct(.network(false), after: 66)],
      era: .ios7)
    #expect(states(cut).contains("66 \(woken)"))
    let undeclared = try play([app("app", [], handlers)], putAway, era: .ios7)
    #expect(!states(undeclared).contains { $0.hasSuffix(woken) })
  }

  @Test("A need of memory that frees none says so")
  func nothingFreed() throws {
    let need = Happening.device(.memoryNeeded(megabytes: 100))
    let events = try play(
      [app("app", [], [])],
      [
        UserAct(.open("app"), after: 0), UserAct(need, after: 10), UserAct(.home, after: 60),
        UserAct(need, after: 90),
      ])
    let refused = events.compactMap { event -> String? in
      guard case .refused(let why) = event.kind else { return nil }
      return "\(Int(event.at.seconds.rounded())) \(why)"
    }
    #expect(refused == ["10 no app is suspended or in the background, so no memory is freed"])
  }

  @Test("A task that begins as another one ends keeps the app running, in whatever order")
  func chainedTasks() throws {
    for order in [[AppStep.endTask("a"), .beginTask("b")], [.beginTask("b"), .endTask("a")]] {
      let steps = [.beginTask("a"), .work(8)] + order + [.work(8), .endTask("b")]
      let events = try play([app("app", [], [.init(.background, steps)])], putAway)
      #expect(
        states(events).dropFirst(2).prefix(3) == [
          "60 inactive: left the foreground", "60 background: left the foreground",
          "76 suspended: finished its work",
        ])
    }
  }

  @Test("An app that the system purged is still shown, and can be swiped away")
  func swipedAfterPurge() throws {
    let monitors = [ScenarioApp.Handler(.launch, [.startSignificant])]
    let quit = UserAct(.forceQuit("app"), after: 90)
    let home = [UserAct(.open("app"), after: 0), UserAct(.home, after: 10)]
    let purge = UserAct(.purge("app"), after: 60)
    let acts = home + [purge, quit]
    let swiped = try play([app("app", [], monitors)], acts, era: .ios7)
    #expect(!swiped.contains { if case .refused = $0.kind { true } else { false } })
    #expect(states(swiped).last == "60 not_running: purged", "and nothing launches it any more")
    let kept = try play([app("app", [], monitors)], home + [purge], era: .ios7)
    #expect(states(kept).contains { $0.contains("relaunched") || $0.contains("launched in the") })
  }

  @Test(
    "A task of 100 s ends well in 600 s and in 180 s, and is an end in 30 s",
    arguments: [(Era.ios4, true), (.ios7, true), (.ios13, false), (.today, false)])
  func tasks(era: Era, isDone: Bool) throws {
    let events = try play(
      [
        app(
          "app", [],
          [.init(.background, [.beginTask("up"), .work(100), .endTask("up")])])
      ], putAway, era: era)
    let end =
      isDone
      ? "160 suspended: finished its work"
      : "90 not_running: its background task took too long"
    #expect(states(events).dropFirst(4).first == end)
    #expect(deeds(events).contains("160 ends the task up") == isDone)
  }

  @Test("An expiration handler that ends its task saves its app, 5 s before the budget is used up")
  func expiration() throws {
    let events = try play(
      [
        app(
          "app", [],
          [
            .init(.background, [.beginTask("up"), .work(100), .endTask("up")]),
            .init(.expiration, [.giveUp, .endTask("up")]),
          ])
      ], putAway)
    #expect(states(events).dropFirst(4).first == "85 suspended: finished its work")
  }

  @Test("A frozen process stands still: what was left of its work is done when it goes on")
  func frozen() throws {
    let events = try play(
      [app("app", [], [.init(.background, [.work(20), .exit(0)])])],
      putAway + [UserAct(.open("app"), after: 200)])
    // In the background at 60 s, frozen at 65 s with 15 s to go, in the foreground at 200 s.
    #expect(deeds(events) == ["60 works 20 s", "215 exits"])
  }

  @Test(
    "A fetch that hangs is ended after 30 s; one that answers is suspended at once",
    arguments: [true, false])
  func fetch(hangs: Bool) throws {
    let events = try play(
      [
        app(
          "app", .fetch,
          [
            .init(.launch, [.setFetchInterval(0)]),
            .init(.fetch, hangs ? [.hang] : [.work(3), .answer(.noData)]),
          ])
      ], putAway)
    let all = states(events)
    let call = try #require(
      all.firstIndex { $0.hasSuffix("woken by fetch") || $0.hasSuffix("relaunched by fetch") })
    let began = try #require(Int(all[call].prefix { $0 != " " }))
    let end =
      hangs
      ? "\(began + 30) not_running: its handler for fetch took too long"
      : "\(began + 3) suspended: finished its work"
    #expect(all[call + 1] == end)
  }

  @Test("The foreground has room for one app, and home puts away the one that is there")
  func front() throws {
    let events = try play(
      [app("a", [], []), app("b", [], [])],
      [
        UserAct(.open("a"), after: 0), UserAct(.open("b"), after: 10), UserAct(.home, after: 20),
        UserAct(.open("a"), after: 22),
      ])
    let a = states(events, of: "a").filter {
      $0.contains("active: en") || $0.contains("background")
    }
    #expect(a.first == "10 background: left the foreground")
    #expect(states(events, of: "b").contains("20 background: left the foreground"))
    #expect(states(events, of: "a").contains("22 active: entered the foreground"))
  }

  @Test("A call takes the foreground for a moment, and gives it back")
  func call() throws {
    let events = try play(
      [app("app", [], [])],
      [
        UserAct(.open("app"), after: 0), UserAct(.device(.call(true)), after: 30),
        UserAct(.device(.call(false)), .later(20)),
      ])
    #expect(
      states(events).dropFirst(2) == ["30 inactive: resigned active", "50 active: became active"])
  }

  @Test("What cannot be is refused in words, and a line that never came is told of")
  func refusals() throws {
    let events = try play(
      [app("app", [], [])],
      [
        UserAct(.forceQuit("app"), after: 5), UserAct(.home, after: 1e6),
      ])
    let refused = events.compactMap { event -> String? in
      if case .refused(let why) = event.kind { why } else { nil }
    }
    #expect(refused == ["'app' is not running; only an app that is running can do that"])
    #expect(events.last?.kind == .notPlayed(UserAct(.home, after: 1e6)))
  }

  @Test("Without a network nothing is sent, and the app says so")
  func network() throws {
    let app = app("app", [], [.init(.foreground, [.transfer(up: 5, down: 0)])])
    let events = try play(
      [app],
      putAway + [
        UserAct(.network(false), after: 90), UserAct(.open("app"), after: 100),
        UserAct(.home, after: 110), UserAct(.network(true), after: 120),
        UserAct(.open("app"), after: 130),
      ])
    #expect(
      deeds(events) == [
        "0 uploads 5 B", "100 uploads 5 B", "100 has no network", "130 uploads 5 B",
      ])
  }

  @Test("What an app is told while there is no network is sent when there is one again")
  func uplink() throws {
    func counters(_ acts: [UserAct]) throws -> Counters {
      try run(
        [app("app", [], [.init(.launch, [.startSignificant])])], putAway + acts, uploads: .each
      ).counters
    }
    let always = try counters([])
    #expect((always.uploadedDeliveries, always.unsent) == (always.deliveries, 0))
    let lost = try counters([UserAct(.network(false), after: 80)])
    #expect(lost.deliveries == always.deliveries)
    #expect(lost.uploadedDeliveries + lost.unsent == lost.deliveries)
    // The events before 80 s, with the device at rest: the cached first event.
    #expect(lost.uploadedDeliveries <= 1)
    let back = try counters([
      UserAct(.network(false), after: 80), UserAct(.network(true), after: 1_500),
    ])
    #expect((back.uploadedDeliveries, back.unsent) == (back.deliveries, 0))
    // At 14 m/s there is an event every 300 s or so.
    #expect((600...1_800).contains(back.longestUploadDelay), "\(back.longestUploadDelay) s")
  }

  @Test("What an app asks for beside a question to its user is not lost")
  func question() throws {
    var asks = app(
      "app", [], [.init(.launch, [.ask(.always), .requestLocation(accuracy: 3_000)])])
    asks.declaration.authorization = .whenInUse
    let events = try play([asks], [UserAct(.open("app"), after: 0)], seconds: 200)
    #expect(events.contains { $0.kind.isDelivery })
    #expect(
      deeds(events) == ["0 asks to know its place always", "0 asks for one location"])
  }

  @Test("A handler that brings about what it is called for keeps its app busy, and time goes on")
  func busy() throws {
    let again = AppStep.notify(LocalNotification("again"), after: 0)
    var app = app("app", [], [.init(.launch, [again]), .init(.notification, [again])])
    app.declaration.mayNotify = true
    let events = try play(
      [app], [UserAct(.open("app"), after: 0), UserAct(.forceQuit("app"), after: 10)],
      seconds: 200)
    #expect(states(events).last == "10 not_running: force-quit by the user")
    let seconds = Dictionary(grouping: deeds(events)) { $0 }
    #expect((9...11).contains(seconds.count))
    #expect(seconds.values.allSatisfy { $0.count < 100 })
  }

  @Test(
    "Where memory is needed the largest suspended app goes first, and nobody goes for time alone")
  func memory() throws {
    var large = app("large", [], [])
    var small = app("small", [], [])
    (large.memory, small.memory) = (300, 40)
    let events = try play(
      [small, large],
      [
        UserAct(.open("small"), after: 0), UserAct(.open("large"), after: 10),
        UserAct(.home, after: 20), UserAct(.device(.memoryNeeded(megabytes: 200)), after: 1_000),
      ])
    #expect(states(events, of: "large").last == "1000 not_running: purged")
    #expect(states(events, of: "small").last == "15 suspended: nothing holds it in the background")
  }

  @Test("An app that is told of its end exits when its code for that is over: at once without any")
  func termination() throws {
    let end = [UserAct(.open("app"), after: 0), UserAct(.terminate("app"), after: 20)]
    let plain = try play([app("app", [], [])], end, seconds: 200)
    let saves = try play([app("app", [], [.init(.termination, [.work(2)])])], end, seconds: 200)
    #expect(states(plain).last?.hasPrefix("20 not_running") == true, "\(states(plain))")
    #expect(states(saves).last?.hasPrefix("22 not_running") == true, "\(states(saves))")
  }

  @Test("Without a network no push, no issue and no data of a socket comes in, but of an accessory")
  func offline() throws {
    let remote: [WakeReason] = [.push, .locationPush, .socket, .newsstand]
    let modes: BackgroundModes = [
      .remoteNotification, .locationPush, .voip, .newsstandContent, .externalAccessory,
    ]
    for reason in remote + [.accessory] {
      let events = try play(
        [app("app", modes, [.init(.launch, [.watchSocket(true)])])],
        putAway + [
          UserAct(.network(false), after: 100), UserAct(.event("app", reason), after: 160),
          UserAct(.network(true), after: 220), UserAct(.event("app", reason), after: 280),
        ])
      let refused = events.compactMap { event in
        if case .refused(let why) = event.kind { "\(Int(event.at.seconds)) \(why)" } else { nil }
      }
      #expect(refused == (remote.contains(reason) ? ["160 there is no network"] : []), "\(reason)")
    }
  }
}
