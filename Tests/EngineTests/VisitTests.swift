// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationEngine
import LocationModel
import Testing

@Suite("Visits")
struct VisitTests {
  /// An app that monitors visits, saw its first position (0 m) at once, and entered the background at 60 s.
  static func monitoring(authorization: Authorization = .always) -> Stage {
    var stage = Stage()
    stage.launch(authorization: authorization)
    stage.app(.place(.startMonitoringVisits))
    stage.sees(0)
    stage.app(.enteredBackground, at: 60)
    return stage
  }

  private static func time(_ seconds: Double) -> UTCInstant {
    Stage.epoch.advanced(bySeconds: seconds)
  }

  @Test("A stay of 5 min within 100 m is an arrival; nobody saw the one of the first place")
  func firstPlace() {
    var stage = Self.monitoring()
    stage.log = []
    #expect(stage.sees(60, at: 299).events.isEmpty)
    stage.pass(to: 300)
    #expect(stage.log.contains(.requestNetworkPosition), "the policy looks when the 5 min are over")
    let commands = stage.sees(60, at: 301)
    #expect(commands.transitions == [.woken(.visit)])
    guard case .arrived(let visit)? = commands.events.first else {
      Issue.record("no arrival")
      return
    }
    #expect(visit.arrival == nil)
    #expect(visit.departure == nil)
    #expect(visit.horizontalAccuracy == 20)
    let expected = LocalFrame(origin: Stage.start).point(east: 60, north: 0)
    #expect(visit.coordinate.distance(to: expected) < 0.1)
  }

  @Test("A departure has the time of the first position beyond 100 m, and comes at 200 m")
  func departs() {
    var stage = Self.monitoring()
    stage.sees(0, at: 300)
    #expect(stage.sees(150, at: 1_000).events.isEmpty)
    let commands = stage.sees(210, at: 1_100)
    guard case .departed(let visit)? = commands.events.first else {
      Issue.record("no departure")
      return
    }
    #expect(visit.arrival == nil)
    #expect(visit.departure == Self.time(1_000))
  }

  @Test("The next place has the arrival of its first position, and relaunches the app")
  func nextPlace() {
    var stage = Self.monitoring()
    stage.sees(0, at: 300)
    stage.sees(4_000, at: 2_000)
    stage.sees(5_000, at: 2_100)
    stage.sees(5_050, at: 2_200)
    stage.app(.terminated, at: 2_210)
    stage.pass(to: 2_300)
    #expect(stage.engine.state(of: AppID(1)) == .notRunning)
    let commands = stage.sees(5_050, at: 2_400)
    #expect(commands.contains(.launch(AppID(1), LaunchOptions(reason: .visit))))
    guard case .arrived(let visit)? = commands.events.first else {
      Issue.record("no arrival")
      return
    }
    #expect(visit.arrival == Self.time(2_100))
  }

  @Test("Who comes back before 200 m has not left; who only passes has not arrived")
  func neither() {
    var stage = Self.monitoring()
    stage.sees(0, at: 300)
    stage.log = []
    stage.sees(150, at: 400)
    stage.sees(20, at: 500)
    stage.sees(190, at: 600)
    stage.sees(20, at: 700)
    #expect(stage.log.events.isEmpty)
    stage.sees(1_000, at: 800)
    for step in 1...20 { stage.sees(1_000 + 120 * Double(step), at: 800 + 100 * Double(step)) }
    #expect(stage.log.events.count == 1, "a departure, and no arrival on the way")
  }

