// SPDX-License-Identifier: Apache-2.0

import Foundation
import Geodesy
import LocationEngine
import LocationModel
import Testing

// Distances are hand arithmetic: the centre is the start of the stage's road, so a fix's distance along the road is
// that from the centre; beyond a border of 200 m it is 200 m less.

@Suite("Regions")
struct RegionTests {
  static let home = MonitoredRegion("home", centre: Stage.start, radius: 200)

  /// An app that monitors a region from within it, and entered the background at 60 s: it is suspended from 65 s on.
  static func monitoring(
    _ region: MonitoredRegion = home, from metres: Double = 0,
    authorization: Authorization = .always, rules: EngineRules = EngineRules()
  ) -> Stage {
    var stage = Stage(rules: rules)
    stage.launch(authorization: authorization)
    stage.app(.place(.startMonitoring(region)))
    stage.sees(metres)
    stage.app(.enteredBackground, at: 60)
    return stage
  }

  @Test("The first state is found without an event, and a question for it is answered")
  func firstState() {
    for (metres, state) in [(199.0, RegionState.inside), (201, .outside)] {
      var stage = Stage()
      stage.launch()
      let begin = stage.app(.place(.startMonitoring(Self.home)))
      #expect(begin.contains(.requestNetworkPosition))
      #expect(stage.app(.place(.requestState(region: "home"))).isEmpty)
      let commands = stage.sees(metres)
      #expect(commands.events.isEmpty)
      #expect(commands.states == [state])
      #expect(stage.app(.place(.requestState(region: "home"))).states == [state])
    }
  }

  @Test(
    "The last known position says it at once, if the device cannot have come to the border since")
  func lastKnown() {
    // A device goes at most 50 m/s: in 4 s it may have come to a border 200 m away.
    for (seconds, state) in [(0.0, RegionState.inside), (3.9, .inside), (4.1, .unknown)] {
      var stage = Stage()
      stage.launch()
      stage.app(.startMonitoringSignificantChanges)
      stage.sees(0)
      stage.app(.place(.startMonitoring(Self.home)), at: seconds)
      #expect(stage.engine.state(of: "home", of: AppID(1)) == state)
    }
    var far = Stage()
    far.launch()
    far.app(.startMonitoringSignificantChanges)
    far.sees(10_200)
    let begin = far.app(.place(.startMonitoring(Self.home)), at: 100)
    #expect(far.engine.state(of: "home", of: AppID(1)) == .outside)
    #expect(begin.contains(.requestNetworkPosition), "the policy is to know the way to it")
  }

  @Test("A question that no position answers within 60 s is answered with unknown, once")
  func unanswered() {
    var stage = Stage()
    stage.launch()
    stage.app(.place(.startMonitoring(Self.home)))
    stage.app(.place(.requestState(region: "home")), at: 10)
    stage.pass(to: 69.9)
    #expect(stage.log.states == [])
    stage.pass(to: 1_000)
    #expect(stage.log.states == [.unknown])
    #expect(stage.app(.place(.requestState(region: "work"))).states == [.unknown])
  }

