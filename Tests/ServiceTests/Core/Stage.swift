// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import Geodesy
import JSONText
import LocationEngine
import LocationModel
import RadioPower
import ServiceContract
import Testing

@testable import ServiceCore

/// A service with a store that accepts everything, and no one else: tests play the world.
struct Stage {
  var service: LocationService
  /// The service's effects since `take`.
  var effects: [ServiceEffect] = []
  /// All written changes.
  var changes: [StoreChange] = []
  var now = ServiceTime(at: .zero, utc: UTCInstant(microseconds: 1_800_000_000_000_000))
  var store = StoreAnswer.writes

  enum StoreAnswer {
    case writes
    case fails(String)
  }

  static let user = ClientID(1)

  init(
    _ stored: StoredState = StoredState(), isStoreRead: Bool = true, begins: Bool = true,
    at seconds: Double = 0, listeners: [ServiceBeginning.Listener] = [],
    _ change: (inout ServiceSettings) -> Void = { _ in }
  ) {
    guard let device = (try? ProfileLibrary.device(named: "pi-zero-ublox7")) ?? nil else {
      preconditionFailure("the profile is part of the package")
    }
    var settings = ServiceSettings(
      release: "test", rules: EngineRules(), policy: .periodic(timeout: 60),
      device: device,
      network: nil)
    settings.newApps = .always
    change(&settings)
    var beginning = ServiceBeginning(
      settings: settings,
      host: ServiceHost(
        pid: 1, boot: "boot", socketPath: "/run/socket", storePath: "/state/milepost.sqlite",
        hasStore: true, freezer: "signals"),
      clock: EngineClock(
        continuing: nil, boot: "boot", bootClock: 0, utc: UTCInstant(microseconds: 0)),
      stored: stored)
    beginning.isStoreRead = isStoreRead
    beginning.listeners = listeners
    now.at = EngineInstant.zero.advanced(bySeconds: seconds)
    service = LocationService(beginning, at: now)
    if begins {
      tell(.began(adopted: []))
      tell(.client(.connected(Self.user, .socket(pid: 2, group: 2, uid: 0))))
      effects = []
    }
  }

  /// Passes one input to the service, and settles its effects.
  mutating func tell(_ input: ServiceInput) {
    service.handle(input, at: now)
    settle()
  }

  mutating func settle() {
    while let decision = service.decide() {
      let outcome: LocationService.CommitOutcome =
        switch store {
        case .writes: .written(seconds: 0)
        case .fails(let words): .failed(words)
        }
      if case .writes = store, let change = decision.change { changes.append(change) }
      effects += service.effects(of: decision, after: outcome)
    }
  }

  /// Lets time pass, from deadline to deadline.
  mutating func pass(_ seconds: Double) {
    let end = now.at.advanced(bySeconds: seconds)
    while let due = service.nextDeadline, due <= end {
      advance(to: max(due, now.at))
      tell(.timePassed)
    }
    advance(to: end)
  }

  private mutating func advance(to instant: EngineInstant) {
    now.utc = now.utc.advanced(bySeconds: EngineInstant.seconds(from: now.at, to: instant))
    now.at = instant
  }

  /// The service's effects since the last call, without the journal.
  mutating func take() -> [ServiceEffect] {
    defer { effects = [] }
    return effects.filter { if case .log = $0 { false } else { true } }
  }

  /// The lines of the journal since the last `take`.
  var journal: [String] {
    effects.compactMap { if case .log(_, let text) = $0 { text } else { nil } }
  }

  /// All lines that were written into the logs of apps.
  var logged: [String] { changes.flatMap(\.log).filter { $0.app != nil }.map(\.text) }

  func explanation(of id: AppID) throws -> ExplanationDocument {
    var service = service
    return try #require(ServiceDocuments(.explanation(id), of: &service).explanationDocument(of: id))
  }

  mutating func say(_ message: ClientMessage, as client: ClientID = user, id: String? = nil) {
    tell(.client(.message(client, message, id: id)))
  }

  mutating func connect(_ client: ClientID, pid: Int32, group: Int32? = nil) {
    tell(.client(.connected(client, .socket(pid: pid, group: group ?? pid, uid: 0))))
  }

  /// A connected app with these modes that runs in the foreground as process 30, after these messages.
  static func running(
    _ modes: BackgroundModes, in era: Era = .usual, as client: ClientID = ClientID(7),
    saying messages: [ClientMessage] = []
  ) -> Stage {
    var manifest = app(launch: .manual)
    manifest.service = nil
    manifest.declaration.modes = modes
    var stage = Stage { $0.rules.era = era }
    stage.add(manifest)
    stage.say(.control("walker", .launch))
    stage.tell(.process(.started(app: "walker", pid: 30)))
    stage.connect(client, pid: 30)
    stage.say(.hello(.init(app: "walker")), as: client)
    for message in messages { stage.say(message, as: client) }
    _ = stage.take()
    return stage
  }

  mutating func add(_ manifest: AppManifest) {
    tell(.manifest(Self.user, .read(manifest, missingProgram: nil), id: nil))
  }

  mutating func fix(east metres: Double = 0) {
    tell(.gpsd(.fix(Self.fix(east: metres, at: now.utc), device: "/dev/gps")))
  }

  static func fix(east metres: Double, at time: UTCInstant) -> Fix {
    let origin = Coordinate(clampingLatitude: 52, wrappingLongitude: 5)
    return Fix(
      time: time, coordinate: LocalFrame(origin: origin).point(east: metres, north: 0),
      horizontalAccuracy: 5)
  }

  static func handler(_ name: String = "moved", timeout: Double = 600) -> AppManifest {
    var declaration = AppDeclaration()
    declaration.authorization = .always
    return AppManifest(
      name: name, kind: .handler, command: ["moved"], directory: "/", declaration: declaration,
      service: .significant, launch: .atStart, timeout: timeout)
  }

  static func app(_ name: String = "walker", launch: AppManifest.Launch = .atStart) -> AppManifest {
    var declaration = AppDeclaration()
    declaration.authorization = .always
    return AppManifest(
      name: name, kind: .connected, command: ["walker"], directory: "/", declaration: declaration,
      service: .significant, launch: launch)
  }
}
