// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import LocationEngine
import LocationModel
import ServiceContract
import Testing

@testable import ServiceCore

@Suite("What is called for an app comes, and comes once")
struct NothingLostTests {
  private let client = ClientID(7)

  private func heard(
    _ effects: [ServiceEffect], by client: ClientID = ClientID(7)
  ) -> [ServerMessage] {
    effects.compactMap { effect in
      if case .send(let message, client, _) = effect { message } else { nil }
    }
  }

  /// The reasons of the requested launches.
  private func launches(_ effects: [ServiceEffect]) -> [String] {
    effects.compactMap { effect in
      if case .start(let start) = effect {
        start.environment["MILEPOST_LAUNCH_REASON"]
      } else {
        nil
      }
    }
  }

  //  push ─ no room ─ 12 s ─ room: push with the 18 s that are left
  @Test(
    "What found no room in an app's connection is said when there is room, with the time that is left"
  )
  func noRoom() {
    var stage = Stage.running(.remoteNotification, in: .ios7, saying: [.beginTask(id: 3, name: "")])
    stage.say(.control("walker", .background))
    stage.say(.event("walker", .push))
    stage.tell(.client(.refused(client, .wake(.push, seconds: 30))))
    stage.tell(.client(.refused(client, .tasksExpire([3], seconds: 20))))
    stage.tell(.client(.refused(client, .notification(LocalNotification("n")))))
    stage.pass(12)
    _ = stage.take()
    stage.tell(.client(.writable(client)))
    #expect(
      heard(stage.take()) == [
        .wake(.push, seconds: 18), .tasksExpire([3], seconds: 8),
        .notification(LocalNotification("n")),
      ])
    stage.tell(.client(.writable(client)))
    #expect(heard(stage.take()) == [])
  }

  @Test("Room that comes after the app was suspended: it is told when it runs again")
  func roomTooLate() {
    var stage = Stage.running([], in: .ios7)
    stage.tell(.client(.refused(client, .notification(LocalNotification("n")))))
    stage.say(.control("walker", .background))
    stage.pass(5)
    stage.tell(.client(.writable(client)))
    #expect(!heard(stage.take()).contains(.notification(LocalNotification("n"))))
    stage.say(.control("walker", .foreground))
    #expect(heard(stage.take()).contains(.notification(LocalNotification("n"))))
  }

  //  launched for a push ─ returned ─ connection lost ─ push ─ connected again: the second one is told
  @Test(
    "A call that comes while an app's connection is lost is told, also for what it was launched for"
  )
  func connectionLost() {
    var stage = Stage.running(.remoteNotification)
    stage.tell(.process(.ended(app: "walker", .exited(status: 0))))
    stage.tell(.client(.disconnected(client)))
    stage.say(.event("walker", .push))
    stage.tell(.process(.started(app: "walker", pid: 31)))
    stage.connect(ClientID(8), pid: 31)
    stage.say(.hello(.init(app: "walker")), as: ClientID(8))
    #expect(
      !heard(stage.take(), by: ClientID(8)).contains {
        if case .wake = $0 { true } else { false }
      }, "its welcome says it")
    stage.say(.returned(.push, .newData), as: ClientID(8))
    stage.tell(.client(.disconnected(ClientID(8))))
    stage.say(.event("walker", .push))
    stage.pass(2)
    stage.connect(ClientID(9), pid: 31)
    stage.say(.hello(.init(app: "walker")), as: ClientID(9))
    #expect(heard(stage.take(), by: ClientID(9)).contains(.wake(.push, seconds: 28)))
  }

  // MARK: What could not be started

  @Test("What the service cannot start now is launched for the same reason as soon as it can")
  func prevented() {
    for (mode, event) in [
      (BackgroundModes.remoteNotification, WakeReason.push), (.voip, .motion),
    ] {
      var stage = Stage.running(mode, in: .ios7, saying: [.monitorMotion(true)])
      stage.tell(.process(.ended(app: "walker", .exited(status: 0))))
      stage.tell(.client(.disconnected(client)))
      _ = stage.take()
      if event == .motion {
        stage.tell(.machine(.trouble("nothing")))
        stage.service.tellEngine(.motionBegan)
        stage.settle()
      } else {
        stage.say(.event("walker", event))
      }
      #expect(launches(stage.take()) == [event.rawValue])
      for pause in [1.0, 2] {
        stage.tell(.process(.prevented(app: "walker", reason: "the disk is full")))
        #expect(launches(stage.take()) == [])
        stage.pass(pause)
        #expect(launches(stage.take()) == [event.rawValue], "after \(pause) s")
      }
      #expect(!stage.logged.contains { $0.contains("crash") })
    }
  }

  @Test("So is what its user launched, and comes to the front")
  func preventedByUser() {
    var stage = Stage()
    stage.add(Stage.app(launch: .manual))
    stage.say(.control("walker", .launch))
    _ = stage.take()
    stage.tell(.process(.prevented(app: "walker", reason: "the disk is full")))
    #expect(stage.service.engine.state(of: AppID(1)) == .notRunning)
    stage.pass(1)
    #expect(launches(stage.take()) == ["user"])
    #expect(stage.service.engine.state(of: AppID(1)) == .active)
  }

  // MARK: Over restarts

  //  asks to be called by its socket ─ suspended ─ k ─ adopted, frozen ─ woken once
  @Test(
    "A frozen app whose socket went with the daemon is woken by the next one, so that it hands it over"
  )
  func socketLost() {
    var stage = Stage.running(.voip, in: .ios7, saying: [.watchSocket(true)])
    stage.say(.control("walker", .background))
    stage.pass(5)
    var stored = StoredState()
    stored.apps = stage.changes.flatMap(\.addedApps)
    stored.engine = stage.service.engine.snapshot
    for isAdopted in [true, false] {
      var next = Stage(stored, begins: false, at: 5) { $0.rules.era = .ios7 }
      if isAdopted { next.tell(.process(.adopted(app: "walker", pid: 30, isFrozen: true))) }
      next.tell(.began(adopted: isAdopted ? ["walker"] : []))
      let effects = next.take()
      #expect(effects.contains(.thaw("walker")) == isAdopted)
      #expect(next.logged.contains { $0.hasPrefix("called by data on its socket") } == isAdopted)
      next.connect(ClientID(8), pid: 30)
      next.say(.hello(.init(app: "walker")), as: ClientID(8))
      #expect(
        heard(next.take(), by: ClientID(8)).contains(.wake(.socket, seconds: 10)) == isAdopted)
    }
  }

  //  task or handler under way ─ k ─ adopted after its time ─ 5 s to say that it is over
  @Test("An app whose time ended while no service ran has 5 s to say that it is through")
  func endedWithoutService() {
    let connection = ClientID(8)
    let works: [(ClientMessage?, ends: ClientMessage)] = [
      (.beginTask(id: 7, name: "upload"), ends: .endTask(7)),
      (nil, ends: .returned(.push, nil)),
    ]
    for (begins, ends) in works {
      for isThrough in [true, false] {
        var stage = Stage.running(.remoteNotification, saying: begins.map { [$0] } ?? [])
        stage.say(.control("walker", .background))
        if begins == nil { stage.say(.event("walker", .push)) }
        stage.pass(4)
        var stored = StoredState()
        stored.apps = stage.changes.flatMap(\.addedApps)
        stored.engine = stage.service.engine.snapshot
        // A task and a handler have 30 s.
        var next = Stage(stored, begins: false, at: 60)
        next.tell(.process(.adopted(app: "walker", pid: 30, isFrozen: false)))
        next.tell(.began(adopted: ["walker"]))
        #expect(!next.take().contains(.kill("walker")))
        next.connect(connection, pid: 30)
        next.say(.hello(.init(app: "walker")), as: connection)
        if isThrough { next.say(ends, as: connection) }
        next.pass(4.9)
        #expect(!next.take().contains(.kill("walker")))
        next.pass(0.2)
        #expect(next.take().contains(.kill("walker")) == !isThrough)
      }
    }
  }

  //  connects by itself ─ k ─ lives on ─ connects again
  @Test("A program that others started is not said to have ended with the service")
  func foreign() {
    var stage = Stage()
    stage.add(Stage.app(launch: .manual))
    stage.connect(ClientID(7), pid: 30)
    stage.say(.hello(.init(app: "walker")), as: ClientID(7))
    var stored = StoredState()
    stored.apps = stage.changes.flatMap(\.addedApps)
    stored.engine = stage.service.engine.snapshot
    var next = Stage(stored, at: 5)
    #expect(!next.logged.contains { $0.contains("ended") }, "\(next.logged)")
    #expect(
      next.logged.first
        == "left by the service before; one that others started may live on, and counts from its next connection"
    )
    #expect(next.service.engine.state(of: AppID(1)) == .notRunning)
    next.connect(ClientID(8), pid: 30)
    next.say(.hello(.init(app: "walker")), as: ClientID(8))
    #expect(next.logged.contains("process 30, started by somebody else"))
    #expect(next.service.engine.state(of: AppID(1)) == .active)
  }

  //  fetch asked ─ off for half an hour ─ on: launched once, for the fetch
  @Test(
    "A fetch that fell due while the machine was off launches its app when it is on again, once")
  func fetchOverReboot() throws {
    var bench = try ServiceBench()
    var manifest = ServiceBench.manifest("a", .connected)
    manifest.launch = .manual
    manifest.declaration.modes = .fetch
    bench.tell(.began(adopted: []))
    bench.tell(.manifest(bench.newClient(), .read(manifest, missingProgram: nil), id: nil))
    bench.user(.control("a", .launch))
    bench.tell(.process(.started(app: "a", pid: 5)))
    let app = ClientID(100)
    bench.tell(
      .client(.connected(app, .socket(pid: 5, group: 5, uid: 0))),
      .client(.message(app, .hello(.init(app: "a")))),
      .client(.message(app, .setFetchInterval(900))))
    bench.user(.control("a", .background))
    bench.wait(6)
    bench.tell(.timePassed)
    var next = try bench.rebooted(after: 1_900)
    #expect(launches(next.tell(.began(adopted: []))) == ["fetch"])
    #expect(
      next.journal.filter { $0.hasSuffix("called by background fetch, with 30 s") }.count == 1)
    #expect(next.service.engine.state(of: AppID(1)) == .background)
  }

  //  alerted ─ k ─ nothing
  @Test("A notification that was given is not given again by the service after a kill")
  func notification() throws {
    for isActive in [true, false] {
      var bench = try ServiceBench()
      var manifest = ServiceBench.manifest("a", .connected)
      manifest.declaration.mayNotify = true
      bench.tell(.began(adopted: []))
      bench.tell(.manifest(bench.newClient(), .read(manifest, missingProgram: nil), id: nil))
      bench.tell(.process(.started(app: "a", pid: 5)))
      let app = ClientID(100)
      bench.tell(
        .client(.connected(app, .socket(pid: 5, group: 5, uid: 0))),
        .client(.message(app, .hello(.init(app: "a")))))
      if isActive { bench.user(.control("a", .foreground)) }
      var notification = LocalNotification("n")
      notification.fire = UTCInstant(microseconds: 3_000_000)
      // From here on the engine's state is not written for 20 s.
      bench.writeTakes = 1
      bench.tell(.client(.message(app, .schedule(notification))))
      bench.wait(3)
      let effects = bench.tell(
        .timePassed,
        killAfter: { effect in
          switch effect {
          case .notifyUser, .send(.notification, _, _): true
          default: false
          }
        })
      switch effects.last {
      case .notifyUser("a", notification)? where !isActive: break
      case .send(.notification(notification), app, _)? where isActive: break
      default: Issue.record("nobody was told: \(effects)")
      }
      let next = try bench.restarted()
      #expect(next.service.engine.nextNotification == nil, "in front: \(isActive)")
    }
  }

  // MARK: The device

  private static let listener = ServiceBeginning.Listener(
    port: 2_948, service: .continuous, distanceFilter: nil)

  @Test(
    "After a start of the device all runs again that runs by itself; a locked one waits for its user"
  )
  func reboot() {
    for isLocked in [false, true] {
      var stage = Stage(listeners: [Self.listener])
      stage.add(Stage.app())
      stage.tell(.process(.started(app: "walker", pid: 30)))
      stage.add(Stage.handler())
      stage.add(Stage.app("manual", launch: .manual))
      stage.tell(.client(.connected(ClientID(9), .gpsdPort(2_948))))
      stage.say(.watch(isOn: true), as: ClientID(9))
      let listener = AppID(GPSDListenerApp.firstID)
      func states() -> [AppState?] {
        [AppID(1), AppID(2), AppID(3), listener].map { stage.service.engine.state(of: $0) }
      }
      stage.pass(10)
      stage.say(.device(.rebooted(isLocked: isLocked)))
      if isLocked {
        #expect(states() == Array(repeating: .notRunning, count: 4))
        stage.say(.device(.unlocked))
      }
      #expect(states() == [.background, .background, .notRunning, .active])
      #expect(stage.service.engine.plan.isOn, "somebody watches")
    }
  }

  @Test("Memory is taken from processes: a sink, a handler and a port for gpsd clients have none")
  func memory() {
    var declaration = AppDeclaration()
    declaration.authorization = .always
    declaration.declaresLocationMode = true
    let sink = AppManifest(
      name: "track", kind: .sink, command: [], directory: "/opt", declaration: declaration,
      service: .continuous, launch: .atStart, sink: SinkSettings(kind: "file"))
    var stage = Stage(listeners: [Self.listener])
    stage.add(sink)
    stage.add(Stage.handler())
    stage.pass(10)
    _ = stage.take()
    for available in [1.0, 500] {
      stage.tell(.machine(.memoryIsShort(.init(total: 2_000, available: available))))
    }
    #expect(stage.effects == [], "nobody has any to give, and nothing is said of it")
    stage.say(.device(.memoryNeeded(megabytes: 500)))
    #expect(stage.service.engine.state(of: AppID(1)) == .background)
    #expect(stage.service.engine.services(of: AppID(1)) == [.continuous])
  }
}
