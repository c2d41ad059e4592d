// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel
import Testing

@Suite("An app that is told to end")
struct ExitTests {
  private func stage(optedOut: Bool) -> Stage {
    var rules = EngineRules()
    rules.era = .ios4
    var stage = Stage(rules: rules)
    var declaration = AppDeclaration()
    declaration.modes = [.location, .audio]
    declaration.exitsOnSuspend = optedOut
    stage.app(.registered(declaration))
    stage.app(.launched)
    stage.app(.startUpdating(StandardRequest()))
    return stage
  }

  private func states(_ stage: Stage) -> [AppState] {
    stage.log.compactMap { if case .transition(_, let change) = $0 { change.to } else { nil } }
  }

  @Test("One that opted out is never in the background, from being left to its end 5 s later")
  func optedOut() {
    var stage = stage(optedOut: true)
    stage.app(.enteredBackground, at: 60)
    #expect(stage.engine.state(of: AppID(1)) == .inactive)
    stage.pass(to: 64)
    #expect(stage.engine.state(of: AppID(1)) == .inactive)
    stage.pass(to: 66)
    #expect(stage.engine.state(of: AppID(1)) == .notRunning)
    #expect(states(stage) == [.inactive, .active, .inactive, .inactive, .notRunning])
  }

  @Test("It stays where it is meanwhile, in front too, and hears of no place")
  func hearsNothing() {
    for (optedOut, input, state) in [
      (true, LifecycleInput.enteredBackground, AppState.inactive),
      (false, .terminated, .active),
    ] {
      var stage = stage(optedOut: optedOut)
      #expect(!stage.tell(.fix(Stage.fix(metres: 0, at: stage.now)), at: 30).deliveries.isEmpty)
      let told = stage.app(input, at: 60)
      #expect(stage.engine.state(of: AppID(1)) == state)
      #expect(told.plans == [.off(.nobodyRuns)], "the receiver is on for nobody")
      let heard = stage.tell(.fix(Stage.fix(metres: 101, at: stage.now)), at: 62)
      #expect(heard.deliveries.isEmpty)
      let again = AppInput.startUpdating(StandardRequest())
      #expect(stage.app(again, at: 63) == [.ignored(AppID(1), again)])
    }
  }

  @Test("Its end is told once")
  func toldOnce() {
    for optedOut in [true, false] {
      var stage = stage(optedOut: optedOut)
      stage.app(optedOut ? .enteredBackground : .terminated, at: 60)
      stage.app(.terminated, at: 61)
      stage.pass(to: 70)
      let callbacks = stage.log.flatMap { command -> [AppCallback] in
        guard case .transition(_, let change) = command else { return [] }
        return AppCallback.callbacks(for: change, in: .ios4)
      }
      #expect(callbacks.filter { $0 == .willTerminate }.count == 1)
      #expect(callbacks.contains(.willResignActive) == optedOut)
    }
  }
}
