// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import Geodesy
import JSONText
import LocationModel
import ServiceContract

/// An app as its author wrote it.
struct AppScript: Sendable {
  let manifest: AppManifest
  /// The requests of a connected app after its welcome.
  var wishes: [ClientMessage] = []
  /// Whether it reports that it has finished a wake.
  var saysDone = false
  /// The duration of a handler, seconds.
  var duration = 1.0

  /// Whether it is never registered: it connects by itself.
  var isStranger: Bool { manifest.kind == .connected && manifest.command.isEmpty }
}

/// A process, ours or a foreign one.
struct SimulatedProcess: Sendable {
  let pid: Int32
  let name: String
  /// The app's number when it was started; `nil` for a foreign one.
  let app: AppID?
  /// The delivery of a run; `nil` for a connected app.
  var run: UInt64?
  var hasBegun = false
  var isFrozen = false
  /// The number of its freezes: a hold applies to one of them.
  var freezes = 0
  var connection: ClientID?
  var isHung = false
  var isEnding = false
  var ignoresEnd = false
  /// Steps and messages that wait for its thaw.
  var deferred: [ProcessStep] = []
  var unread: [(ClientID, ServerMessage)] = []
  /// Orders that came before it began.
  var orders: [KeeperOrder] = []

  var isOurs: Bool { app != nil }
}

enum KeeperOrder: Sendable {
  case freeze
  case thaw
  case end(grace: Double)
  case kill
}

/// The report of a keeper, or its file, about an ended app.
struct KeeperNote: Sendable {
  let ending: ProcessEvent
  /// The delivery of its run.
  let run: DeliveryKey?
  /// The same, if it ended well and the reader of the store knows which it was.
  let goodRun: DeliveryKey?
}

extension AppScript {
  /// The apps of a run.
  static func cast(_ chance: inout Chance) -> [AppScript] {
    let count = 1 + chance.below(4)
    return (0..<count).map { number in
      switch chance.below(10) {
      case 0..<3: handler("handler\(number)", &chance)
      case 3: sink("sink\(number)", &chance)
      case 4..<9: connected("app\(number)", &chance)
      default: stranger("stranger\(number)", &chance)
      }
    }
  }

  private static func declaration(_ chance: inout Chance) -> AppDeclaration {
    var declaration = AppDeclaration()
    declaration.authorization = chance.pick([.always, .always, .always, .always, .whenInUse])
    declaration.declaresLocationMode = chance.happens(0.3)
    declaration.exitsOnSuspend = chance.happens(0.05)
    return declaration
  }

  /// The declaration of a handler or a sink, whose service may become continuous.
  private static func nonResident(_ chance: inout Chance) -> AppDeclaration {
    var declaration = declaration(&chance)
    declaration.exitsOnSuspend = false
    declaration.declaresLocationMode = true
    return declaration
  }

  /// The service of a handler or a sink; rarely one that keeps the receiver on.
  static func service(_ chance: inout Chance) -> Service {
    chance.happens(0.1) ? .continuous : .significant
  }

  private static let rareUpdates: StandardRequest = {
    var request = StandardRequest()
    request.distanceFilter = 1_000
    return request
  }()

  private static func handler(_ name: String, _ chance: inout Chance) -> AppScript {
    let declaration = nonResident(&chance)
    var script = AppScript(
      manifest: AppManifest(
        name: name, kind: .handler, command: ["/bin/\(name)"], directory: "/",
        declaration: declaration, service: service(&chance), request: rareUpdates,
        launch: .atStart, timeout: chance.pick([30, 120, 600])))
    script.duration = chance.logBetween(0.02, 8)
    return script
  }

  private static func sink(_ name: String, _ chance: inout Chance) -> AppScript {
    let declaration = nonResident(&chance)
    var manifest = AppManifest(
      name: name, kind: .sink, command: [], directory: "/", declaration: declaration,
      service: service(&chance), request: rareUpdates, sink: sinkSettings(&chance))
    manifest.places.visits = true
    return AppScript(manifest: manifest)
  }

  /// A file or a server, in a hurry or not.
  private static func sinkSettings(_ chance: inout Chance) -> SinkSettings {
    guard chance.happens(0.6) else { return SinkSettings(kind: "file") }
    var table: [JSONValue.Member] = [
      .init("kind", .string("webhook")), .init("url", .string("https://server.example/in")),
      .init("heartbeat_s", .number(600)),
    ]
    if chance.happens(0.5) {
      table += [
        .init("urgent", .bool(false)), .init("max_delay_s", .number(chance.pick([60, 900]))),
        .init("rides", .bool(chance.happens(0.5))),
      ]
    }
    return SinkSettings(.object(table))
  }

  private static func connected(_ name: String, _ chance: inout Chance) -> AppScript {
    var script = AppScript(
      manifest: AppManifest(
        name: name, kind: .connected, command: ["/bin/\(name)"], directory: "/",
        declaration: declaration(&chance), service: chance.pick([.significant, .significant, nil]),
        launch: chance.pick([.atStart, .atStart, .manual])))
    script.wishes = wishes(&chance)
    script.saysDone = chance.happens(0.5)
    return script
  }

  /// An unregistered app, which connects by itself.
  private static func stranger(_ name: String, _ chance: inout Chance) -> AppScript {
    var script = AppScript(
      manifest: AppManifest(
        name: name, kind: .connected, command: [], directory: "/", declaration: AppDeclaration(),
        service: nil, launch: .manual))
    script.wishes = wishes(&chance)
    return script
  }

  /// A circle near the start of the walk.
  private static func region(_ chance: inout Chance) -> MonitoredRegion {
    let start = LocalFrame(origin: Coordinate(clampingLatitude: 48, wrappingLongitude: 11))
    let centre = start.point(
      east: chance.between(-3_000, 3_000), north: chance.between(-3_000, 3_000))
    return MonitoredRegion(
      "region\(chance.below(3))", centre: centre, radius: chance.logBetween(100, 5_000),
      notifiesOnEntry: chance.happens(0.9), notifiesOnExit: chance.happens(0.9))
  }

  private static func wishes(_ chance: inout Chance) -> [ClientMessage] {
    var wishes: [ClientMessage] = []
    if chance.happens(0.8) { wishes.append(.start(.init(.significant))) }
    if chance.happens(0.1) {
      var request = StandardRequest()
      request.distanceFilter = chance.pick([nil, 10, 100])
      request.pausesAutomatically = chance.happens(0.5)
      wishes.append(.start(.init(.standard, request)))
    }
    if chance.happens(0.1) { wishes.append(.monitorMotion(true)) }
    if chance.happens(0.1) { wishes.append(.requestLocation()) }
    if chance.happens(0.1) { wishes.append(.requestAuthorization(.always)) }
    if chance.happens(0.1) { wishes.append(.watch(isOn: true)) }
    if chance.happens(0.3) { wishes.append(.monitorRegion(region(&chance))) }
    if chance.happens(0.1) { wishes.append(.monitorVisits(true)) }
    return wishes
  }
}
