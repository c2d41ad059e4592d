// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import LocationEngine
import LocationModel
import ServiceContract
import Testing

@testable import ServiceCore

@Suite("What a process hears and asks in the background")
struct BackgroundTests {
  private let client = ClientID(7)

  /// A connected app with these modes that runs in the foreground, after these messages.
  private func app(
    _ modes: BackgroundModes, in era: Era = .usual, saying messages: [ClientMessage] = []
  ) -> Stage {
    Stage.running(modes, in: era, as: client, saying: messages)
  }

  private func heard(_ effects: [ServiceEffect]) -> [ServerMessage] {
    effects.compactMap { effect in
      if case .send(let message, client, _) = effect { message } else { nil }
    }
  }

  @Test("A task that overruns: its app is told 5 s before, and killed without a word")
  func overrun() {
    var stage = app([], saying: [.beginTask(id: 7, name: "upload")])
    stage.say(.control("walker", .background))
    stage.pass(24)
    #expect(!heard(stage.take()).contains { if case .tasksExpire = $0 { true } else { false } })
    stage.pass(1)
    #expect(heard(stage.take()).contains(.tasksExpire([7], seconds: 5)))
    stage.pass(5)
    let effects = stage.take()
    #expect(effects.contains(.kill("walker")))
    #expect(heard(effects).isEmpty)
  }

  @Test("How long it will still run: no limit in front, then what the era gives a task")
  func remaining() {
    var stage = app([], saying: [.beginTask(id: 7, name: ""), .timeRemaining])
    stage.say(.timeRemaining, as: client)
    #expect(heard(stage.take()).last == .timeRemaining(nil))
    stage.say(.control("walker", .background))
    stage.pass(10)
    stage.say(.timeRemaining, as: client)
    #expect(heard(stage.take()).last == .timeRemaining(20))
  }

  @Test("A frozen app is thawed for a push, called, and frozen again when its handler has returned")
  func push() {
    var stage = app(.remoteNotification)
    stage.say(.control("walker", .background))
    stage.pass(5)
    #expect(stage.take().contains(.freeze("walker")))
    stage.tell(.process(.frozen(app: "walker")))
    stage.say(.event("walker", .push))
    let effects = stage.take()
    #expect(effects.contains(.thaw("walker")))
    #expect(heard(effects).contains(.wake(.push, seconds: 30)))
    stage.tell(.process(.thawed(app: "walker")))
    stage.say(.returned(.push, .newData), as: client)
    #expect(stage.take().contains(.freeze("walker")))
  }

  @Test(
    "What comes for an app that is being launched is told when it has connected, with the time that is left"
  )
  func callsWait() {
    var stage = app([.remoteNotification, .fetch], saying: [.setFetchInterval(900)])
    stage.tell(.process(.ended(app: "walker", .exited(status: 0))))
    stage.tell(.client(.disconnected(client)))
    stage.say(.event("walker", .fetch))
    stage.pass(2)
    stage.say(.event("walker", .push))
    stage.tell(.process(.started(app: "walker", pid: 31)))
    stage.pass(3)
    _ = stage.take()
    stage.connect(client, pid: 31)
    stage.say(.hello(.init(app: "walker")), as: client)
    let messages = heard(stage.take())
    guard case .welcome(let welcome)? = messages.first else {
      Issue.record("no welcome: \(messages)")
      return
    }
    #expect(welcome.launchReason == .fetch)
    #expect(messages.contains(.wake(.push, seconds: 27)))
    #expect(!messages.contains { if case .wake(.fetch, _) = $0 { true } else { false } })
  }

