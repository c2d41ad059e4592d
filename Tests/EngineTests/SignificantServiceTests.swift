// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel
import Testing

@Suite("Significant changes")
struct SignificantServiceTests {
  /// An app that monitors, received its first position (0 m) at once, and entered the background at 60 s.
  private func monitoring(
    authorization: Authorization = .always, rules: EngineRules = EngineRules()
  ) -> Stage {
    var stage = Stage(rules: rules)
    stage.launch(authorization: authorization)
    stage.app(.startMonitoringSignificantChanges)
    stage.tell(.networkFix(Stage.fix(metres: 0, at: .zero, accuracy: 100, source: .network)))
    stage.app(.enteredBackground, at: 60)
    return stage
  }

  @Test("A move of 500 m wakes a suspended app, and relaunches it once it was purged")
  func wakesAndRelaunches() {
    var stage = monitoring()
    stage.pass(to: 300)
    // One column per 300 s. The app is purged 600 s after each suspension, so the fix at 1,800 s
    // finds it not running.
    let fixes = "----5-----a-e"
    let woken = "----L-----L--"
    #expect(stage.draw(fixes, every: 300, accuracy: 100, source: .network) == woken)
    var early = monitoring()
    early.pass(to: 400)
    #expect(early.draw("5", every: 1, accuracy: 100, source: .network) == "W")
  }

  @Test(
    "No era wakes an app that does not move; one with an idle wake does, and tells it the last position"
  )
  func idleWake() {
    for era in Era.all {
      var rules = EngineRules()
      rules.era = era
      var stage = monitoring(rules: rules)
      stage.pass(to: 7_200)
      #expect(!stage.log.contains { if case .launch = $0 { true } else { false } })
    }
    var rules = EngineRules()
    rules.era.idleWake = 900
    var stage = monitoring(rules: rules)
    let seen = stage.log.count
    stage.pass(to: 899)
    #expect(stage.log[seen...].allSatisfy { if case .launch = $0 { false } else { true } })
    // Purged at 665 s, it is launched at 900, runs for 10 s, is suspended, purged 600 s later, and launched at 1,800.
    stage.pass(to: 1_850)
    let told = Array(stage.log[seen...]).deliveries
    #expect(told.map(\.isCached) == [true, true])
    let launches = stage.log[seen...].filter { if case .launch = $0 { true } else { false } }
    #expect(launches.count == 2)
  }

  @Test("499 m are too close, 299 s too soon, and the verdict has the numbers")
  func thresholds() {
    var stage = monitoring()
    let close = stage.tell(
      .networkFix(Stage.fix(metres: 498, at: stage.now, accuracy: 35, source: .network)), at: 500)
    #expect(close.outcomes == [.tooClose])
    #expect(close.verdicts.first.map { abs(($0.moved ?? 0) - 498) < 1 } == true)
    #expect(close.verdicts.first?.movedRequired == 500)
    #expect(close.verdicts.first?.since == 500)
    #expect(close.verdicts.first?.accuracy == 35)
    var soon = monitoring()
    let verdicts = soon.tell(
      .networkFix(Stage.fix(metres: 900, at: soon.now, accuracy: 35, source: .network)), at: 299)
    #expect(verdicts.outcomes == [.tooSoon])
    #expect(verdicts.deliveries.isEmpty)
  }

  @Test("A change of cell within the 300 s is looked into when they are over, once")
  func looksAgain() {
    var stage = monitoring()
    #expect(!stage.tell(.cellChanged(), at: 100).contains(.requestNetworkPosition))
    #expect(!stage.tell(.cellChanged(), at: 200).contains(.requestNetworkPosition))
    #expect(stage.engine.nextDeadline?.seconds == 300)
    stage.log = []
    stage.pass(to: 1_000)
    #expect(stage.log.filter { $0 == .requestNetworkPosition }.count == 1)
  }

  @Test("Within the 300 s they are what an app waits for, and no cell")
  func interval() throws {
    var stage = monitoring()
    let due = EngineInstant.zero.advanced(bySeconds: 300)
    func plan() -> ReceiverPlan? {
      stage.engine.explanation(for: AppID(1), at: stage.now)?.plan
    }
    stage.pass(to: 100)
    #expect(plan() == .off(.awaitsInterval(due)))
    // Without a cell nothing is asked at their end.
    #expect(stage.engine.plan == .off(.awaitsCellChange))
    stage.tell(.cellChanged(), at: 200)
    #expect(plan() == .off(.awaitsInterval(due)))
    #expect(stage.engine.plan == .off(.awaitsInterval(due)))
    stage.pass(to: 300)
    stage.tell(.networkPositionFailed, at: 301)
    #expect(plan() == .off(.awaitsCellChange))
  }

