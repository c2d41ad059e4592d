// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel
import Testing

extension Stage {
  /// Registers an app with these modes, launches it, lets it make its requests, and moves it to the background.
  mutating func leave(
    _ id: AppID = AppID(1), modes: BackgroundModes, asking inputs: [AppInput],
    at seconds: Double = 0
  ) {
    var declaration = AppDeclaration()
    declaration.modes = modes
    app(.registered(declaration), id, at: seconds)
    app(.launched, id)
    for input in inputs { app(input, id) }
    app(.enteredBackground, id)
  }

  /// The reports of audio that ended.
  var audioEnds: [EngineCommand] {
    log.filter { if case .audioStopped = $0 { true } else { false } }
  }

  /// The times of an app's calls other than for a location: `app@seconds`, for an app that finishes at once.
  mutating func calls(until end: Double) -> [String] {
    let first = log.count
    var seen = first
    while let due = engine.nextDeadline, due.seconds <= end {
      pass(to: due.seconds)
      for case .work(let id, let reason, _) in log[seen...] {
        app(reason.mustReturn ? .returned(reason) : .finishedWork, id)
      }
      seen = log.count
    }
    return log[first...].compactMap {
      guard case .work(let id, _, _) = $0 else { return nil }
      return "\(id.number)"
    }
  }

  /// The seconds of an app's calls, if it returns at once.
  mutating func times(of id: AppID = AppID(1), until end: Double) -> [Int] {
    var times: [Int] = []
    while let due = engine.nextDeadline, due.seconds <= end {
      let seen = log.count
      pass(to: due.seconds)
      for case .work(let called, let reason, _) in log[seen...] {
        if called == id { times.append(Int(now.seconds)) }
        app(.returned(reason), called)
      }
    }
    return times
  }
}

extension [EngineCommand] {
  /// The apps that are ended for their memory, with the reason: the number of equally large ones.
  fileprivate var turns: [String] {
    compactMap {
      guard case .memoryTaken(let id, let turn) = $0 else { return nil }
      return
        "\(id.number): \(Int(turn.megabytes)) MB \(turn.state), \(turn.equals) of \(turn.candidates)"
    }
  }

  fileprivate var refusals: [NotWoken] {
    compactMap { if case .notWoken(_, _, let why) = $0 { why } else { nil } }
  }
}

private let never: EngineRules = {
  var rules = EngineRules()
  rules.lifecycle.purgesAfter = .infinity
  rules.era = .ios7
  return rules
}()

@Suite("Background work")
struct BackgroundWorkTests {
  @Test("A keep-alive handler is called before each interval is over")
  func keepAlive() {
    var stage = Stage(rules: never)
    stage.leave(modes: .voip, asking: [.setKeepAlive(600)])
    #expect(stage.times(until: 2_000) == [595, 1_190, 1_785])
  }