  @Test("Modes of an Info.plist that change nothing here are in the app's log")
  func unknownModes() {
    var stage = app([])
    stage.tell(
      .manifest(
        Stage.user,
        .read(
          Stage.app("talk", launch: .manual), missingProgram: nil,
          unknownModes: ["processing", "nearby-interaction"]), id: nil))
    #expect(
      stage.logged.contains(
        "processing, nearby-interaction of its UIBackgroundModes changes nothing here"))
  }

  @Test("An undeclared push wakes nobody, and the app's log says why")
  func notWoken() {
    var stage = app([])
    stage.say(.control("walker", .background))
    stage.pass(5)
    _ = stage.take()
    stage.say(.event("walker", .push))
    let effects = stage.take()
    #expect(!effects.contains(.thaw("walker")))
    #expect(
      stage.logged.contains(
        "not woken by a push: the background mode that it needs is not declared"))
  }

  @Test(
    "A notification is handed to an app that is active; else its user is alerted, once it is time, where he lets it",
    arguments: [true, false])
  func notification(isAllowed: Bool) {
    // The first era has no prompt; in the last one the app has not been allowed to.
    var stage = app([], in: isAllowed ? .ios4 : .today)
    var notification = LocalNotification("stretch")
    notification.fire = stage.now.utc.advanced(bySeconds: 60)
    stage.say(.schedule(notification), as: client)
    stage.say(.notifications, as: client)
    #expect(heard(stage.take()).last == .notifications([notification]))
    stage.pass(60)
    #expect(heard(stage.take()).contains(.notification(notification)))
    stage.say(.notifications, as: client)
    #expect(heard(stage.take()).last == .notifications([]))
    notification.fire = stage.now.utc.advanced(bySeconds: 60)
    stage.say(.schedule(notification), as: client)
    stage.say(.control("walker", .background))
    _ = stage.take()
    stage.pass(60)
    let effects = stage.take()
    #expect(effects.contains(.notifyUser(app: "walker", notification)) == isAllowed)
    #expect(!heard(effects).contains(.notification(notification)))
  }

  @Test(
    "A keep-alive below 600 s is refused: its app is told, its log says so, and nothing calls it")
  func keepAliveTooOften() {
    var stage = app(.voip, in: .ios4)
    stage.say(.setKeepAlive(599), as: client)
    let words = "a keep-alive every 599 s is refused: 600 s are the least"
    #expect(heard(stage.take()).contains(.error(code: .notPossible, words)))
    #expect(stage.logged.contains(words))
    stage.say(.control("walker", .background))
    stage.pass(599)
    #expect(!heard(stage.take()).contains { if case .wake = $0 { true } else { false } })
    // It is purged after 600 s; one that asks for 600 is called before.
    var allowed = app(.voip, in: .ios4, saying: [.setKeepAlive(600)])
    allowed.say(.control("walker", .background))
    allowed.pass(599)
    #expect(heard(allowed.take()).contains(.wake(.keepAlive, seconds: 30)))
  }

  @Test("The user quits an app that crashes again and again, between a crash and its next launch")
  func quitBetween() {
    var stage = Stage()
    var manifest = Stage.app(launch: .atStart)
    manifest.service = nil
    stage.add(manifest)
    func starts(_ effects: [ServiceEffect]) -> Int {
      effects.count { if case .start = $0 { true } else { false } }
    }
    #expect(starts(stage.take()) == 1)
    stage.tell(.process(.started(app: "walker", pid: 30)))
    stage.tell(.process(.ended(app: "walker", .exited(status: 3))))
    #expect(starts(stage.take()) == 0, "it pauses")
    stage.say(.control("walker", .quit))
    #expect(stage.take().messages == [.ok])
    stage.pass(600)
    #expect(starts(stage.take()) == 0)
    // The user launches it again, and crashes do so too.
    stage.say(.control("walker", .launch))
    #expect(starts(stage.take()) == 1)
    stage.tell(.process(.started(app: "walker", pid: 31)))
    stage.tell(.process(.ended(app: "walker", .exited(status: 3))))
    stage.pass(60)
    #expect(starts(stage.take()) == 1)
  }

  @Test(
    "A crash launches an app with voip again, in eras that have it; in others its log says why not")
  func crash() {
    for era in [Era.ios7, .today] {
      var stage = app(.voip, in: era)
      stage.tell(.process(.ended(app: "walker", .exited(status: 3))))
      stage.tell(.client(.disconnected(client)))
      _ = stage.take()
      stage.pass(2)
      let starts = stage.take().compactMap { effect -> String? in
        if case .start(let start) = effect {
          start.environment["MILEPOST_LAUNCH_REASON"]
        } else {
          nil
        }
      }
      #expect(starts == (era.hasVoIP ? ["crash"] : []))
      let refusal = "not woken by its end, which was not its own wish: this era does not have it"
      #expect(stage.logged.contains(refusal) == !era.hasVoIP)
    }
  }
}
