// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel
import Testing

/// Walks a life and writes it down: `active 60:background 65:suspended`.
private func life(
  _ inputs: [(Double, LifecycleInput)], until end: Double = 0, exitsOnSuspend: Bool = false,
  timing: LifecycleTiming = LifecycleTiming()
) -> String {
  var app = AppLifecycle(timing: timing, exitsOnSuspend: exitsOnSuspend)
  var words: [String] = []
  func take(_ input: LifecycleInput, at seconds: Double) {
    var transitions: [LifecycleTransition] = []
    app.handle(
      input, at: EngineInstant.zero.advanced(bySeconds: seconds), into: &transitions)
    words += transitions.map { "\(Int(seconds)):\($0.to.rawValue)" }
  }
  for (seconds, input) in inputs {
    while let due = app.nextDeadline, due.seconds <= seconds { take(.timePassed, at: due.seconds) }
    take(input, at: seconds)
  }
  while let due = app.nextDeadline, due.seconds <= end { take(.timePassed, at: due.seconds) }
  return words.joined(separator: " ")
}

@Suite("App life cycle")
struct AppLifecycleTests {
  @Test("An app that nothing holds is suspended 5 s after it is left, and purged 600 s later")
  func suspensionAndPurge() {
    #expect(
      life([(0, .launched), (60, .enteredBackground)], until: 10_000)
        == "0:inactive 0:active 60:inactive 60:background 65:suspended 665:not_running")
  }

  @Test("Continuous location keeps the app running; 5 s after it ends the app is suspended")
  func hold() {
    #expect(
      life(
        [(0, .launched), (60, .enteredBackground), (61, .held(.location)), (5_000, .held([]))],
        until: 5_100)
        == "0:inactive 0:active 60:inactive 60:background 5005:suspended")
  }

  @Test("A wake ends when the app says so, or when its budget of 10 s is used up")
  func wakeBudget() {
    let background: [(Double, LifecycleInput)] = [(0, .launched), (0, .enteredBackground)]
    #expect(
      life(background + [(100, .woken(.location)), (102, .finishedWork)], until: 700)
        .hasSuffix("5:suspended 100:background 102:suspended"))
    #expect(
      life(background + [(100, .woken(.location))], until: 700)
        .hasSuffix("5:suspended 100:background 110:suspended"))
  }

  @Test("The 600 s before a purge count anew from every suspension")
  func purgeCountsAnew() {
    #expect(
      life(
        [(0, .launched), (0, .enteredBackground), (500, .woken(.location)), (502, .finishedWork)],
        until: 2_000
      ).hasSuffix("502:suspended 1102:not_running"))
  }

  @Test("A second wake starts the budget anew and does not add up")
  func wakesDoNotAddUp() {
    #expect(
      life(
        [
          (0, .launched), (0, .enteredBackground), (100, .woken(.location)),
          (106, .woken(.location)),
        ], until: 300
      ).hasSuffix("100:background 116:suspended"))
    // A handler that is called again after 20 s has its 30 s from there: at 130 nothing is over.
    #expect(
      life(
        [
          (0, .launched), (0, .enteredBackground), (100, .woken(.push)), (120, .woken(.push)),
          (140, .returned(.push)),
        ], until: 200
      ).hasSuffix("100:background 140:suspended"))
  }

  @Test("A relaunch goes straight to the background")
  func relaunch() {
    #expect(
      life([(0, .relaunched(.location)), (2, .finishedWork)], until: 3)
        == "0:background 2:suspended")
  }

  @Test("An app that opted out of multitasking ends 5 s after it is left")
  func exitsOnSuspend() {
    #expect(
      life([(0, .launched), (60, .enteredBackground)], until: 100, exitsOnSuspend: true)
        == "0:inactive 0:active 60:inactive 60:inactive 65:not_running")
  }

  @Test("Time in the foreground has no deadline")
  func foregroundIsForEver() {
    #expect(life([(0, .launched)], until: 1e6) == "0:inactive 0:active")
  }

  @Test(
    "An input that makes no sense changes nothing",
    arguments: [
      LifecycleInput.woken(.location), .finishedWork, .held(.location), .purged, .timePassed,
      .relaunched(.location), .becameActive, .enteredForeground, .launched,
    ])
  func illegalInputs(input: LifecycleInput) {
    var app = AppLifecycle()
    var transitions: [LifecycleTransition] = []
    app.handle(.launched, at: .zero, into: &transitions)
    let before = app
    transitions = []
    app.handle(input, at: .zero, into: &transitions)
    #expect(app == before)
    #expect(transitions.isEmpty)
  }

  @Test("A force quit ends the app from any state that has a process")
  func forceQuit() {
    #expect(
      life([(0, .launched), (1, .forceQuit), (2, .forceQuit)])
        == "0:inactive 0:active 1:not_running")
  }

  @Test("A process that exits by itself ends the app at once, from any state that has one")
  func exit() {
    let active: [(Double, LifecycleInput)] = [(0, .launched)]
    let background = active + [(60, .enteredBackground)]
    for (before, last) in [
      (active, "0:active"), (active + [(1, .resignedActive)], "1:inactive"),
      (background + [(61, .held(.location))], "60:background"),
      (background + [(65, .timePassed)], "65:suspended"),
      (background + [(70, .woken(.location))], "70:background"),
    ] {
      #expect(life(before + [(72, .exited)], until: 72).hasSuffix("\(last) 72:not_running"))
    }
    #expect(life([(0, .exited)]) == "")
  }

  @Test("An exit is told apart from a force quit, and from the end of an app that was told to go")
  func exitReasons() {
    func reason(after input: LifecycleInput) -> LifecycleTransition.Reason? {
      var app = AppLifecycle()
      var transitions: [LifecycleTransition] = []
      app.handle(.launched, at: .zero, into: &transitions)
      app.handle(input, at: .zero, into: &transitions)
      app.handle(.exited, at: .zero.advanced(bySeconds: 1), into: &transitions)
      return transitions.last?.reason
    }
    #expect(reason(after: .enteredBackground) == .exited)
    #expect(reason(after: .terminated) == .terminated)
    #expect(LifecycleTransition.Reason.exited.text == "exited by itself")
  }

  @Test("Each time of the life cycle can be set")
  func timingIsObeyed() {
    var timing = LifecycleTiming()
    timing.suspendsAfter = 1
    timing.purgesAfter = 2
    #expect(
      life([(0, .launched), (10, .enteredBackground)], until: 100, timing: timing)
        .hasSuffix("11:suspended 13:not_running"))
  }
}
