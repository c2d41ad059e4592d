// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel
import Testing

@Suite("Standard and continuous updates")
struct StandardServiceTests {
  @Test("Without a filter every fix is delivered")
  func everyFix() {
    var stage = Stage()
    stage.launch()
    stage.app(.startUpdating(StandardRequest()))
    let fixes = "0-0112-2"
    let seen_ = "D-DDDD-D"
    #expect(stage.draw(fixes, every: 60) == seen_)
  }

  @Test("The distance filter measures from the last delivered fix, not from the last seen one")
  func slowWalkerIsDelivered() {
    // 0.505 m/s with a fix a second and a filter of 10 m: one delivery every 20 s (the bug of GeoClue up
    // to 2.5.x measured from the last seen fix and never delivered).
    var stage = Stage()
    stage.launch()
    var request = StandardRequest()
    request.distanceFilter = 10
    stage.app(.startUpdating(request))
    var delivered: [Int] = []
    for second in 0...100 {
      let fix = Stage.fix(
        metres: Double(second) * 0.505, at: .zero.advanced(bySeconds: Double(second)))
      if !stage.tell(.fix(fix), at: Double(second)).deliveries.isEmpty { delivered.append(second) }
    }
    #expect(delivered.count == 6)
    #expect(zip(delivered, [0, 20, 40, 60, 80, 100]).allSatisfy { abs($0 - $1) <= 1 })
  }

  @Test("A much more accurate fix passes below the distance")
  func accurateFixPasses() {
    var stage = Stage()
    stage.launch()
    var request = StandardRequest()
    request.distanceFilter = 1_000
    stage.app(.startUpdating(request))
    #expect(stage.draw("0", every: 1, accuracy: 50) == "D")
    stage.pass(to: 10)
    #expect(stage.draw("0", every: 1, accuracy: 30) == "-")
    stage.pass(to: 20)
    #expect(stage.draw("0", every: 1, accuracy: 10) == "D")
  }

  @Test("A standard app goes blind when it is suspended, and the receiver is switched off")
  func standardStopsWhenSuspended() {
    var stage = Stage()
    stage.launch()
    #expect(stage.app(.startUpdating(StandardRequest())).plans == [.continuous])
    #expect(stage.draw("01", every: 30) == "DD")
    stage.app(.enteredBackground, at: 60)
    stage.pass(to: 64)
    #expect(stage.engine.plan == .continuous)
    stage.pass(to: 66)
    #expect(stage.engine.state(of: AppID(1)) == .suspended)
    #expect(stage.engine.plan == .off(.nobodyRuns))
    #expect(stage.engine.explanation(for: AppID(1), at: stage.now)?.verdict?.outcome == .suspended)
  }

  @Test("Continuous updates keep the app running for as long as they last")
  func continuousKeepsRunning() {
    var stage = Stage()
    stage.launch(declaresLocation: true)
    stage.app(.startUpdating(StandardRequest()))
    stage.app(.enteredBackground, at: 60)
    #expect(stage.draw("000111222333", every: 600) == "DDDDDDDDDDDD")
    #expect(stage.engine.state(of: AppID(1)) == .background)
    stage.app(.stopUpdating)
    stage.pass(to: stage.now.seconds + 6)
    #expect(stage.engine.state(of: AppID(1)) == .suspended)
  }

  @Test("Neither standard nor continuous updates relaunch a terminated app")
  func terminatedStaysTerminated() {
    var stage = Stage()
    stage.launch(declaresLocation: true)
    stage.app(.startUpdating(StandardRequest()))
    stage.app(.forceQuit, at: 10)
    #expect(stage.engine.plan == .off(.nobodyAsks))
    #expect(stage.draw("0123456789", every: 600) == "----------")
    #expect(stage.engine.explanation(for: AppID(1), at: stage.now)?.verdict?.outcome == .notRunning)
  }

