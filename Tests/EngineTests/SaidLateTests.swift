// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel
import Testing

private let rules: EngineRules = {
  var rules = EngineRules()
  rules.lifecycle.purgesAfter = .infinity
  rules.era = .ios7
  return rules
}()

// Messages of an app come one after the other: the first may suspend it, and the second still arrives.

@Suite("What an app says last, and what comes for it while it ends")
struct SaidLateTests {
  private func fetches(_ stage: Stage) -> [UInt32] {
    stage.log.compactMap { if case .work(let id, .fetch, _) = $0 { id.number } else { nil } }
  }

  @Test("What an app asks for right behind the message that suspends it counts; audio cannot begin")
  func saidLate() {
    var stage = Stage(rules: rules)
    stage.leave(modes: [.voip, .fetch, .remoteNotification], asking: [])
    stage.app(.event(.push), at: 100)
    stage.app(.returned(.push))
    #expect(stage.engine.state(of: AppID(1)) == .suspended)
    let fire = UTCInstant(microseconds: 1_800_000_000_000_000)
    let notification = LocalNotification("n", fire: fire)
    #expect(stage.app(.schedule(notification, at: fire.advanced(bySeconds: -9))) == [])
    #expect(stage.engine.nextNotification == fire)
    #expect(stage.app(.watchSocket(true)) == [])
    #expect(stage.app(.setKeepAlive(600)) == [])
    #expect(stage.app(.setFetchInterval(3_600)) == [])
    stage.app(.startMonitoringSignificantChanges)
    #expect(stage.engine.services(of: AppID(1)) == [.significant])
    #expect(stage.app(.playAudio(true)) == [.ignored(AppID(1), .playAudio(true))])
    #expect(stage.app(.event(.socket)).contains(.work(AppID(1), .socket, seconds: 10)))
    stage.pass(to: 695)
    #expect(stage.log.contains(.work(AppID(1), .keepAlive, seconds: 30)))
  }

  @Test("What ends with the process cannot be asked for behind its end; what outlives it can")
  func saidAfterTheEnd() {
    var stage = Stage(rules: rules)
    stage.leave(modes: [.voip, .fetch], asking: [])
    stage.app(.exited)
    #expect(stage.app(.watchSocket(true)) == [.ignored(AppID(1), .watchSocket(true))])
    #expect(stage.app(.setKeepAlive(600)) == [.ignored(AppID(1), .setKeepAlive(600))])
    stage.app(.setFetchInterval(900))
    stage.pass(to: 1_800)
    #expect(stage.log.contains(.launch(AppID(1), LaunchOptions(reason: .fetch))))
  }

  //  relaunched every 12 min, each time with the same interval: the window is from 900 s to 1,800 s
  @Test("An app that names the same interval at every launch fetches as one that names it once")
  func fetchInterval() {
    var stage = Stage(rules: rules)
    stage.leave(modes: .fetch, asking: [.setFetchInterval(900)])
    for minutes in stride(from: 12.0, through: 36, by: 12) {
      stage.app(.exited, at: minutes * 60)
      stage.app(.launched)
      stage.app(.setFetchInterval(900))
      stage.app(.enteredBackground)
      stage.app(.returned(.fetch))
    }
    #expect(fetches(stage) == [1], "at 1,440 s, since the processor ran")
    var (same, other) = (stage, stage)
    same.app(.setFetchInterval(900))
    same.pass(to: 1_440 + 1_800)
    #expect(fetches(same) == [1, 1])
    // Another one begins anew, at 2,160 s.
    other.app(.setFetchInterval(1_000))
    other.pass(to: 2_160 + 1_899)
    #expect(fetches(other) == [1])
    other.pass(to: 2_160 + 1_900)
    #expect(fetches(other) == [1, 1])
  }

