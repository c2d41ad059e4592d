// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel
import Testing

@testable import LocationEngine

@Suite("An app that still waits for a position, or may have missed one, is looked for")
struct NeverForgottenTests {
  private static let policy = SignificantPolicy.milepost(senses: [], hotStart: 5, timeout: 60)

  private static func stage(_ rules: EngineRules = EngineRules()) -> Stage {
    Stage(policy: policy, rules: rules)
  }

  /// Seconds until the receiver is on at the latest; 0 while it is.
  private func wait(_ stage: Stage) -> Double {
    if stage.engine.plan.isOn { return 0 }
    guard let next = stage.engine.plan.nextSession else { return .infinity }
    return EngineInstant.seconds(from: stage.now, to: next)
  }

  /// Three fixes at the start, and the time until the session that they came in has ended.
  private func begin(_ stage: inout Stage, accuracy: Double) {
    for second in [10.0, 11, 12] {
      stage.pass(to: second)
      stage.tell(.fix(Stage.fix(metres: 0, at: stage.now, accuracy: accuracy)))
    }
    stage.pass(to: 130)
  }

  @Test("First positions that are too coarse are followed by others in minutes, not in half a day")
  func coarse() {
    let region = MonitoredRegion("home", centre: Stage.start, radius: 100)
    let asked: [(AppInput, Double)] = [
      (.startMonitoringSignificantChanges, 600), (.startMonitoringSignificantChanges, 20_000),
      (.place(.startMonitoring(region)), 300), (.place(.startMonitoringVisits), 300),
    ]
    for (input, accuracy) in asked {
      var stage = Self.stage()
      stage.launch()
      stage.app(input)
      begin(&stage, accuracy: accuracy)
      #expect(wait(stage) <= 300, "\(input) ±\(accuracy) m")
    }
  }

  @Test("A coarse position of the receiver is no place from which 500 m are measured")
  func coarseAnchor() {
    var stage = Self.stage()
    stage.launch()
    stage.app(.startMonitoringSignificantChanges)
    begin(&stage, accuracy: 5_000)
    #expect(stage.log.deliveries.isEmpty)
    stage.pass(to: 500)
    let commands = stage.tell(.fix(Stage.fix(metres: 0, at: stage.now)))
    #expect(commands.deliveries.count == 1)
  }

  @Test("A service that starts within a privacy zone finds the way out of it")
  func zone() {
    var rules = EngineRules()
    rules.zones = [PrivacyZone(name: "home", centre: Stage.start, radius: 200)]
    var stage = Self.stage(rules)
    stage.launch()
    stage.app(.startMonitoringSignificantChanges)
    begin(&stage, accuracy: 5)
    #expect(stage.log.deliveries.isEmpty)
    #expect(wait(stage) < 3_600, "\(wait(stage))")
  }

  @Test("From one zone that is told by name into another, the first is told to be left")
  func twoZones() {
    var rules = EngineRules()
    let (first, second) = (Stage.fix(metres: 0, at: .zero), Stage.fix(metres: 5_000, at: .zero))
    rules.zones = [
      PrivacyZone(name: "home", centre: first.coordinate, radius: 300, says: .name),
      PrivacyZone(name: "work", centre: second.coordinate, radius: 300, says: .name),
    ]
    var stage = Stage(rules: rules)
    stage.launch(declaresLocation: true)
    stage.app(.startUpdating(StandardRequest()))
    stage.tell(.fix(Stage.fix(metres: 0, at: stage.now)), at: 10)
    stage.pass(to: 600)
    stage.tell(.fix(Stage.fix(metres: 5_000, at: stage.now)))
    #expect(stage.log.events == [.entered("home"), .exited("home"), .entered("work")])
  }

  @Test("A machine that slept through a search looks at once: it heard no sky, and no lack of it")
  func asleep() {
    var stage = Self.stage()
    stage.launch()
    stage.app(.startMonitoringSignificantChanges)
    #expect(stage.engine.plan.isOn)
    stage.now = .zero.advanced(bySeconds: 8 * 3_600)
    stage.tell(.timePassed)
    #expect(wait(stage) <= 10, "\(wait(stage))")
  }

  @Test("What a second of lateness is worth outlives what is forgotten")
  func worth() throws {
    var rules = EngineRules()
    rules.lateness.longest = 5
    var stage = Self.stage(rules)
    stage.launch()
    stage.app(.startMonitoringSignificantChanges)
    begin(&stage, accuracy: 5)
    func terms() -> LatenessTerms? {
      stage.engine.explanation(for: AppID(1), at: stage.now)?.worth?.terms
    }
    #expect(terms()?.longest == 5)
    var commands: [EngineCommand] = []
    stage.engine.forget(places: ForgottenPlaces(), at: stage.now, into: &commands)
    #expect(terms()?.longest == 5)
  }

  @Test("An app that is authorized again is looked for at once, although another one always was")
  func reachable() {
    var stage = Self.stage()
    let (first, second) = (AppID(1), AppID(2))
    for id in [first, second] {
      stage.launch(id)
      stage.app(.startMonitoringSignificantChanges, id)
    }
    begin(&stage, accuracy: 5)
    stage.app(.authorized(.denied), second)
    stage.pass(to: 1_000)
    #expect(!stage.engine.plan.isOn)
    stage.app(.authorized(.always), second)
    #expect(stage.engine.plan.isOn)
  }

  @Test("An app of reduced accuracy is told of the squares of a drive")
  func reduced() {
    var stage = Self.stage()
    stage.launch()
    var declaration = AppDeclaration()
    declaration.accuracy = .reduced
    stage.app(.declared(declaration))
    stage.app(.startMonitoringSignificantChanges)
    // 90 km in an hour; a square is reported every 15 min at most (record 0045).
    for second in 1...3_600 {
      stage.pass(to: Double(second))
      guard stage.engine.plan.isOn else { continue }
      stage.tell(.fix(Stage.fix(metres: 25 * Double(second), at: stage.now, speed: 25)))
    }
    #expect((4...5).contains(stage.log.deliveries.count), "\(stage.log.deliveries.count)")
  }

  @Test("A position of the network that may be anywhere on Earth teaches nothing")
  func anywhere() {
    var stage = Self.stage()
    stage.launch()
    stage.app(.startMonitoringSignificantChanges)
    let anywhere = Stage.fix(metres: 0, at: stage.now, accuracy: 1e160, source: .network)
    stage.tell(.networkFix(anywhere), at: 1)
    begin(&stage, accuracy: 5)
    #expect(stage.log.deliveries.count == 1)
    #expect(wait(stage) < 12 * 3_600, "\(wait(stage))")
  }

  @Test("After a step of the clock a source that reports each epoch twice is believed again")
  func twice() {
    var stage = Stage()
    stage.launch(declaresLocation: true)
    stage.app(.startUpdating(StandardRequest()))
    var ahead = Stage.fix(metres: 0, at: stage.now)
    ahead.time = Stage.epoch.advanced(bySeconds: 1_024 * 7 * 86_400)
    stage.tell(.fix(ahead))
    for second in 1...30 {
      stage.pass(to: Double(second))
      for _ in 0..<2 { stage.tell(.fix(Stage.fix(metres: 0, at: stage.now))) }
    }
    // Ten late ones make the step.
    #expect(stage.log.deliveries.count == 1 + 30 - FixGate.steppedAfter)
  }
}
