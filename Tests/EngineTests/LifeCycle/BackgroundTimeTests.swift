// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel
import Testing

/// One app on a time axis of seconds.
private struct Life {
  var app: AppLifecycle
  /// `60:background`; `85:expires [7]` where expiration handlers are called.
  var words: [String] = []

  init(_ era: Era = .today) { app = AppLifecycle(era: era) }

  mutating func take(_ input: LifecycleInput, at seconds: Double) {
    pass(to: seconds)
    tell(input, seconds)
  }

  mutating func pass(to seconds: Double) {
    while let due = app.nextDeadline, due.seconds <= seconds { tell(.timePassed, due.seconds) }
  }

  private mutating func tell(_ input: LifecycleInput, _ seconds: Double) {
    var transitions: [LifecycleTransition] = []
    let expiring = app.handle(
      input, at: EngineInstant.zero.advanced(bySeconds: seconds), into: &transitions)
    if !expiring.isEmpty { words.append("\(Int(seconds)):expires \(expiring)") }
    words += transitions.map {
      "\(Int(seconds)):\($0.to.rawValue)" + ($0.to == .notRunning ? " (\($0.reason.text))" : "")
    }
  }

  /// Launched at 0 and in the background at 60; then the given events.
  static func left(_ era: Era = .today, _ body: (inout Life) -> Void) -> String {
    var life = Life(era)
    life.take(.launched, at: 0)
    life.take(.enteredBackground, at: 60)
    life.words = []
    body(&life)
    return life.words.joined(separator: " ")
  }

  /// Records the remaining time.
  mutating func ask(at seconds: Double) {
    words.append("\(Int(seconds)):\(remaining(at: seconds)) left")
  }

  func remaining(at seconds: Double) -> Double {
    app.timeRemaining(at: EngineInstant.zero.advanced(bySeconds: seconds))
  }
}

