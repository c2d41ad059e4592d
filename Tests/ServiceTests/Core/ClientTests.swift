// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import LocationModel
import ServiceContract
import Testing

@testable import ServiceCore

@Suite("What an app that connects hears, and in which order")
struct ClientTests {
  private let client = ClientID(7)

  /// The classes of the messages to a client, in order.
  private func told(_ effects: [ServiceEffect], _ client: ClientID) -> [String] {
    effects.compactMap { effect in
      guard case .send(let message, client, _) = effect else { return nil }
      return switch message {
      case .welcome: "welcome"
      case .location(let delivery, _): "location \(delivery.sequence)"
      case .state(let state): "state \(state.rawValue)"
      case .ok: "ok"
      case .error: "error"
      default: "other"
      }
    }
  }

  @Test("Its welcome first, also where an earlier event of the batch has something for it")
  func welcome() {
    var stage = Stage()
    stage.add(Stage.app())
    stage.tell(.process(.started(app: "walker", pid: 30)))
    _ = stage.take()
    // In one batch: a fix for it, and its connection.
    stage.service.handle(
      .gpsd(.fix(Stage.fix(east: 0, at: stage.now.utc), device: "/dev/gps")), at: stage.now)
    stage.service.handle(
      .client(.connected(client, .socket(pid: 30, group: 30, uid: 0))), at: stage.now)
    stage.service.handle(.client(.message(client, .hello(.init(app: "walker")))), at: stage.now)
    stage.settle()
    #expect(told(stage.take(), client) == ["welcome", "state background", "location 1"])
  }

  @Test("Answers come in the order of the questions, each with its id")
  func order() {
    var stage = Stage()
    stage.service.handle(.client(.message(Stage.user, .status, id: "1")), at: stage.now)
    stage.service.handle(
      .client(.malformed(Stage.user, .error(code: .malformed, "no"), id: "2")), at: stage.now)
    stage.service.handle(
      .client(.message(Stage.user, .user(.app("nobody")), id: "3")), at: stage.now)
    stage.settle()
    let ids = stage.take().compactMap { effect in
      if case .send(_, Stage.user, let id) = effect { id } else { nil }
    }
    #expect(ids == ["1", "2", "3"])
  }

  @Test("What a client could not take is sent again once it can")
  func refused() {
    var stage = Stage()
    stage.add(Stage.app())
    stage.tell(.process(.started(app: "walker", pid: 30)))
    stage.connect(client, pid: 30)
    stage.say(.hello(.init(app: "walker")), as: client)
    _ = stage.take()
    stage.fix()
    let sent = stage.take()
    #expect(told(sent, client) == ["location 1"])
    guard case .send(let message, _, _)? = sent.first(where: { told([$0], client) != [] }) else {
      return
    }
    stage.tell(.client(.refused(client, message)))
    #expect(told(stage.take(), client) == [])
    stage.tell(.client(.writable(client)))
    #expect(told(stage.take(), client) == ["location 1"])
  }

  @Test("The name of an app whose process runs is that of its process group alone")
  func name() {
    var stage = Stage.running([], as: client)
    stage.tell(.client(.disconnected(client)))
    _ = stage.take()
    let other = ClientID(8)
    stage.connect(other, pid: 31)
    stage.say(.hello(.init(app: "walker")), as: other)
    let refusal = ServerMessage.error(
      code: .alreadyConnected,
      "'walker' runs as process 30, and process 31 is not part of it")
    #expect(stage.take().contains(.send(refusal, to: other)))
    // A child of the app's own.
    let child = ClientID(9)
    stage.connect(child, pid: 32, group: 30)
    stage.say(.hello(.init(app: "walker")), as: child)
    #expect(told(stage.take(), child).first == "welcome")
  }