  @Test("Updates pause after 600 s within 50 m, and the hold on the app ends with them")
  func pauses() {
    var stage = Stage()
    stage.launch(declaresLocation: true)
    var request = StandardRequest()
    request.pausesAutomatically = true
    stage.app(.startMonitoringMotion)
    stage.app(.startUpdating(request))
    stage.app(.enteredBackground, at: 60)
    for second in stride(from: 61.0, through: 700, by: 1) {
      stage.tell(.fix(Stage.fix(metres: 0, at: stage.now)), at: second)
    }
    #expect(stage.engine.plan == .off(.awaitsMotion))
    #expect(stage.engine.triggers == .motion)
    #expect(stage.engine.state(of: AppID(1)) == .suspended)
    let commands = stage.tell(.motionBegan, at: 900)
    #expect(commands.contains(.motion(AppID(1))))
    #expect(stage.engine.state(of: AppID(1)) == .background)
    stage.app(.startUpdating(request))
    #expect(stage.engine.plan == .continuous)
    stage.pass(to: 2_000)
    #expect(stage.engine.state(of: AppID(1)) == .background)
  }

  @Test("Without a motion sensor updates pause only if a monitored place can end it")
  func pausesWithoutASensor() {
    // With *when in use* nothing is told of a place once the pause has ended the hold.
    let cases: [(monitors: Bool, Authorization)] = [
      (false, .always), (true, .whenInUse), (true, .always),
    ]
    for (monitors, authorization) in cases {
      let pauses = monitors && authorization == .always
      var rules = EngineRules()
      rules.feelsMotion = false
      var stage = Stage(rules: rules)
      stage.launch(declaresLocation: true, authorization: authorization)
      var request = StandardRequest()
      request.pausesAutomatically = true
      stage.app(.startMonitoringMotion)
      if monitors { stage.app(.startMonitoringSignificantChanges) }
      stage.app(.startUpdating(request))
      stage.app(.enteredBackground, at: 60)
      for second in stride(from: 61.0, through: 700, by: 1) {
        stage.tell(.fix(Stage.fix(metres: 0, at: stage.now)), at: second)
      }
      #expect(stage.engine.plan.isOn == !pauses)
      #expect(!stage.engine.triggers.contains(.motion))
      guard pauses else { continue }
      // The receiver is on for the policy or for another app: 40 m are within the still radius, 60 m are not.
      let near = stage.tell(.fix(Stage.fix(metres: 40, at: stage.now)), at: 720)
      #expect(!near.contains(.motion(AppID(1))))
      let far = stage.tell(.fix(Stage.fix(metres: 60, at: stage.now)), at: 740)
      #expect(far.contains(.motion(AppID(1))))
      #expect(stage.engine.state(of: AppID(1)) == .background)
      let again = stage.tell(.fix(Stage.fix(metres: 90, at: stage.now)), at: 760)
      #expect(!again.contains(.motion(AppID(1))))
    }
  }

  // Half an hour at 15 m/s are 27 km, some squares of 5 km, of which at most one in 15 min is reported (0045): by
  // squares alone the device rests for longer than the 600 s, and entering the next one is within their accuracy.
  @Test(
    "An app of reduced accuracy pauses where the device rests, and not where it comes into another square"
  )
  func pausesOfReduced() {
    var stage = Stage()
    stage.launch(declaresLocation: true)
    var declaration = AppDeclaration()
    (declaration.declaresLocationMode, declaration.accuracy) = (true, .reduced)
    stage.app(.declared(declaration))
    var request = StandardRequest()
    request.pausesAutomatically = true
    stage.app(.startUpdating(request))
    var delivered = 0
    for second in stride(from: 1.0, through: 1_800, by: 1) {
      let fix = Stage.fix(metres: 15 * second, at: .zero.advanced(bySeconds: second))
      let commands = stage.tell(.fix(fix), at: second)
      #expect(!commands.contains(.paused(AppID(1))), "after \(second) s")
      delivered += commands.count { if case .deliver = $0 { true } else { false } }
    }
    #expect(delivered == 2)
    var paused: [Double] = []
    for second in stride(from: 1_801.0, through: 2_500, by: 1) {
      let fix = Stage.fix(metres: 27_000, at: .zero.advanced(bySeconds: second))
      if stage.tell(.fix(fix), at: second).contains(.paused(AppID(1))) { paused.append(second) }
    }
    // 600 s after the first fix that is within 50 m of the rest: three seconds before it begins, or later.
    #expect(paused.count == 1)
    #expect(paused.first.map { (2_397...2_402).contains($0) } == true, "\(paused)")
  }

