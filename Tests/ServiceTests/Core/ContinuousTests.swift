// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import LocationEngine
import LocationModel
import ServiceContract
import ServiceCore
import ServiceSimulation
import Testing

// Nobody opens a handler or a sink: what its manifest asks for begins without that. Time runs to the right.

@Suite("Handlers and sinks that ask for continuous updates", .serialized)
struct ContinuousTests {
  private static func manifest(
    _ kind: AppManifest.Kind, _ service: Service, _ authorization: Authorization
  ) -> AppManifest {
    var declaration = AppDeclaration()
    declaration.authorization = authorization
    declaration.declaresLocationMode = true
    return AppManifest(
      name: "h", kind: kind, command: kind == .sink ? [] : ["moved"], directory: "/",
      declaration: declaration, service: service,
      sink: kind == .sink ? SinkSettings(kind: "file") : nil)
  }

  private static func update(_ stage: inout Stage, _ manifest: AppManifest) {
    stage.tell(
      .manifest(Stage.user, .read(manifest, missingProgram: nil), id: nil, isUpdate: true))
  }

  private static func services(_ stage: Stage) -> [Service] {
    stage.service.engine.services(of: AppID(1))
  }

  /// Whether the next position is an event.
  private static func hears(_ stage: inout Stage) -> Bool {
    let before = stage.changes.flatMap(\.deliveries).count
    stage.pass(1)
    stage.fix(east: 1_000)
    return stage.changes.flatMap(\.deliveries).count > before
  }

  //  added ─ 5 s ─ suspended ─ (600 s ─ purged) ─ always ─ a position is an event
  @Test(
    "What its user says after it is suspended, or purged, counts at once",
    arguments: [AppManifest.Kind.handler, .sink], [8.0, 700])
  func late(_ kind: AppManifest.Kind, _ seconds: Double) {
    var stage = Stage()
    stage.add(Self.manifest(kind, .continuous, .notDetermined))
    stage.pass(seconds)
    stage.say(.authorize("h", .always))
    #expect(Self.services(stage) == [.continuous])
    #expect(Self.hears(&stage))
    stage.pass(60)
    #expect(Self.hears(&stage))
  }

  //  hears ─ denied ─ 5 s ─ suspended ─ (600 s ─ purged) ─ when in use, or always ─ hears
  @Test(
    "A no that is taken back is over",
    arguments: [Authorization.whenInUse, .always], [3.0, 8, 700])
  func takenBack(_ answer: Authorization, _ seconds: Double) {
    var stage = Stage()
    stage.add(Self.manifest(.handler, .continuous, .always))
    stage.pass(10)
    #expect(Self.hears(&stage))
    stage.say(.authorize("h", .denied))
    stage.pass(seconds)
    #expect(!Self.hears(&stage))
    stage.say(.authorize("h", answer))
    #expect(Self.hears(&stage))
    stage.pass(60)
    #expect(Self.hears(&stage))
  }

  //  significant ─ suspended ─ (600 s ─ purged) ─ an update: continuous ─ hears ─ an update: significant
  @Test(
    "Another service in its manifest is the one that it has from then on",
    arguments: [Authorization.whenInUse, .always], [3.0, 8, 700])
  func otherService(_ authorization: Authorization, _ seconds: Double) {
    var stage = Stage()
    stage.add(Self.manifest(.handler, .significant, authorization))
    stage.pass(seconds)
    Self.update(&stage, Self.manifest(.handler, .continuous, authorization))
    #expect(Self.services(stage) == [.continuous])
    #expect(Self.hears(&stage))
    stage.pass(60)
    #expect(Self.hears(&stage))
    Self.update(&stage, Self.manifest(.handler, .significant, authorization))
    #expect(Self.services(stage) == [.significant])
  }

  //  an app ─ suspended ─ always: still suspended, as on a phone ─ its user opens it ─ hears
  @Test("An app's user is told to bring it to the front, or to launch it")
  func connected() throws {
    var stage = Stage()
    stage.add(Self.manifest(.connected, .continuous, .notDetermined))
    stage.tell(.process(.started(app: "h", pid: 30)))
    stage.pass(8)
    stage.say(.authorize("h", .always))
    let suspended = try Self.explanation(&stage)
    #expect(suspended.text.hasPrefix("it is suspended, and continuous updates wake nobody"))
    #expect(suspended.advice == "milepost apps foreground h")
    stage.say(.control("h", .foreground))
    stage.say(.control("h", .background))
    stage.pass(60)
    #expect(Self.hears(&stage))
    stage.tell(.process(.ended(app: "h", .exited(status: 0))))
    let gone = try Self.explanation(&stage)
    #expect(gone.text == "it is not running, and continuous updates relaunch nobody")
    #expect(gone.advice == "milepost apps launch h")
  }

  private static func explanation(_ stage: inout Stage) throws -> ExplanationDocument {
    _ = stage.take()
    stage.say(.explain("h"))
    let documents: [String] = stage.take().compactMap { effect in
      if case .send(.document(let json), _, _) = effect { json } else { nil }
    }
    return try ExplanationDocument(json: try #require(documents.first))
  }

  //  suspended ─ always │ k (the engine's state was not yet written)      next service: hears
  @Test("A yes that is stored counts for the next service, whatever it finds of the engine's state")
  func killed() throws {
    var bench = try ServiceBench()
    bench.tell(.began(adopted: []))
    bench.writeTakes = 10
    let manifest = Self.manifest(.handler, .continuous, .notDetermined)
    bench.tell(.manifest(bench.newClient(), .read(manifest, missingProgram: nil), id: nil))
    bench.wait(6)
    bench.tell(.timePassed)
    bench.user(.authorize("h", .always))
    #expect(bench.store.app(AppID(1))?.authorization == .always)
    var next = try bench.restarted()
    next.tell(.began(adopted: []))
    next.wait(60)
    #expect(next.move(toKilometre: 1).runs == ["1"])
  }
}