  @Test("Keep-alives of two apps fall into step within one interval: half the wakes")
  func coalescing() {
    var stage = Stage(rules: never)
    stage.leave(AppID(1), modes: .voip, asking: [.setKeepAlive(600)])
    stage.leave(AppID(2), modes: .voip, asking: [.setKeepAlive(600)], at: 250)
    #expect(
      stage.calls(until: 3_600) == ["1", "2", "1", "2", "1", "2", "1", "2", "1", "2", "1", "2"])
    #expect(stage.engine.periodic.calls == 12)
    #expect(stage.engine.periodic.wakes == 6)
    #expect(stage.engine.periodic.saved == 6)
  }

  @Test(
    "A keep-alive whose window is open rides along when the processor is awake for something else")
  func rides() {
    var stage = Stage(rules: never)
    stage.leave(AppID(1), modes: .voip, asking: [.setKeepAlive(600)])
    stage.leave(AppID(2), modes: [], asking: [.startMonitoringMotion])
    stage.tell(.motionBegan, at: 400)
    #expect(stage.times(until: 420) == [400])
    #expect(stage.engine.periodic.wakes == 0)
  }

  @Test("Two apps never fetch at once; the next one follows when the first has returned")
  func fetchesInTurn() {
    var stage = Stage(rules: never)
    stage.leave(AppID(1), modes: .fetch, asking: [.setFetchInterval(900)])
    stage.leave(AppID(2), modes: .fetch, asking: [.setFetchInterval(900)])
    // The window opens at 900 s and closes at 1,800 s.
    stage.pass(to: 1_800)
    func called() -> [UInt32] {
      stage.log.compactMap { if case .work(let id, .fetch, _) = $0 { id.number } else { nil } }
    }
    #expect(called() == [1])
    stage.pass(to: 1_820)
    #expect(called() == [1])
    stage.app(.returned(.fetch), AppID(1))
    stage.pass(to: 1_821)
    #expect(called() == [1, 2])
    #expect(stage.engine.periodic.wakes == 1)
  }

  @Test("Nor does a keep-alive that is called meanwhile bring the second fetch")
  func fetchesInTurnBesideKeepAlives() {
    var stage = Stage(rules: never)
    stage.leave(AppID(1), modes: .fetch, asking: [.setFetchInterval(900)])
    stage.leave(AppID(2), modes: .fetch, asking: [.setFetchInterval(900)])
    // Its window opens at 1,810 s, while app 1 fetches.
    stage.leave(AppID(3), modes: .voip, asking: [.setKeepAlive(3_620)])
    stage.pass(to: 1_815)
    let called = stage.log.compactMap { command -> String? in
      guard case .work(let id, let reason, _) = command else { return nil }
      return "\(id.number) \(reason.rawValue)"
    }
    #expect(called == ["1 fetch", "3 \(WakeReason.keepAlive.rawValue)"])
  }

  @Test("A fetch that does not return in 30 s ends its app")
  func fetchOverruns() {
    var stage = Stage(rules: never)
    stage.leave(modes: .fetch, asking: [.setFetchInterval(0)])
    stage.pass(to: 1_829)
    #expect(stage.engine.state(of: AppID(1)) == .background)
    stage.pass(to: 1_830)
    #expect(stage.engine.state(of: AppID(1)) == .notRunning)
  }

  @Test(
    "A fetch launches an app that does not run, with fetch as its launch option; not after a force quit"
  )
  func fetchLaunches() {
    var rules = EngineRules()
    rules.era = .today
    var stage = Stage(rules: rules)
    stage.leave(modes: .fetch, asking: [.setFetchInterval(3_600)])
    stage.pass(to: 4_000)
    #expect(stage.engine.state(of: AppID(1)) == .notRunning, "purged")
    stage.pass(to: 4_500)
    #expect(stage.log.contains(.launch(AppID(1), LaunchOptions(reason: .fetch))))
    stage.app(.forceQuit, at: 4_501)
    #expect(stage.tell(.timePassed, at: 20_000).isEmpty)
    #expect(stage.log.refusals.last == .forceQuit)
  }

  @Test(
    "A fetch waits for the hour before the one in which its user opens the app, once that is known")
  func learns() {
    var stage = Stage(rules: never)
    stage.leave(modes: .fetch, asking: [.setFetchInterval(900)])
    // Opened at half past ten of five days, a minute each.
    for day in 0..<5 {
      let ten = Double(day) * 86_400 + 37_800
      _ = stage.times(until: ten)
      stage.app(.enteredForeground, at: ten)
      stage.app(.enteredBackground, at: ten + 60)
    }
    let day = 5 * 86_400.0
    _ = stage.times(until: day)
    let hours = stage.times(until: day + 86_400).map { ($0 - Int(day)) / 3_600 }
    #expect(Set(hours).isSubset(of: [0, 9, 10, 22, 23]), "\(hours)")
    #expect(hours.contains(9) && hours.contains(10))
  }

  @Test("Data on a watched socket wakes its app; on one that it never handed over nothing does")
  func socket() {
    var stage = Stage(rules: never)
    stage.leave(AppID(1), modes: .voip, asking: [.watchSocket(true)])
    stage.leave(AppID(2), modes: .voip, asking: [])
    stage.pass(to: 100)
    #expect(stage.app(.event(.socket), AppID(1)).contains(.work(AppID(1), .socket, seconds: 10)))
    #expect(stage.app(.event(.socket), AppID(2)).refusals == [.notAsked])
    stage.pass(to: 200)
    #expect(
      stage.tell(.device(.networkChanged)).contains(.work(AppID(1), .socket, seconds: 10)))
  }

  @Test("Audio keeps an app running where the mode is declared; else it ends when the app is left")
  func audio() {
    var stage = Stage(rules: never)
    stage.leave(AppID(2), modes: [], asking: [.playAudio(true)])
    stage.leave(AppID(1), modes: .audio, asking: [.playAudio(true)])
    #expect(stage.audioEnds == [.audioStopped(AppID(2), .notDeclared)])
    stage.pass(to: 1_000)
    #expect(stage.engine.state(of: AppID(1)) == .background)
    #expect(stage.engine.state(of: AppID(2)) == .suspended)
    stage.app(.playAudio(false))
    stage.pass(to: 1_005)
    #expect(stage.engine.state(of: AppID(1)) == .suspended)
  }

  @Test("Audio of the app in front ends that of the background, which is suspended then")
  func audioInFront() {
    var stage = Stage(rules: never)
    stage.leave(AppID(1), modes: .audio, asking: [.playAudio(true)])
    stage.launch(AppID(2))
    stage.pass(to: 100)
    #expect(stage.audioEnds == [])
    stage.app(.playAudio(true), AppID(2))
    #expect(stage.audioEnds == [.audioStopped(AppID(1), .frontPlays)])
    stage.pass(to: 105)
    #expect(stage.engine.state(of: AppID(1)) == .suspended)
  }

  @Test("A call interrupts the app in front and ends all audio; while it lasts none begins")
  func audioInCall() {
    var stage = Stage(rules: never)
    stage.leave(AppID(1), modes: .audio, asking: [.playAudio(true)])
    stage.launch(AppID(2))
    stage.tell(.device(.call(true)), at: 10)
    #expect(stage.engine.state(of: AppID(2)) == .inactive)
    #expect(stage.audioEnds == [.audioStopped(AppID(1), .call)])
    stage.app(.playAudio(true), AppID(2))
    #expect(stage.audioEnds.last == .audioStopped(AppID(2), .call))
    stage.pass(to: 15)
    #expect(stage.engine.state(of: AppID(1)) == .suspended)
    stage.tell(.device(.call(false)))
    #expect(stage.engine.state(of: AppID(2)) == .active)
    stage.app(.playAudio(true), AppID(2))
    #expect(stage.audioEnds.count == 2)
  }

  @Test(
    "Memory is taken from the largest suspended app first, then from the one suspended for longest")
  func memory() {
    var stage = Stage(rules: never)
    for (number, megabytes) in [(1, 40.0), (2, 200), (3, 40)] {
      stage.leave(
        AppID(UInt32(number)), modes: [], asking: [.usesMemory(megabytes: megabytes)],
        at: Double(number))
    }
    stage.leave(AppID(4), modes: .audio, asking: [.playAudio(true)], at: 10)
    func states() -> String {
      (1...4).map { stage.engine.state(of: AppID($0))?.rawValue.prefix(1) ?? "?" }.joined()
    }
    let largest = stage.tell(.device(.memoryNeeded(megabytes: 150)), at: 100)
    #expect(states() == "snsb")
    #expect(largest.turns == ["2: 200 MB suspended, 1 of 3"])
    let longest = stage.tell(.device(.memoryNeeded(megabytes: 30)))
    #expect(states() == "nnsb")
    #expect(longest.turns == ["1: 40 MB suspended, 2 of 2"])
    let commands = stage.tell(.device(.memoryNeeded(megabytes: 60)))
    #expect(states() == "nnnb")
    #expect(commands.turns == ["3: 40 MB suspended, 1 of 1", "4: 50 MB background, 1 of 1"])
    stage.pass(to: 105)
    #expect(states() == "nnnn", "one in the background is told, and has 5 s")
  }

  @Test("After a reboot nothing runs but apps with voip, which are launched; monitoring goes on")
  func reboot() {
    var stage = Stage(rules: never)
    stage.leave(AppID(1), modes: .voip, asking: [.setKeepAlive(600)])
    stage.leave(AppID(2), modes: [], asking: [.startMonitoringSignificantChanges])
    let commands = stage.tell(.device(.rebooted(isLocked: false)), at: 1_000)
    #expect(commands.contains(.launch(AppID(1), LaunchOptions(reason: .boot))))
    #expect(stage.engine.state(of: AppID(2)) == .notRunning)
    #expect(stage.engine.services(of: AppID(2)) == [.significant])
    // The requests of the process are gone with it.
    #expect(stage.calls(until: 5_000).isEmpty)
  }

  @Test("On a device without multitasking each app behaves as one that opted out")
  func noMultitasking() {
    var rules = EngineRules()
    rules.era.supportsMultitasking = false
    var stage = Stage(rules: rules)
    stage.leave(modes: [.location, .audio], asking: [.playAudio(true)])
    stage.pass(to: 5)
    #expect(stage.engine.state(of: AppID(1)) == .notRunning)
  }

  @Test(
    "Equal inputs give equal commands, also from a snapshot that is taken in between",
    arguments: 1...20)
  func snapshot(seed: UInt64) {
    var stage = Stage(rules: never)
    stage.leave(AppID(1), modes: .voip, asking: [.setKeepAlive(600), .watchSocket(true)])
    stage.leave(AppID(2), modes: .fetch, asking: [.setFetchInterval(900)])
    stage.pass(to: Double(seed) * 97)
    var other = stage
    other.engine = LocationEngine(restoring: stage.engine.snapshot)
    #expect(other.times(until: 9_000) == stage.times(until: 9_000))
    #expect(other.log == stage.log)
  }
}