  @Test("Each change of cell asks the network once, and the receiver stays off")
  func cellChangeAsks() {
    var stage = monitoring()
    #expect(stage.tell(.cellChanged(), at: 400).contains(.requestNetworkPosition))
    #expect(!stage.tell(.cellChanged(), at: 401).contains(.requestNetworkPosition))
    stage.tell(.networkPositionFailed, at: 402)
    #expect(stage.tell(.cellChanged(), at: 403).contains(.requestNetworkPosition))
    #expect(stage.engine.plan == .off(.awaitsCellChange))
    #expect(!stage.log.contains(.receiver(.continuous)))
  }

  @Test("The anchor is the last delivered position: a slow walk adds up")
  func slowWalkAddsUp() {
    var stage = monitoring()
    stage.pass(to: 600)
    // 100 m every 300 s: deliveries whenever 500 m have added up.
    let fixes = "123456789abcdef"
    let woken = "----L----L----L"
    #expect(stage.draw(fixes, every: 300, accuracy: 50, source: .network) == woken)
  }

  @Test("Starting twice does nothing; stop and start sends a cached first event that never anchors")
  func startTwice() {
    var stage = Stage()
    stage.launch()
    #expect(stage.app(.startMonitoringSignificantChanges).contains(.requestNetworkPosition))
    stage.tell(.networkFix(Stage.fix(metres: 0, at: .zero, source: .network)))
    #expect(stage.app(.startMonitoringSignificantChanges, at: 5).isEmpty)
    stage.app(.stopMonitoringSignificantChanges, at: 10)
    let again = stage.app(.startMonitoringSignificantChanges, at: 20)
    #expect(again.deliveries.map(\.isCached) == [true])
    let fresh = stage.tell(
      .networkFix(Stage.fix(metres: 0, at: stage.now, source: .network)), at: 21)
    #expect(fresh.deliveries.map(\.isCached) == [false])
    #expect(stage.engine.explanation(for: AppID(1), at: stage.now)?.verdict?.since == 0)
  }

  @Test(
    "It ignores the distance filter and the accuracy that the app asked of the standard service")
  func ignoresStandardWishes() {
    var stage = monitoring()
    var request = StandardRequest()
    request.distanceFilter = 100_000
    request.desiredAccuracy = 3_000
    stage.app(.enteredForeground, at: 301)
    stage.app(.startUpdating(request))
    stage.tell(.cellChanged())
    let fix = Stage.fix(metres: 606, at: stage.now, accuracy: 500, source: .network)
    #expect(stage.tell(.networkFix(fix)).deliveries.map(\.service).contains(.significant))
  }

  @Test("A position coarser than 10 km decides nothing")
  func coarse() {
    var stage = monitoring()
    #expect(
      stage.tell(
        .networkFix(Stage.fix(metres: 9_000, at: stage.now, accuracy: 10_500, source: .network)),
        at: 400
      ).outcomes == [.inaccurate])
  }

  @Test("Relaunch needs Always where the era knows two levels")
  func relaunchNeedsAlways() {
    for (era, expected) in [(Era.ios4, "L"), (.today, "-")] {
      var rules = EngineRules()
      rules.era = era
      var stage = monitoring(authorization: .whenInUse, rules: rules)
      stage.pass(to: 2_000)
      #expect(stage.draw("9", every: 1, accuracy: 50, source: .network) == expected)
    }
  }

  @Test("iOS 7.0 does not relaunch an app that its user swiped away; the others do")
  func forceQuit() {
    for (era, expected) in [(Era.ios4, "L"), (.ios7, "-"), (.ios13, "L"), (.today, "L")] {
      var rules = EngineRules()
      rules.era = era
      var stage = monitoring(rules: rules)
      stage.app(.forceQuit, at: 100)
      stage.pass(to: 400)
      #expect(stage.draw("9", every: 1, accuracy: 50, source: .network) == expected)
    }
  }

  @Test("Deliveries of one app are numbered from 1 without holes, through wakes and relaunches")
  func sequenceNumbers() {
    var stage = monitoring()
    stage.pass(to: 600)
    _ = stage.draw("5-a-f-k-p", every: 400, accuracy: 50, source: .network)
    #expect(stage.log.deliveries.map(\.sequence) == Array(1...6))
  }

  @Test("Without a modem, sessions of the receiver are scheduled, end with a good fix, or time out")
  func receiverSessions() {
    var stage = Stage(policy: .receiver(timeout: 120))
    stage.launch()
    #expect(stage.app(.startMonitoringSignificantChanges).plans == [.session])
    #expect(
      stage.tell(.fix(Stage.fix(metres: 0, at: .zero, accuracy: 150)), at: 40).plans.isEmpty)
    let good = stage.tell(.fix(Stage.fix(metres: 0, at: stage.now, accuracy: 20)), at: 50)
    #expect(good.plans == [.off(.awaitsSession(.zero.advanced(bySeconds: 350)))])
    stage.pass(to: 350)
    #expect(stage.engine.plan == .session)
    stage.pass(to: 470)
    #expect(stage.engine.plan == .off(.awaitsSession(.zero.advanced(bySeconds: 770))))
  }
}