  @Test("A suspended app gets the answer when it runs again, and until then no deadline waits")
  func answerAfterSuspension() {
    for (isSeen, state) in [(true, RegionState.inside), (false, .unknown)] {
      var stage = Stage()
      stage.launch()
      stage.app(.place(.startMonitoring(Self.home)), at: 50)
      stage.app(.enteredBackground, at: 60)
      // The app asked before it was suspended at 65 s; a message that comes after that counts all the same.
      stage.app(.place(.requestState(region: "home")), at: 64)
      stage.pass(to: 66)
      #expect(stage.engine.state(of: AppID(1)) == .suspended)
      if isSeen { stage.sees(0, at: 70) }
      stage.app(.place(.requestState(region: "home")), at: 71)
      // It would be purged at 665 s.
      stage.pass(to: 600)
      #expect(stage.log.states == [])
      if let next = stage.engine.nextDeadline { #expect(next > stage.now) }
      #expect(stage.app(.enteredForeground).states == [state])
      stage.pass(to: 2_000)
      #expect(stage.log.states == [state], "it is answered once")
    }
  }

  @Test("The question of an app that has ended is not answered to its next process")
  func questionOfEndedProcess() {
    var stage = Stage()
    stage.launch()
    stage.app(.place(.startMonitoring(Self.home)))
    stage.app(.place(.requestState(region: "home")))
    stage.app(.exited)
    stage.sees(0, at: 10)
    stage.app(.launched)
    stage.pass(to: 1_000)
    #expect(stage.log.states == [])
  }

  @Test("It counts 200 m beyond the border, after 20 s there, and wakes a suspended app")
  func leaves() {
    var stage = Self.monitoring()
    let near = stage.sees(399, at: 100)
    #expect(near.regionVerdicts.map(\.outcome) == [.tooClose])
    #expect(near.regionVerdicts.first.map { abs(($0.moved ?? 0) - 199) < 0.5 } == true)
    #expect(near.regionVerdicts.first?.movedRequired == 200)
    #expect(near.regionVerdicts.first?.accuracy == 20)
    let far = stage.sees(410, at: 200)
    #expect(far.regionVerdicts.map(\.outcome) == [.tooSoon])
    #expect(far.regionVerdicts.first?.since == 0)
    #expect(far.regionVerdicts.first?.sinceRequired == 20)
    #expect(stage.engine.state(of: AppID(1)) == .suspended)
    stage.log = []
    stage.pass(to: 220)
    #expect(stage.log.contains(.requestNetworkPosition), "the policy looks when the 20 s are over")
    let there = stage.sees(410, at: 220)
    #expect(there.events == [.exited("home")])
    #expect(there.transitions == [.woken(.region)])
    #expect(stage.engine.state(of: "home", of: AppID(1)) == .outside)
  }

  @Test("Who is back within the 20 s has not left, and the next 20 s count anew")
  func comesBack() {
    var stage = Self.monitoring()
    stage.sees(410, at: 100)
    #expect(stage.sees(390, at: 110).regionVerdicts.map(\.outcome) == [.tooClose])
    #expect(stage.sees(410, at: 120).regionVerdicts.map(\.outcome) == [.tooSoon])
    #expect(stage.sees(410, at: 139).events == [])
    #expect(stage.sees(410, at: 140).events == [.exited("home")])
  }

  @Test("One position is enough where the way from the cushion alone takes 20 s at 50 m/s")
  func farAway() {
    // 200 + 200 + 20 of accuracy + 20 s × 50 m/s = 1,420 m.
    var stage = Self.monitoring()
    #expect(stage.sees(1_410, at: 100).regionVerdicts.map(\.outcome) == [.tooSoon])
    stage = Self.monitoring()
    #expect(stage.sees(1_430, at: 100).events == [.exited("home")])
  }

  @Test("Inwards the cushion is at most a quarter of the radius")
  func enters() {
    var stage = Self.monitoring(from: 3_000)
    #expect(stage.sees(160, at: 100).regionVerdicts.map(\.outcome) == [.tooClose])
    #expect(stage.sees(140, at: 200).regionVerdicts.map(\.outcome) == [.tooSoon])
    #expect(stage.sees(140, at: 220).events == [.entered("home")])
    let town = MonitoredRegion("town", centre: Stage.start, radius: 2_000)
    stage = Self.monitoring(town, from: 9_000)
    #expect(stage.sees(1_820, at: 100).regionVerdicts.map(\.outcome) == [.tooClose])
    #expect(stage.sees(1_790, at: 200).regionVerdicts.map(\.outcome) == [.tooSoon])
  }

  @Test("A position that is worse than its distance from the border decides nothing")
  func inaccurate() {
    var stage = Self.monitoring()
    #expect(
      stage.sees(1_100, at: 100, accuracy: 950).regionVerdicts.map(\.outcome) == [.inaccurate])
    #expect(stage.sees(1_100, at: 200, accuracy: 890).regionVerdicts.map(\.outcome) == [.tooSoon])
    stage = Stage()
    stage.launch()
    stage.app(.place(.startMonitoring(Self.home)))
    stage.sees(100, accuracy: 600)
    #expect(stage.engine.state(of: "home", of: AppID(1)) == .unknown)
  }

