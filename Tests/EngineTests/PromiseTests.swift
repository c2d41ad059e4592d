// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationEngine
import LocationModel
import Testing

private let ios4: EngineRules = {
  var rules = EngineRules()
  rules.era = .ios4
  return rules
}()

private func request(filter: Double? = nil) -> StandardRequest {
  var request = StandardRequest()
  request.distanceFilter = filter
  return request
}

extension Stage {
  fileprivate func worked(_ reason: WakeReason) -> Bool {
    log.contains { if case .work(_, reason, _) = $0 { true } else { false } }
  }

  fileprivate var delivered: [Service] {
    log.compactMap { if case .deliver(_, let delivery) = $0 { delivery.service } else { nil } }
  }

  fileprivate mutating func sees(_ metres: Double, at seconds: Double) {
    pass(to: seconds)
    tell(.fix(Self.fix(metres: metres, at: now)))
  }
}

@Suite("Promises to apps hold beside the other rules")
struct PromiseTests {
  @Test("An app that the system watches for is not purged by time, and is called in time")
  func watchedFor() {
    var stage = Stage(rules: ios4)
    stage.leave(AppID(1), modes: .voip, asking: [.setKeepAlive(900)])
    stage.leave(AppID(2), modes: .voip, asking: [.watchSocket(true)])
    stage.leave(AppID(3), modes: [], asking: [.setKeepAlive(900)])
    stage.pass(to: 900)
    #expect(stage.worked(.keepAlive))
    #expect(stage.engine.state(of: AppID(2)) == .suspended)
    #expect(stage.engine.state(of: AppID(3)) == .notRunning)
    stage.app(.watchSocket(false), AppID(2))
    stage.pass(to: 901)
    #expect(stage.engine.state(of: AppID(2)) == .notRunning)
    stage.app(.returned(.keepAlive))
    #expect(stage.engine.state(of: AppID(1)) == .suspended)
    let taken = stage.tell(.device(.memoryNeeded(megabytes: 40)))
    // Purged, and launched again as an app for calls is.
    let isPurged = taken.contains {
      if case .transition(AppID(1), let change) = $0 { change.to == .notRunning } else { false }
    }
    #expect(isPurged && stage.engine.state(of: AppID(1)) == .background)
  }

  @Test("Apps that are registered follow changed rules: the budget of tasks, and the purge")
  func changedRules() {
    var stage = Stage(rules: ios4)
    stage.leave(modes: [], asking: [])
    var rules = EngineRules()
    rules.lifecycle.purgesAfter = 60
    stage.engine.reconfigure(rules: rules, policy: .ios, at: stage.now, into: &stage.log)
    stage.pass(to: 64)
    #expect(stage.engine.state(of: AppID(1)) == .suspended)
    stage.pass(to: 66)
    #expect(stage.engine.state(of: AppID(1)) == .notRunning)
    stage.app(.launched)
    stage.app(.beganTask(1))
    stage.app(.enteredBackground)
    // The budget of today's era is 30 s, that of iOS 4 was 600 s.
    stage.pass(to: 97)
    #expect(stage.engine.state(of: AppID(1)) == .notRunning)
  }

  @Test("A new manifest counts: an app that opts out ends when it leaves the foreground")
  func optsOut() {
    var stage = Stage()
    stage.launch()
    var declaration = AppDeclaration()
    declaration.exitsOnSuspend = true
    stage.app(.declared(declaration))
    stage.app(.enteredBackground)
    stage.pass(to: 6)
    #expect(stage.engine.state(of: AppID(1)) == .notRunning)
  }

  // The receiver is on for the second app, so the first has a position waiting while it is suspended.
  private func queued(
    filter: Double? = nil, authorization: Authorization = .always
  ) -> Stage {
    var stage = Stage()
    stage.launch(AppID(2), declaresLocation: true)
    stage.app(.startUpdating(request()), AppID(2))
    stage.launch(AppID(1), authorization: authorization)
    stage.app(.startUpdating(request(filter: filter)), AppID(1))
    stage.sees(0, at: 10)
    stage.app(.enteredBackground, AppID(1), at: 20)
    stage.sees(400, at: 60)
    stage.log = []
    return stage
  }

  private func deliveries(_ stage: Stage) -> Int {
    stage.log.count { if case .deliver(AppID(1), _) = $0 { true } else { false } }
  }

  @Test("A position that waited is handed over by the rules of the moment")
  func waited() {
    var stage = queued()
    stage.app(.enteredForeground)
    #expect(deliveries(stage) == 1)
    stage = queued(filter: 1_000)
    stage.app(.enteredForeground)
    #expect(deliveries(stage) == 0)
    stage = queued()
    stage.app(.authorized(.denied))
    stage.app(.enteredForeground)
    stage.app(.authorized(.always))
    #expect(deliveries(stage) == 0)
  }

