// SPDX-License-Identifier: Apache-2.0

import LocationModel
import Testing

@testable import BackgroundExecution

/// The orders are those of Scenarios.md, "Callbacks".
@Suite("What a delegate hears of its app's life")
struct LifeCallbacksTests {
  private func callbacks(
    launchedInto state: AppState, _ states: [AppState]
  ) -> [LifeCallbacks.Callback] {
    var life = LifeCallbacks(launchedInto: state)
    return states.flatMap { life.follow(state: $0) }
  }

  @Test("By its user: active, away and back, in order")
  func byUser() {
    #expect(
      callbacks(
        launchedInto: .active, [.active, .inactive, .background, .inactive, .active])
        == [
          .didBecomeActive, .willResignActive, .didEnterBackground, .willEnterForeground,
          .didBecomeActive,
        ])
  }

  @Test("By an event: didEnterBackground where the era says it, and the way to the front in all")
  func byEvent() {
    #expect(callbacks(launchedInto: .background, [.background]) == [.didEnterBackground])
    #expect(
      callbacks(launchedInto: .background, [.inactive, .active])
        == [.willEnterForeground, .didBecomeActive])
    #expect(
      callbacks(launchedInto: .background, [.background, .inactive, .active])
        == [.didEnterBackground, .willEnterForeground, .didBecomeActive])
  }

  @Test("A state that is no news, and one without code, are not told")
  func silent() {
    #expect(
      callbacks(launchedInto: .active, [.active, .active, .inactive, .background, .background])
        == [.didBecomeActive, .willResignActive, .didEnterBackground])
    #expect(callbacks(launchedInto: .active, [.suspended, .notRunning]) == [])
  }

  @Test("States that were passed unheard are made up for")
  func gaps() {
    #expect(
      callbacks(launchedInto: .active, [.active, .background, .active])
        == [
          .didBecomeActive, .willResignActive, .didEnterBackground, .willEnterForeground,
          .didBecomeActive,
        ])
  }

  @Test("Launched by its user an app is inactive until it became active, as on phones")
  func state() {
    var life = LifeCallbacks(launchedInto: .active)
    #expect(life.state == .inactive)
    _ = life.follow(state: .active)
    #expect(life.state == .active)
    #expect(LifeCallbacks(launchedInto: .background).state == .background)
  }

  @Test("In a callback that says will, the app is where it was")
  func during() {
    #expect(LifeCallbacks.Callback.willResignActive.state == .active)
    #expect(LifeCallbacks.Callback.willEnterForeground.state == .background)
    #expect(LifeCallbacks.Callback.didBecomeActive.state == .active)
    #expect(LifeCallbacks.Callback.didEnterBackground.state == .background)
  }
}