  @Test("A terminated app is relaunched, with the reason")
  func relaunches() {
    var stage = Self.monitoring()
    stage.pass(to: 3_000)
    #expect(stage.engine.state(of: AppID(1)) == .notRunning)
    let commands = stage.sees(5_000)
    #expect(commands.contains(.launch(AppID(1), LaunchOptions(reason: .region))))
    #expect(commands.events == [.exited("home")])
  }

  @Test("Relaunching needs always: else the verdict says so, and the exit is told when it may be")
  func unauthorized() {
    var rules = EngineRules()
    rules.era = .today
    var stage = Self.monitoring(authorization: .whenInUse, rules: rules)
    let denied = stage.sees(5_000, at: 100)
    #expect(denied.regionVerdicts.map(\.outcome) == [.suspended])
    #expect(denied.events.isEmpty)
    stage.app(.authorized(.denied))
    #expect(stage.sees(5_000, at: 200).regionVerdicts.map(\.outcome) == [.unauthorized])
    stage.app(.authorized(.always))
    #expect(stage.sees(5_000, at: 300).events == [.exited("home")])
  }

  @Test("An event that the region does not ask for changes the state in silence")
  func silent() {
    var region = Self.home
    region.notifiesOnExit = false
    var stage = Self.monitoring(region)
    let left = stage.sees(5_000, at: 100)
    #expect(left.events.isEmpty)
    #expect(stage.engine.state(of: AppID(1)) == .suspended)
    #expect(stage.engine.state(of: "home", of: AppID(1)) == .outside)
    stage.sees(0, at: 200)
    #expect(stage.sees(0, at: 220).events == [.entered("home")])
  }

  @Test("The 21st region of an app fails; one of the same name takes the other's place")
  func limit() {
    var stage = Stage()
    stage.launch()
    for number in 1...20 {
      let region = MonitoredRegion("\(number)", centre: Stage.start, radius: 100)
      #expect(stage.app(.place(.startMonitoring(region))).failures.isEmpty)
    }
    let more = MonitoredRegion("21", centre: Stage.start, radius: 100)
    #expect(stage.app(.place(.startMonitoring(more))).failures == [.tooMany])
    let again = MonitoredRegion("20", centre: Stage.start, radius: 300)
    #expect(stage.app(.place(.startMonitoring(again))).failures.isEmpty)
    #expect(stage.engine.regions(of: AppID(1)).count == 20)
    stage.app(.place(.stopMonitoring(region: "1")))
    #expect(stage.app(.place(.startMonitoring(more))).failures.isEmpty)
    let nowhere = MonitoredRegion("x", centre: Stage.start, radius: 0)
    #expect(stage.app(.place(.startMonitoring(nowhere))).failures == [.invalid])
  }

  @Test("The same region again goes on; a changed one is found anew, without an event")
  func again() {
    var stage = Self.monitoring()
    stage.app(.enteredForeground, at: 70)
    #expect(stage.app(.place(.startMonitoring(Self.home))).isEmpty)
    #expect(stage.engine.state(of: "home", of: AppID(1)) == .inside)
    var wider = Self.home
    // The device may have come to its border since it was seen: 70 s at 50 m/s.
    wider.radius = 3_000
    stage.app(.place(.startMonitoring(wider)))
    #expect(stage.engine.state(of: "home", of: AppID(1)) == .unknown)
    #expect(stage.sees(2_000).events.isEmpty)
    #expect(stage.engine.state(of: "home", of: AppID(1)) == .inside)
  }

  @Test("Regions alone wake the policy and its hints, and the last one rests them")
  func policy() {
    var stage = Self.monitoring()
    #expect(stage.engine.triggers == .cells)
    #expect(stage.engine.plan == .off(.awaitsCellChange))
    #expect(stage.tell(.cellChanged(), at: 100).contains(.requestNetworkPosition))
    stage.tell(.networkPositionFailed, at: 101)
    stage.app(.place(.stopMonitoring(region: "home")))
    #expect(stage.engine.triggers == [])
    #expect(!stage.tell(.cellChanged(), at: 200).contains(.requestNetworkPosition))
  }

