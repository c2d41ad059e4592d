// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel
import Testing

@Suite("Authorization, by era")
struct AuthorizationTests {
  private func stage(_ era: Era) -> Stage {
    var rules = EngineRules()
    rules.era = era
    return Stage(rules: rules)
  }

  @Test("Starting a service asks the user in ios4 and ios7, where nothing is decided")
  func asksAtStart() {
    for era in Era.all {
      for input in [
        AppInput.startUpdating(StandardRequest()), .startMonitoringSignificantChanges,
        .requestLocation(),
      ] {
        var stage = stage(era)
        stage.launch(authorization: .notDetermined)
        let isAsked = stage.app(input).contains(.asksUser(AppID(1)))
        #expect(isAsked == [Era.ios4, .ios7].contains(era), "\(era.name) \(input)")
      }
    }
    var decided = stage(.ios4)
    decided.launch(authorization: .denied)
    #expect(!decided.app(.startUpdating(StandardRequest())).contains(.asksUser(AppID(1))))
  }

  @Test("The answer starts what was asked for")
  func answer() {
    var stage = stage(.ios4)
    stage.launch(authorization: .notDetermined)
    stage.app(.startUpdating(StandardRequest()))
    #expect(!stage.engine.plan.isOn)
    stage.app(.authorized(.always))
    #expect(stage.engine.plan == .continuous)
  }

  @Test("From ios13 on, when in use starts no continuous updates from the background")
  func notFromBackground() {
    for era in [Era.ios13, .today] {
      var stage = stage(era)
      stage.launch(declaresLocation: true, authorization: .whenInUse)
      stage.app(.enteredBackground, at: 10)
      stage.app(.startUpdating(StandardRequest()), at: 11)
      #expect(!stage.engine.plan.isOn)
      #expect(
        stage.engine.explanation(for: AppID(1), at: stage.now)?.verdict?.outcome == .unauthorized)
      let fix = Stage.fix(metres: 0, at: stage.now)
      #expect(stage.tell(.fix(fix)).outcomes == [.unauthorized])
      stage.pass(to: 16)
      #expect(stage.engine.state(of: AppID(1)) == .suspended)
      // They begin in the foreground, and then continue in the background.
      stage.app(.enteredForeground, at: 20)
      #expect(stage.engine.plan == .continuous)
      stage.app(.enteredBackground, at: 30)
      stage.pass(to: 500)
      #expect(stage.engine.state(of: AppID(1)) == .background)
    }
  }

  @Test("Updates that when in use started in the foreground go on in the background")
  func continued() {
    var stage = stage(.today)
    stage.launch(declaresLocation: true, authorization: .whenInUse)
    stage.app(.startUpdating(StandardRequest()))
    stage.app(.enteredBackground, at: 10)
    stage.pass(to: 1_000)
    #expect(stage.engine.state(of: AppID(1)) == .background)
    #expect(stage.engine.plan == .continuous)
  }

  @Test("With always, and in eras without the rule, updates start from the background")
  func alwaysStarts() {
    for (era, authorization) in [
      (Era.today, Authorization.always), (.ios4, .whenInUse), (.ios7, .whenInUse),
    ] {
      var stage = stage(era)
      stage.launch(declaresLocation: true, authorization: authorization)
      stage.app(.enteredBackground, at: 10)
      stage.app(.startUpdating(StandardRequest()), at: 11)
      #expect(stage.engine.plan == .continuous, "\(era.name)")
    }
  }

  @Test("A lone suspended app keeps the receiver off in every era, also where positions are queued")
  func loneAndSuspended() {
    for era in Era.all {
      var stage = stage(era)
      stage.launch()
      stage.app(.startUpdating(StandardRequest()))
      stage.app(.enteredBackground, at: 1)
      stage.pass(to: 60)
      let explanation = stage.engine.explanation(for: AppID(1), at: stage.now)
      #expect(explanation?.verdict?.outcome == .suspended)
      #expect(explanation?.plan == .off(.nobodyRuns))
      #expect(explanation?.suspension.contains("the receiver is not on for it") == true)
      let keeps = era.standardWhileSuspended == .queued
      #expect(explanation?.keepsWhatOthersBring == keeps)
      #expect(explanation?.suspension.contains("other apps' receivers") == keeps)
      #expect(stage.app(.enteredForeground).deliveries.isEmpty)
    }
  }
}
