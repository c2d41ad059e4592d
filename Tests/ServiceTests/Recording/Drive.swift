// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import Geodesy
import LocationEngine
import LocationModel
import ServiceContract
import ServiceCore
import TraceFiles

/// A seeded run of a service with all kinds of events, as a recorder would see it: apps, a handler, a sink, users,
/// gpsd, a modem, a store that fails now and then.
struct Drive {
  private(set) var shell: Shell
  private var random: SplitMix64
  private var place = (latitude: 45.5, longitude: 13.5)
  private var waiting: [ServiceInput] = []

  var bytes: [UInt8] { shell.bytes }

  init(
    seed: UInt64, steps: Int, policy: SignificantPolicy = .ios, hasStore: Bool = true
  ) throws {
    random = SplitMix64(seed: seed)
    var settings = try Shell.settings(policy)
    settings.rules.era = .ios13
    settings.rules.lifecycle.purgesAfter = 90
    settings.wantsModem = true
    var beginning = Shell.beginning(settings, at: Shell.start, hasStore: hasStore)
    beginning.listeners = [.init(port: 2_950, service: .standard, distanceFilter: 25)]
    shell = try Shell(beginning)
    for input in try opening(settings) { try tell(input) }
    while shell.inputs < steps {
      shell.wait(Double(random.below(4_000_000)) / 1e6)
      place.latitude += Double(random.below(1_000)) * 1e-6
      place.longitude += Double(random.below(997)) * 1.3e-6
      let number = random.below(10)
      shell.outcome =
        hasStore
        ? number == 0 ? .failed("the disk is full") : .written(seconds: Double(number) / 1e3)
        : .noStore
      try tell(waiting.isEmpty || random.below(3) == 0 ? draw(settings) : waiting.removeFirst())
    }
    try shell.finish()
  }

  private func opening(_ settings: ServiceSettings) throws -> [ServiceInput] {
    let user = ClientID(1)
    var continuous = AppDeclaration()
    continuous.declaresLocationMode = true
    let manifests = [
      AppManifest(
        name: "walker", kind: .connected, command: ["/opt/walker"],
        environment: ["A": "1", "B": "2"], directory: "/opt", declaration: AppDeclaration(),
        service: .significant),
      AppManifest(
        name: "logger", kind: .handler, command: ["/opt/log", "-v"], directory: "/opt",
        declaration: AppDeclaration(), service: .significant, timeout: 5),
      AppManifest(
        name: "tracks", kind: .sink, command: [], directory: "/opt",
        declaration: AppDeclaration(), service: .significant, sink: SinkSettings(kind: "file")),
      AppManifest(
        name: "navigator", kind: .connected, command: ["/opt/navi"], directory: "/opt",
        declaration: continuous, service: .continuous, launch: .manual),
    ]
    return [
      .began(adopted: []),
      .gpsd(.link(.connected(release: "3.25", protocolMajor: 3, protocolMinor: 15))),
      .client(.connected(user, .socket(pid: 7, group: nil, uid: 0))),
      .client(.connected(ClientID(2), .gpsdPort(2_950))),
      .client(.message(ClientID(2), .watch(isOn: true))),
    ] + manifests.map { .manifest(user, .read($0, missingProgram: nil), id: "add") }
      + [.client(.message(user, .control("navigator", .launch)))]
  }

  private mutating func tell(_ input: ServiceInput) throws {
    for effect in try shell.give(input) { answer(effect) }
  }

  /// The world's reaction to an effect, some time later.
  private mutating func answer(_ effect: ServiceEffect) {
    switch effect {
    case .start(let start) where random.below(8) == 0:
      waiting.append(.process(.prevented(app: start.app, reason: "no descriptors")))
    case .start(let start):
      let pid = Int32(100 + random.below(900))
      waiting.append(.process(.started(app: start.app, pid: pid)))
      if start.input != nil {
        waiting.append(
          .process(.ended(app: start.app, .exited(status: Int32(random.below(2))))))
      } else {
        let client = ClientID(UInt64(100 + shell.inputs))
        waiting.append(.client(.connected(client, .socket(pid: pid, group: pid, uid: 0))))
        waiting.append(.client(.message(client, .hello(.init(app: start.app)))))
      }
    case .sink(.take(let batch)):
      guard let last = batch.deliveries.last?.delivery.sequence else { return }
      waiting.append(
        .sink(
          random.below(3) == 0
            ? .failed(batch.app, upTo: last, reason: "nobody answers")
            : .took(batch.app, upTo: last)))
    case .freeze(let app): waiting.append(.process(.frozen(app: app)))
    case .thaw(let app): waiting.append(.process(.thawed(app: app)))
    case .end(let app, _), .kill(let app):
      waiting.append(.process(.ended(app: app, .signalled(15))))
    case .send(.location(let delivery, _), let client, _):
      waiting.append(.client(.message(client, .acknowledge(delivery.sequence))))
    case .send(let message, let client, _) where random.below(30) == 0:
      waiting.append(.client(.refused(client, message)))
    default: break
    }
  }

  private mutating func draw(_ settings: ServiceSettings) -> ServiceInput {
    let app = ["walker", "logger", "navigator", "tracks", "nobody"][random.below(5)]
    let fix = Fix(
      time: shell.time.utc,
      coordinate: Coordinate(
        clampingLatitude: place.latitude, wrappingLongitude: place.longitude),
      horizontalAccuracy: Double(1 + random.below(40)), speed: Double(random.below(300)) / 7)
    let user = ClientID(1)
    switch random.below(40) {
    case 0: return .modem(.cell(Self.cell(random.below(3)), previous: Self.cell(9)))
    case 1: return .client(.message(user, .status, id: "s\(random.below(100))"))
    case 2: return .client(.message(user, .explain(app)))
    case 3: return .client(.message(user, .user(.app(app))))
    case 4: return .client(.message(user, .control(app, .background)))
    case 5: return .client(.message(user, .control(app, .foreground)))
    case 6: return .client(.message(user, .control(app, .launch)))
    case 7: return .client(.message(user, .log(app, count: 20)))
    case 8: return .process(.ended(app: app, .signalled(11)))
    case 9: return .gpsd(.searching(device: "/dev/ttyACM0"))
    case 10: return .gpsd(.link(.lost(reason: "it went away", retryAfter: 1.5)))
    case 11:
      return .gpsd(.link(.connected(release: "3.25", protocolMajor: 3, protocolMinor: 15)))
    case 12: return .client(.message(user, .authorize(app, .whenInUse)))
    case 13: return .client(.message(user, .authorize(app, .always)))
    case 14: return .client(.connected(ClientID(9), .socket(pid: 500, group: 500, uid: 1)))
    case 15: return .client(.message(ClientID(9), .hello(.init(app: "stranger"))))
    case 16: return .client(.message(ClientID(9), .start(.init(.standard))))
    case 17: return .client(.disconnected(ClientID(9)))
    case 18: return .settings(.read(settings, changes: ["nothing"]), for: user, id: nil)
    case 19...24: return .timePassed
    default: return .gpsd(.fix(fix, device: "/dev/ttyACM0"))
    }
  }

  static func cell(_ number: Int) -> CellIdentity {
    CellIdentity(country: 293, network: 41, area: 7, cell: UInt32(1 + number), trackingArea: 0)
  }
}