  @Test("A stay 150 m from the last one is another stay, once it has lasted 5 min")
  func nextDoor() {
    var stage = Self.monitoring()
    stage.sees(0, at: 300)
    #expect(stage.sees(150, at: 1_000).events.isEmpty)
    stage.log = []
    stage.pass(to: 1_300)
    #expect(stage.log.contains(.requestNetworkPosition), "the policy looks when the 5 min are over")
    let events = stage.sees(160, at: 1_301).events
    guard events.count == 2, case .departed(let last) = events[0],
      case .arrived(let new) = events[1]
    else {
      Issue.record("no departure with an arrival: \(events)")
      return
    }
    #expect(last.departure == Self.time(1_000) && new.arrival == Self.time(1_000))
    #expect(stage.engine.currentVisit(of: AppID(1)) == new)
  }

  @Test("Who walks past a corner twice, 5 min apart, has not stayed there")
  func roundTheBlock() {
    var stage = Self.monitoring()
    stage.sees(0, at: 300)
    stage.log = []
    stage.sees(150, at: 1_000, speed: 1.4)
    stage.sees(160, at: 1_400, speed: 1.4)
    stage.sees(20, at: 1_600, speed: 1.4)
    #expect(stage.log.events.isEmpty)
  }

  /// Its app also monitors significant changes; it stays at 0 m, where the last one was, until 1,000 s.
  private static func staying() -> Stage {
    var stage = Stage()
    stage.launch()
    stage.app(.place(.startMonitoringVisits))
    stage.app(.startMonitoringSignificantChanges)
    stage.sees(0)
    stage.sees(0, at: 300)
    stage.pass(to: 1_000)
    stage.log = []
    return stage
  }

  @Test("A position at rest 1 km away is a jump if the next one, 90 s later, is back")
  func jump() {
    var stage = Self.staying()
    #expect(stage.sees(1_000, speed: 0).outcomes == [.jumpUnconfirmed])
    stage.log = []
    stage.pass(to: 1_089)
    #expect(!stage.log.contains(.requestNetworkPosition))
    stage.pass(to: 1_090)
    #expect(stage.log.contains(.requestNetworkPosition), "the policy looks again")
    stage.sees(0, at: 1_091, speed: 0)
    #expect(stage.log.events.isEmpty && stage.log.deliveries.isEmpty)
    #expect(stage.engine.currentVisit(of: AppID(1)) != nil)
  }

  @Test("If it is still away the departure and the change are told, with the time of the first")
  func noJump() {
    var stage = Self.staying()
    stage.sees(1_000, speed: 0)
    let commands = stage.sees(1_000, at: 1_090, speed: 0)
    guard case .departed(let visit)? = commands.events.first else {
      Issue.record("no departure")
      return
    }
    #expect(visit.departure == Self.time(1_000))
    #expect(commands.deliveries.count == 1)
    // The position that showed the departure, for a history that ends the stay there.
    let shown = commands.places.compactMap {
      if case .event(let delivery) = $0 { delivery.fix.time } else { nil }
    }
    #expect(shown == [Self.time(1_000)])
  }

  @Test("A device that goes there has left at once")
  func goes() {
    var stage = Self.staying()
    let commands = stage.sees(1_000, speed: 10)
    #expect(commands.events.count == 1 && commands.deliveries.count == 1)
  }

  @Test("A position coarser than 100 m says nothing of a stay")
  func coarse() {
    var stage = Self.monitoring()
    #expect(stage.sees(0, at: 300, accuracy: 120).events.isEmpty)
    #expect(stage.sees(0, at: 310, accuracy: 90).events.count == 1)
  }

  @Test("A coarse position that cannot be near is away, and one 90 s later has left")
  func coarseAway() {
    var stage = Self.staying()
    // Within 95 %, which are 300 m, 400 m may be near; 900 m cannot.
    stage.sees(400, accuracy: 150, speed: 0)
    #expect(stage.engine.currentVisit(of: AppID(1)) != nil)
    stage.sees(900, at: 1_010, accuracy: 150, speed: 0)
    #expect(stage.engine.currentVisit(of: AppID(1)) == nil)
    #expect(stage.log.events.isEmpty)
    guard
      case .departed(let visit)? = stage.sees(900, at: 1_100, accuracy: 150, speed: 0).events.first
    else {
      Issue.record("no departure")
      return
    }
    #expect(visit.departure == Self.time(1_010))
    // Where it is now, the first finer position says.
    #expect(stage.sees(950, at: 1_500, speed: 0).events.isEmpty)
    #expect(stage.sees(950, at: 1_800, speed: 0).events.count == 1)
  }