@Suite("Time in the background")
struct BackgroundTimeTests {
  @Test("A task keeps the app running until its end; then it is suspended at once")
  func task() {
    #expect(
      Life.left {
        $0.take(.beganTask(7), at: 61)
        $0.take(.endedTask(7), at: 80)
        $0.pass(to: 100)
      } == "80:suspended")
  }

  @Test("Each begin needs its own end")
  func everyBegin() {
    #expect(
      Life.left {
        $0.take(.beganTask(1), at: 61)
        $0.take(.beganTask(2), at: 62)
        $0.take(.endedTask(1), at: 70)
        $0.take(.endedTask(1), at: 71)
        $0.take(.endedTask(2), at: 72)
      } == "72:suspended")
  }

  @Test(
    "All tasks together have 600, 180, 30 s by era, from leaving the foreground; 5 s before, they are told",
    arguments: [(Era.ios4, 600), (.ios7, 180), (.ios13, 30), (.today, 30)])
  func budget(era: Era, seconds: Int) {
    #expect(
      Life.left(era) {
        $0.take(.beganTask(7), at: 61)
        $0.take(.beganTask(9), at: 80)
        $0.pass(to: 10_000)
      } == "\(60 + seconds - 5):expires [7, 9] "
        + "\(60 + seconds):not_running (its background task took too long)")
  }

  @Test("An app that ends its tasks when told is suspended, not terminated")
  func endsWhenTold() {
    #expect(
      Life.left {
        $0.take(.beganTask(7), at: 61)
        $0.pass(to: 85)
        $0.take(.endedTask(7), at: 86)
        $0.pass(to: 100)
      } == "85:expires [7] 86:suspended")
  }

  @Test("Where the era says so, an app whose task overran is suspended and its tasks are over")
  func overrunThatSuspends() {
    var era = Era.today
    era.taskOverrun = .suspended
    #expect(
      Life.left(era) {
        $0.take(.beganTask(7), at: 61)
        $0.pass(to: 100)
        $0.take(.woken(.location), at: 200)
        $0.pass(to: 300)
      } == "85:expires [7] 90:suspended 200:background 210:suspended")
  }

  @Test("In the foreground tasks last as long as they like, and go on from there")
  func inFront() {
    var life = Life()
    life.take(.launched, at: 0)
    life.take(.beganTask(7), at: 1)
    #expect(life.remaining(at: 1) == .infinity)
    life.take(.enteredBackground, at: 5_000)
    #expect(life.remaining(at: 5_000) == 30)
    life.pass(to: 6_000)
    #expect(
      life.words.suffix(2) == [
        "5025:expires [7]", "5030:not_running (its background task took too long)",
      ])
  }

  @Test(
    "While audio or location holds the app nobody counts; the budget begins when the last hold ends"
  )
  func heldTasks() {
    #expect(
      Life.left {
        $0.take(.held(.audio), at: 61)
        $0.take(.beganTask(7), at: 62)
        $0.take(.held([.audio, .location]), at: 300)
        $0.take(.held(.location), at: 400)
        $0.ask(at: 500)
        $0.take(.held([]), at: 1_000)
        $0.ask(at: 1_010)
        $0.pass(to: 2_000)
      }
        == "500:inf left 1010:20.0 left 1025:expires [7] "
        + "1030:not_running (its background task took too long)")
  }

  @Test("Coming back to the foreground stops the count; leaving it begins a new one")
  func foregroundAnew() {
    #expect(
      Life.left {
        $0.take(.beganTask(7), at: 61)
        $0.pass(to: 85)
        $0.take(.enteredForeground, at: 88)
        $0.take(.enteredBackground, at: 200)
        $0.pass(to: 300)
      }.hasSuffix(
        "200:background 225:expires [7] 230:not_running (its background task took too long)"))
  }

  @Test("A wake gives a task the era's budget, where it alone gives 10 s")
  func wakeAndTask() {
    #expect(
      Life.left(.ios4) {
        $0.take(.woken(.location), at: 100)
        $0.take(.beganTask(7), at: 105)
        $0.take(.finishedWork, at: 106)
        $0.ask(at: 106)
        $0.take(.endedTask(7), at: 400)
      } == "65:suspended 100:background 106:594.0 left 400:suspended")
  }

  @Test(
    "A handler of a fetch, a keep-alive or a push that does not return in 30 s ends its app, held or not",
    arguments: [WakeReason.fetch, .keepAlive, .push, .locationPush], [Holds(), .audio])
  func handler(reason: WakeReason, holds: Holds) {
    #expect(
      Life.left {
        $0.take(.held(holds), at: 60)
        $0.take(.woken(reason), at: 100)
        $0.pass(to: 1_000)
      }.hasSuffix("130:not_running (its handler for \(reason.rawValue) took too long)"))
  }

  @Test("A handler that returns leaves its app as it found it")
  func handlerReturns() {
    #expect(
      Life.left {
        $0.take(.woken(.fetch), at: 100)
        $0.take(.returned(.keepAlive), at: 110)
        $0.take(.returned(.fetch), at: 120)
        $0.pass(to: 200)
      } == "65:suspended 100:background 120:suspended")
  }

  // In the background at 60 s, so that the budget ends at 90 s; a push at 80 s has until 110 s.
  @Test(
    "A first task that is begun in the last 5 s of the budget, or after it, is over at once, and ends nobody"
  )
  func tooLate() {
    for (begin, expected) in [
      (84.0, "84:26.0 left 85:expires [7] 90:not_running (its background task took too long)"),
      (85, "85:expires [7] 85:25.0 left 105:suspended"),
      (91, "91:expires [7] 91:19.0 left 105:suspended"),
    ] {
      let words = Life.left {
        $0.take(.woken(.push), at: 64)
        $0.take(.returned(.push), at: 64)
        $0.take(.beganTask(1), at: 64)
        $0.take(.woken(.push), at: 80)
        $0.take(.endedTask(1), at: 80)
        $0.take(.beganTask(7), at: begin)
        $0.ask(at: begin)
        $0.take(.returned(.push), at: begin == 84 ? 84 : 105)
        $0.pass(to: 105)
      }
      #expect(words == expected)
    }
  }

  @Test("Nothing is begun by an app that is suspended, exiting or gone")
  func noTask() {
    for end in [LifecycleInput.timePassed, .terminated, .exited] {
      var life = Life()
      life.take(.launched, at: 0)
      life.take(.enteredBackground, at: 60)
      life.take(end, at: 65)
      let before = life.app
      life.take(.beganTask(7), at: 65)
      #expect(life.app == before, "\(end)")
    }
  }

  @Test("Tasks end with their process: the next one has none")
  func nextProcess() {
    #expect(
      Life.left {
        $0.take(.beganTask(7), at: 61)
        $0.take(.exited, at: 62)
        $0.take(.relaunched(.location), at: 100)
        $0.pass(to: 200)
      } == "62:not_running (exited by itself) 100:background 110:suspended")
  }

  @Test("A reboot ends an app without a word, from any state that has a process")
  func reboot() {
    #expect(
      Life.left { $0.take(.rebooted, at: 70) }
        == "65:suspended 70:not_running (the device was started again)")
  }

  @Test("One app has 1,000 tasks at most")
  func taskLimit() {
    var life = Life()
    life.take(.launched, at: 0)
    for id in 0..<1_001 { life.take(.beganTask(BackgroundTaskID(id)), at: 1) }
    let before = life.app
    life.take(.endedTask(1_000), at: 2)
    #expect(life.app == before, "the last one was never begun")
  }
}