  //  removed ── its process says HELLO ── added again ── HELLO ── ended │ the new one is started
  @Test("Names that only connected go, but the newest 16, and those that their user decided about")
  func unregistered() throws {
    var stage = Stage { $0.newApps = .notDetermined }
    stage.add(Stage.app())
    func visit(_ name: String, _ client: UInt64) {
      stage.connect(ClientID(client), pid: Int32(client))
      stage.say(.hello(.init(app: name)), as: ClientID(client))
      stage.tell(.client(.disconnected(ClientID(client))))
    }
    for number in 1...3 { visit("early\(number)", UInt64(50 + number)) }
    stage.say(.authorize("early1", .always, nil))
    stage.say(.authorize("early2", .denied, nil))
    // One that is still connected.
    stage.connect(ClientID(99), pid: 99)
    stage.say(.hello(.init(app: "stays")), as: ClientID(99))
    for number in 0..<737 { visit("flood\(number)", UInt64(100 + number)) }
    let names = Set(stage.service.step.apps.all.map(\.name))
    #expect(
      names
        == Set(
          ["walker", "early1", "early2", "stays"] + (721..<737).map { "flood\($0)" }))
    // They are gone from the store, too.
    let removed = stage.changes.flatMap(\.removedApps).count
    #expect(removed == 737 + 1 - 16)
  }

  @Test("A removed app's process does not take its name while it is being ended")
  func removed() {
    var stage = Stage()
    stage.add(Stage.app())
    stage.tell(.process(.started(app: "walker", pid: 30)))
    stage.say(.remove("walker"))
    _ = stage.take()
    stage.connect(client, pid: 30)
    stage.say(.hello(.init(app: "walker")), as: client)
    #expect(told(stage.take(), client) == ["error"])
    #expect(stage.service.appID(of: "walker") == nil)
    stage.add(Stage.app())
    stage.say(.hello(.init(app: "walker")), as: client)
    let effects = stage.take()
    #expect(told(effects, client) == ["error"] && !effects.starts("walker"))
    stage.tell(.process(.ended(app: "walker", .exited(status: 0))))
    #expect(stage.take().starts("walker"))
    // Then the name is free for the process that has it now.
    stage.tell(.process(.started(app: "walker", pid: 31)))
    stage.connect(ClientID(8), pid: 31)
    stage.say(.hello(.init(app: "walker")), as: ClientID(8))
    #expect(told(stage.take(), ClientID(8)).first == "welcome")
  }
}

extension ClientTests {
  //  connects by itself ── interrupted ── resumed ── connects anew
  @Test("A program started by hand hears its welcome and one state, and each later change")
  func byHand() {
    var stage = Stage()
    stage.connect(client, pid: 40)
    stage.say(.hello(.init(app: "hand")), as: client)
    #expect(told(stage.take(), client) == ["welcome", "state active"])
    stage.say(.control("hand", .interrupt))
    #expect(told(stage.take(), client) == ["state inactive"])
    stage.say(.control("hand", .resume))
    #expect(told(stage.take(), client) == ["state active"])
    // Its connection comes anew: it is another launch.
    stage.tell(.client(.disconnected(client)))
    stage.connect(ClientID(8), pid: 40)
    stage.say(.hello(.init(app: "hand")), as: ClientID(8))
    #expect(told(stage.take(), ClientID(8)) == ["welcome", "state active"])
  }

  @Test("What became of its state before an app connected is told as one state")
  func beforeItConnects() {
    var stage = Stage()
    stage.add(Stage.app(launch: .manual))
    stage.say(.control("walker", .launch))
    stage.tell(.process(.started(app: "walker", pid: 30)))
    stage.connect(client, pid: 30)
    stage.service.handle(
      .client(.message(Stage.user, .control("walker", .interrupt))), at: stage.now)
    stage.service.handle(.client(.message(client, .hello(.init(app: "walker")))), at: stage.now)
    stage.settle()
    #expect(told(stage.take(), client) == ["welcome", "state inactive"])
  }
}

extension [ServiceEffect] {
  /// Whether the process of this app is to start.
  fileprivate func starts(_ app: String) -> Bool {
    contains { if case .start(let start) = $0 { start.app == app } else { false } }
  }
}