  @Test("After a doubtful position a coarse one far away is told, and no reason to look at once")
  func coarseAfterDoubt() {
    var stage = Self.staying()
    #expect(stage.sees(1_000, speed: 0).outcomes == [.jumpUnconfirmed])
    #expect(stage.sees(9_000, at: 1_050, accuracy: 150, speed: 0).deliveries.count == 1)
    stage.log = []
    stage.pass(to: 1_300)
    #expect(!stage.log.contains(.requestNetworkPosition))
  }

  @Test("Without always nobody is woken for a visit, and nothing is told afterwards")
  func unauthorized() {
    var stage = Self.monitoring(authorization: .denied)
    #expect(stage.sees(0, at: 300).events.isEmpty)
    stage.app(.authorized(.always))
    #expect(stage.sees(0, at: 400).events.isEmpty)
  }

  /// 10 min at 10 m/s with the sensor firing, then a stop at 600 s, fixes until 620 s, and no sky; `change` comes at 700 s.
  private static func underRoof(_ change: (inout Stage) -> Void = { _ in }) -> Stage {
    var stage = Stage(
      policy: .milepost(senses: .motion, hotStart: 5, timeout: 60), rules: EngineRules())
    stage.launch()
    stage.app(.place(.startMonitoringVisits))
    for second in 0...1_800 {
      let now = Double(second)
      stage.pass(to: now)
      if second < 600, second % 10 == 0 { stage.tell(.motionBegan) }
      if second == 700 { change(&stage) }
      guard stage.engine.plan.isOn, second <= 620 else { continue }
      let isMoving = second < 600
      stage.tell(
        .fix(
          Stage.fix(
            metres: isMoving ? 10 * now : 6_000, at: stage.now, accuracy: 5,
            speed: isMoving ? 10 : 0)))
    }
    return stage
  }

  @Test("Under a roof a strong belief in a rest stands for the position that does not come")
  func roof() {
    let arrivals = Self.underRoof().log.events.filter {
      if case .arrived = $0 { true } else { false }
    }
    #expect(arrivals.count == 1)
    if case .arrived(let visit)? = arrivals.first, let arrival = visit.arrival {
      let seconds = UTCInstant.seconds(from: Stage.epoch, to: arrival)
      #expect((590...620).contains(seconds), "arrived at \(seconds) s")
    }
  }

  @Test("An app whose accuracy becomes reduced within a stay is not told of it, nor where it was")
  func reduced() {
    let stage = Self.underRoof { stage in
      var declaration = AppDeclaration()
      declaration.accuracy = .reduced
      stage.app(.declared(declaration))
    }
    #expect(stage.log.events.isEmpty)
  }

  @Test("Before iOS 8 there are no visits: who asks for them is told so, and nothing is looked for")
  func notInEra() {
    for era in [Era.ios4, .ios7] {
      var rules = EngineRules()
      rules.era = era
      var stage = Stage(rules: rules)
      stage.launch()
      let commands = stage.app(.place(.startMonitoringVisits))
      #expect(commands == [.notWoken(AppID(1), .visit, .notInEra)])
      #expect(!stage.engine.monitorsVisits(AppID(1)) && stage.engine.triggers == [])
    }
  }

  @Test("Who stops monitoring visits hears of none, and the policy rests")
  func stops() {
    var stage = Self.monitoring()
    stage.app(.place(.stopMonitoringVisits))
    #expect(stage.engine.triggers == [])
    #expect(stage.sees(0, at: 400).events.isEmpty)
  }
}