  @Test("A border is looked at within the 300 s that lie between two significant changes")
  func withinTheInterval() {
    var stage = Self.monitoring()
    stage.app(.enteredForeground, at: 70)
    stage.app(.startMonitoringSignificantChanges)
    stage.sees(0, at: 71)
    stage.app(.enteredBackground, at: 75)
    #expect(stage.tell(.cellChanged(), at: 100).contains(.requestNetworkPosition))
    let commands = stage.sees(5_000)
    #expect(commands.events == [.exited("home")])
    #expect(commands.outcomes == [.tooSoon], "a significant change is another matter")
  }

  @Test("The receiver is on before a walker is at the border, and off in between")
  func walker() {
    // 1.4 m/s from 3 km away: at the border of 200 m after 2,000 s, 50 m within it after 2,036 s.
    var stage = Stage(
      policy: .milepost(senses: [], hotStart: 5, timeout: 60), rules: EngineRules())
    stage.launch()
    stage.app(.place(.startMonitoring(Self.home)))
    var (told, secondsOn) = (0.0, 0)
    for second in 0...2_300 {
      let now = Double(second)
      stage.pass(to: now)
      guard stage.engine.plan.isOn else { continue }
      secondsOn += 1
      let metres = max(0, 3_000 - 1.4 * now)
      let commands = stage.tell(
        .fix(Stage.fix(metres: metres, at: stage.now, accuracy: 5, speed: 1.4)))
      if !commands.events.isEmpty {
        #expect(commands.events == [.entered("home")])
        told = now
      }
    }
    #expect((2_056...2_110).contains(told), "told at \(told) s")
    #expect(secondsOn < 500, "the receiver was on for \(secondsOn) s of 2,300")
  }

  @Test("Regions survive a restart")
  func restart() throws {
    var stage = Self.monitoring()
    stage.sees(410, at: 100)
    let data = try JSONEncoder().encode(stage.engine.snapshot)
    stage.engine = LocationEngine(
      restoring: try JSONDecoder().decode(LocationEngine.Snapshot.self, from: data))
    #expect(stage.sees(410, at: 120).events == [.exited("home")])
  }

  @Test("An explanation names the regions, where the device is, and since when it crosses")
  func explanation() throws {
    var stage = Self.monitoring()
    stage.sees(410, at: 100)
    let answer = try #require(stage.engine.explanation(for: AppID(1), at: stage.now))
    #expect(answer.regions.map(\.region) == [Self.home])
    #expect(answer.regions.map(\.state) == [.inside])
    #expect(answer.regions.map(\.crossesSince?.seconds) == [100])
    #expect(answer.verdict?.outcome == .receiverOff)
  }
}

extension Stage {
  /// A network position, `metres` from the start.
  @discardableResult
  mutating func sees(
    _ metres: Double, at seconds: Double? = nil, accuracy: Double = 20, speed: Double? = nil
  ) -> [EngineCommand] {
    if let seconds { pass(to: seconds) }
    let fix = Self.fix(
      metres: metres, at: now, accuracy: accuracy, speed: speed, source: .network)
    return tell(.networkFix(fix))
  }
}

extension [EngineCommand] {
  var places: [PlaceCommand] {
    compactMap { if case .place(_, let place) = $0 { place } else { nil } }
  }

  var events: [PlaceEvent] {
    places.compactMap { if case .event(let delivery) = $0 { delivery.event } else { nil } }
  }

  var states: [RegionState] {
    places.compactMap { if case .state(_, let state) = $0 { state } else { nil } }
  }

  var failures: [RegionTrouble] {
    places.compactMap { if case .failed(_, let trouble) = $0 { trouble } else { nil } }
  }

  var regionVerdicts: [Verdict] {
    places.compactMap { if case .verdict(_, let verdict, _) = $0 { verdict } else { nil } }
  }

  var transitions: [LifecycleTransition.Reason] {
    compactMap { if case .transition(_, let transition) = $0 { transition.reason } else { nil } }
  }
}
