// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel
import Testing

/// Walks a life and records the app's callbacks, in order.
private func told(
  _ inputs: [(Double, LifecycleInput)], until end: Double = 0, exitsOnSuspend: Bool = false,
  in era: Era = .today
) -> [String] {
  var app = AppLifecycle(exitsOnSuspend: exitsOnSuspend)
  var words: [String] = []
  func take(_ input: LifecycleInput, at seconds: Double) {
    var transitions: [LifecycleTransition] = []
    app.handle(
      input, at: EngineInstant.zero.advanced(bySeconds: seconds), into: &transitions)
    for transition in transitions {
      words += AppCallback.callbacks(for: transition, in: era).map(\.text)
    }
  }
  for (seconds, input) in inputs {
    while let due = app.nextDeadline, due.seconds <= seconds { take(.timePassed, at: due.seconds) }
    take(input, at: seconds)
  }
  while let due = app.nextDeadline, due.seconds <= end { take(.timePassed, at: due.seconds) }
  return words
}

@Suite("What an app is told of its own life")
struct AppCallbackTests {
  @Test(
    "Launched, put away, suspended and come back to: the order of the rules", arguments: Era.all)
  func wholeLife(era: Era) {
    #expect(
      told([(0, .launched), (60, .enteredBackground), (300, .enteredForeground)], in: era) == [
        "didFinishLaunching", "didBecomeActive", "willResignActive", "didEnterBackground",
        "willEnterForeground", "didBecomeActive",
      ])
  }

  @Test("Something in front for a moment: willResignActive, didBecomeActive, and no background")
  func interrupted() {
    #expect(
      told([(0, .launched), (10, .resignedActive), (12, .becameActive)]).dropFirst(2)
        == ["willResignActive", "didBecomeActive"])
  }

  @Test("A launch into the background does not call didEnterBackground in ios4 and ios7")
  func relaunchedBefore() {
    for era in [Era.ios4, .ios7] {
      #expect(told([(0, .relaunched(.location))], in: era) == ["didFinishLaunching(location)"])
    }
  }

  @Test("A launch into the background calls didEnterBackground from ios13 on")
  func relaunchedToday() {
    for era in [Era.ios13, .today] {
      #expect(
        told([(0, .relaunched(.motion))], in: era)
          == ["didFinishLaunching(motion)", "didEnterBackground"])
    }
  }

  @Test("The field decides, not the era's name")
  func field() {
    var era = Era.ios4
    era.entersBackgroundOnLaunch = true
    #expect(told([(0, .relaunched(.location))], in: era).last == "didEnterBackground")
  }

  @Test(
    "A user who comes to an app that was launched into the background: willEnterForeground first")
  func foregroundAfterRelaunch() {
    #expect(
      told([(0, .relaunched(.location)), (3, .enteredForeground)], in: .ios4)
        == ["didFinishLaunching(location)", "willEnterForeground", "didBecomeActive"])
  }

  @Test("An app that opted out hears willTerminate instead of didEnterBackground")
  func optedOut() {
    #expect(
      told([(0, .launched), (60, .enteredBackground)], until: 100, exitsOnSuspend: true) == [
        "didFinishLaunching", "didBecomeActive", "willResignActive", "willTerminate",
      ])
  }

  @Test("A suspended app that is shut down is gone at once, and hears nothing")
  func shutDownInSleep() {
    #expect(
      told([(0, .launched), (9, .enteredBackground), (20, .terminated)], until: 100)
        == ["didFinishLaunching", "didBecomeActive", "willResignActive", "didEnterBackground"])
    var app = AppLifecycle()
    var transitions: [LifecycleTransition] = []
    for (seconds, input) in [
      (0.0, LifecycleInput.launched), (9, .enteredBackground), (14, .timePassed), (20, .terminated),
    ] {
      app.handle(input, at: EngineInstant.zero.advanced(bySeconds: seconds), into: &transitions)
    }
    #expect(app.state == .notRunning)
  }

  @Test("A running app that is shut down hears willTerminate, once, in whatever state it runs")
  func shutDown() {
    #expect(told([(0, .launched), (9, .terminated)], until: 100).last == "willTerminate")
    #expect(
      told([(0, .launched), (9, .enteredBackground), (10, .terminated)], until: 100).suffix(2)
        == ["didEnterBackground", "willTerminate"])
  }

  @Test(
    "A suspended app is told nothing: not of its suspension, a wake, a purge, an end or a crash")
  func suspendedHearsNothing() {
    let suspended: [(Double, LifecycleInput)] = [(0, .launched), (1, .enteredBackground)]
    let before = told(suspended, until: 10)
    for input in [LifecycleInput.purged, .terminated, .forceQuit, .exited, .woken(.location)] {
      #expect(told(suspended + [(20, input)]) == before)
    }
  }

  @Test("An app whose user swipes it away while it runs is told nothing more")
  func forceQuit() {
    #expect(
      told([(0, .launched), (9, .forceQuit)]) == ["didFinishLaunching", "didBecomeActive"])
  }
}