  @Test("A paused app that was purged is relaunched by motion")
  func motionRelaunches() {
    var stage = Stage()
    stage.launch(declaresLocation: true)
    stage.app(.startMonitoringMotion)
    stage.app(.enteredBackground, at: 10)
    stage.pass(to: 1_000)
    #expect(stage.engine.state(of: AppID(1)) == .notRunning)
    let commands = stage.tell(.motionBegan)
    #expect(commands.contains(.launch(AppID(1), LaunchOptions(reason: .motion))))
  }

  @Test("In eras that queue, the newest fix of a suspended app waits for it")
  func queuedWhileSuspended() {
    for era in [Era.ios4, .today] {
      var rules = EngineRules()
      rules.era = era
      var stage = Stage(rules: rules)
      stage.launch()
      stage.launch(AppID(2))
      stage.app(.startUpdating(StandardRequest()))
      stage.app(.startUpdating(StandardRequest()), AppID(2))
      stage.app(.enteredBackground, at: 1)
      #expect(stage.draw("---------0-1", every: 1) == "------------")
      let commands = stage.app(.enteredForeground)
      let mine = commands.filter { if case .deliver(AppID(1), _) = $0 { true } else { false } }
      #expect(mine.count == (era == .today ? 1 : 0))
    }
  }

  @Test("requestLocation delivers one location and lets the receiver go")
  func oneLocation() {
    var stage = Stage()
    stage.launch()
    #expect(stage.app(.requestLocation()).plans == [.continuous])
    #expect(stage.draw("012", every: 10) == "D--")
    #expect(!stage.engine.plan.isOn)
  }

  @Test("An app without authorization gets nothing and keeps the receiver off")
  func unauthorized() {
    var stage = Stage()
    stage.launch(authorization: .denied)
    #expect(!stage.app(.startUpdating(StandardRequest())).plans.contains { $0.isOn })
    #expect(stage.tell(.fix(Stage.fix(metres: 0, at: .zero))).outcomes == [.unauthorized])
    #expect(
      stage.engine.explanation(for: AppID(1), at: stage.now)?.verdict?.outcome == .unauthorized)
  }

  @Test("Two apps share one receiver, which goes off with the last")
  func sharedReceiver() {
    var stage = Stage()
    stage.launch(AppID(1))
    stage.launch(AppID(2))
    #expect(stage.app(.startUpdating(StandardRequest()), AppID(1)).plans == [.continuous])
    #expect(stage.app(.startUpdating(StandardRequest()), AppID(2)).plans.isEmpty)
    #expect(stage.app(.stopUpdating, AppID(1)).plans.isEmpty)
    #expect(stage.app(.stopUpdating, AppID(2)).plans.count == 1)
  }

  @Test("The first location of a second app is a cached one and does not anchor its filter")
  func cachedDoesNotAnchor() {
    var stage = Stage()
    stage.launch(AppID(1))
    stage.app(.startUpdating(StandardRequest()), AppID(1))
    _ = stage.draw("0", every: 1)
    stage.launch(AppID(2))
    var request = StandardRequest()
    request.distanceFilter = 500
    let commands = stage.app(.startUpdating(request), AppID(2), at: 100)
    #expect(commands.deliveries.map(\.isCached) == [true])
    #expect(stage.draw("1", every: 1, for: AppID(2)) == "D")
    stage.pass(to: 200)
    #expect(stage.draw("25", every: 60, for: AppID(2)) == "--")
    stage.pass(to: 300)
    #expect(stage.draw("6", every: 1, for: AppID(2)) == "D")
  }

  @Test("What an unknown app asks is ignored, and said so")
  func unknownApp() {
    var stage = Stage()
    #expect(stage.app(.launched, AppID(9)) == [.ignored(AppID(9), .life(.launched))])
  }
}