  @Test(
    "A fetch that is sent while another app fetches waits for it; one that nobody asked for is none"
  )
  func sentFetches() {
    var stage = Stage(rules: rules)
    stage.leave(AppID(1), modes: .fetch, asking: [.setFetchInterval(9_000)])
    stage.leave(AppID(2), modes: .fetch, asking: [.setFetchInterval(9_000)])
    stage.leave(AppID(3), modes: [.fetch, .voip], asking: [])
    stage.app(.event(.fetch), AppID(1), at: 100)
    #expect(stage.app(.event(.fetch), AppID(2)) == [])
    #expect(fetches(stage) == [1])
    stage.app(.returned(.fetch), AppID(1), at: 110)
    #expect(fetches(stage) == [1, 2])
    stage.app(.returned(.fetch), AppID(2), at: 115)
    stage.pass(to: 9_000)
    #expect(fetches(stage) == [1, 2], "what was sent was the fetch that was due next")
    for reason in [WakeReason.fetch, .keepAlive] {
      #expect(
        stage.app(.event(reason), AppID(3)) == [.notWoken(AppID(3), reason, .notAsked)])
    }
  }

  @Test(
    "What the service launches is not opened by its user, and who swiped it away has still done so")
  func launchedByService() {
    var stage = Stage(rules: rules)
    stage.leave(modes: [.fetch, .remoteNotification], asking: [.setFetchInterval(900)])
    // At half past ten, five times: the user's habit would have taught it that hour.
    for day in 0..<5 {
      stage.app(.exited, at: Double(day) * 86_400 + 37_800)
      stage.app(.launchedByService)
      stage.app(.enteredBackground)
    }
    let begin = stage.now.seconds
    #expect(stage.times(until: begin + 86_400).count == 48, "every half an hour, not by the hour")
    stage.app(.forceQuit)
    stage.app(.launchedByService)
    stage.app(.exited)
    #expect(stage.app(.event(.push)) == [.notWoken(AppID(1), .push, .forceQuit)])
  }

  // MARK: Being terminated

  @Test(
    "A crossing while its app is being terminated launches it, with the first position after its end"
  )
  func crossingWhileEnding() {
    var stage = RegionTests.monitoring()
    stage.sees(0, at: 90)
    stage.app(.woken(.push), at: 100)
    stage.app(.terminated)
    #expect(stage.sees(2_000, at: 101).regionVerdicts.map(\.outcome) == [.notRunning])
    #expect(stage.engine.state(of: "home", of: AppID(1)) == .inside)
    let first = stage.log.count
    stage.pass(to: 105)
    #expect(stage.log[first...].contains(.requestNetworkPosition), "it is looked for at once")
    let commands = stage.sees(2_000, at: 106)
    #expect(commands.contains(.launch(AppID(1), LaunchOptions(reason: .region))))
    #expect(commands.events == [.exited("home")])
  }

  @Test(
    "Nor is a significant change, a fetch, a push or a move spent on an app that is being terminated"
  )
  func calledWhileEnding() {
    var stage = Stage(rules: rules)
    var declaration = AppDeclaration()
    declaration.modes = [.fetch, .remoteNotification]
    declaration.authorization = .always
    stage.app(.registered(declaration))
    stage.app(.launched)
    stage.app(.setFetchInterval(900))
    stage.app(.startMonitoringSignificantChanges)
    stage.app(.startMonitoringMotion)
    stage.tell(.networkFix(Stage.fix(metres: 0, at: stage.now, source: .network)))
    stage.app(.terminated, at: 1_798)
    let before = stage.log.count
    let fix = Stage.fix(metres: 900, at: stage.now, source: .network)
    #expect(stage.tell(.networkFix(fix)).outcomes == [.notRunning])
    #expect(stage.app(.event(.push)) == [.notWoken(AppID(1), .push, .isEnding)])
    stage.tell(.motionBegan)
    stage.pass(to: 1_802)
    #expect(
      !stage.log[before...].contains { command in
        switch command {
        case .work, .motion, .deliver: true
        default: false
        }
      })
    stage.pass(to: 1_803)
    #expect(stage.log.contains(.launch(AppID(1), LaunchOptions(reason: .fetch))))
  }

  @Test("Who has no process of its own gives no memory, and is left alone")
  func memory() {
    var stage = Stage(rules: rules)
    stage.leave(AppID(1), modes: .audio, asking: [.usesMemory(megabytes: 0), .playAudio(true)])
    stage.leave(AppID(2), modes: [], asking: [])
    stage.pass(to: 10)
    stage.tell(.device(.memoryNeeded(megabytes: 500)))
    #expect(stage.engine.state(of: AppID(1)) == .background)
    #expect(stage.engine.life(of: AppID(1))?.timeRemaining(at: stage.now) == .infinity)
    #expect(stage.engine.state(of: AppID(2)) == .notRunning)
  }

  // MARK: Questions

  @Test(
    "A question for a region's state outlives a change of the region; the end of monitoring answers it"
  )
  func question() {
    for ends in [false, true] {
      var stage = Stage()
      stage.launch()
      stage.app(.place(.startMonitoring(RegionTests.home)))
      stage.app(.place(.requestState(region: "home")), at: 10)
      let wider = MonitoredRegion("home", centre: Stage.start, radius: 900)
      stage.app(.place(.startMonitoring(wider)), at: 20)
      if ends { stage.app(.place(.stopMonitoring(region: "home")), at: 30) }
      stage.pass(to: 69)
      #expect(stage.log.states == (ends ? [.unknown] : []))
      stage.pass(to: 1_000)
      #expect(stage.log.states == [.unknown], "once")
    }
  }
}