  @Test("Nothing waits for updates that an app with *when in use* began in the background")
  func beganUnseen() {
    var stage = Stage()
    stage.launch(AppID(2), declaresLocation: true)
    stage.app(.startUpdating(request()), AppID(2))
    stage.launch(AppID(1), authorization: .whenInUse)
    stage.app(.enteredBackground, AppID(1))
    stage.app(.startUpdating(request()), AppID(1))
    stage.sees(400, at: 60)
    stage.app(.event(.push), AppID(1))
    stage.app(.enteredForeground, AppID(1))
    #expect(deliveries(stage) == 0)
  }

  @Test("With *when in use* a change is told in the background only while updates hold the app")
  func whenInUse() {
    for isHeld in [false, true] {
      var stage = Stage()
      stage.launch(declaresLocation: true, authorization: .whenInUse)
      stage.app(.startMonitoringSignificantChanges)
      if isHeld {
        var held = request(filter: 1_000_000)
        held.allowsBackgroundUpdates = true
        stage.app(.startUpdating(held))
      }
      stage.tell(.networkFix(Stage.fix(metres: 0, at: stage.now, source: .network)))
      stage.app(.enteredBackground)
      stage.app(.beganTask(1))
      stage.log = []
      stage.pass(to: 20)
      #expect(stage.engine.state(of: AppID(1)) == .background)
      stage.tell(
        .networkFix(Stage.fix(metres: 5_000, at: stage.now, source: .network)), at: 21)
      stage.log = []
      var rules = EngineRules()
      rules.significantInterval = 5
      stage.engine.reconfigure(rules: rules, policy: .ios, at: stage.now, into: &stage.log)
      stage.tell(
        .networkFix(Stage.fix(metres: 9_000, at: stage.now, source: .network)), at: 28)
      #expect(stage.delivered.contains(.significant) == isHeld)
    }
  }

  @Test("Calls that come and go open no app, so its fetches do not wait for the hour of a habit")
  func calls() {
    func fetches(after calls: Int) -> [Int] {
      var rules = EngineRules()
      rules.lifecycle.purgesAfter = .infinity
      var stage = Stage(rules: rules)
      var declaration = AppDeclaration()
      declaration.modes = .fetch
      stage.app(.registered(declaration))
      stage.app(.launched)
      stage.app(.setFetchInterval(900))
      for _ in 0..<calls {
        stage.tell(.device(.call(true)))
        stage.tell(.device(.call(false)))
      }
      stage.app(.enteredBackground)
      return stage.times(until: 20_000)
    }
    #expect(fetches(after: 5) == fetches(after: 0))
    // The window of a fetch closes 1,800 s after the last one.
    #expect(fetches(after: 5).first == 1_800)
  }

  @Test("Expiring tasks are told the seconds that are left")
  func secondsLeft() {
    var rules = EngineRules()
    rules.era.taskBudget = 3
    var stage = Stage(rules: rules)
    stage.launch()
    stage.app(.beganTask(1))
    stage.app(.enteredBackground)
    stage.pass(to: 3)
    let seconds = stage.log.compactMap { command -> Double? in
      if case .tasksExpire(_, _, let seconds) = command { seconds } else { nil }
    }
    #expect(seconds == [3])
  }

  @Test("Memory that an ending app is about to free is counted")
  func endingMemory() {
    var stage = Stage()
    stage.leave(AppID(1), modes: [], asking: [.usesMemory(megabytes: 500)])
    stage.leave(AppID(2), modes: [], asking: [.usesMemory(megabytes: 100)])
    stage.app(.beganTask(1), AppID(1))
    stage.app(.beganTask(1), AppID(2))
    stage.tell(.device(.memoryNeeded(megabytes: 400)))
    stage.tell(.device(.memoryNeeded(megabytes: 100)))
    stage.pass(to: 6)
    #expect(stage.engine.state(of: AppID(1)) == .notRunning)
    #expect(stage.engine.state(of: AppID(2)) != .notRunning)
  }

  @Test("An event for an app that is ending says so")
  func ending() {
    var stage = Stage()
    stage.leave(modes: .remoteNotification, asking: [])
    stage.app(.terminated)
    let told = stage.app(.event(.push))
    #expect(told.contains(.notWoken(AppID(1), .push, .isEnding)))
  }

  @Test("A notification that is due at once needs no room")
  func noRoomNeeded() {
    var stage = Stage()
    stage.launch()
    let now = Stage.epoch
    for number in 0..<128 {
      let later = LocalNotification("\(number)", fire: now.advanced(bySeconds: 3_600))
      stage.app(.schedule(later, at: now))
    }
    let told = stage.app(.schedule(LocalNotification("now"), at: now))
    #expect(told == [.notify(AppID(1), LocalNotification("now"), .handedOver)])
  }
}
