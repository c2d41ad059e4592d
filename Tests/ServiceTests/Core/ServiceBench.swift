// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import Geodesy
import JSONText
import LocationEngine
import LocationModel
import RadioPower
import ServiceContract
import ServiceCore
import ServiceSimulation
import Testing

/// A service with the store's model, with inputs by hand.
struct ServiceBench {
  private(set) var service: LocationService
  private(set) var store = StoreModel()
  private(set) var journal: [String] = []
  /// Every change that was written.
  private(set) var changes: [StoreChange] = []
  /// The reason why the store accepts nothing now.
  var storeTrouble: String?
  /// Seconds that each write takes, as reported by the store.
  var writeTakes = 0.0
  private(set) var settings: ServiceSettings
  /// Seconds by which the host's clock is ahead of the truth.
  var clockIsAhead = 0.0
  private var seconds = 0.0
  private var clients: UInt64 = 0

  init(
    outboxLimit: Int = 100, retriesFor: Double = 7 * 86_400, network: String? = nil,
    sinks: [AppManifest]? = nil, stored: StoreModel = StoreModel(), boot: String = "b",
    off: Double = 0, zones: [PrivacyZone] = [], keepsFor: Double? = nil,
    hidesFromAll: Bool = false, listeners: [ServiceBeginning.Listener] = []
  ) throws {
    let name = try #require(ProfileLibrary.devices.first)
    var rules = EngineRules()
    rules.era = .today
    rules.zones = zones
    var settings = ServiceSettings(
      release: "1", rules: rules, policy: .periodic(timeout: 60),
      device: try #require(try ProfileLibrary.device(named: name)),
      network: try network.flatMap { try ProfileLibrary.network(named: $0) })
    settings.sinks = sinks
    settings.outboxLimit = outboxLimit
    settings.retriesFor = retriesFor
    settings.keepsFor = keepsFor
    settings.hidesFromAll = hidesFromAll
    self.settings = settings
    store = stored
    let found = stored.load()
    let clock = EngineClock(
      continuing: found.moment, boot: boot, bootClock: found.moment?.bootClock ?? 0,
      utc: (found.moment?.utc ?? UTCInstant(microseconds: 0)).advanced(bySeconds: off))
    var beginning = ServiceBeginning(
      settings: settings,
      host: ServiceHost(
        pid: 1, boot: boot, socketPath: "s", storePath: "d", hasStore: true, freezer: "signals"),
      clock: clock, stored: found)
    beginning.listeners = listeners
    service = LocationService(
      beginning,
      at: ServiceTime(at: clock.start, utc: UTCInstant(microseconds: 0)))
    seconds = clock.start.seconds
  }

  /// The numbers of the last batch that went into a sink.
  private(set) var lastPassed: [UInt64] = []

  /// Reloads the configuration, with these sinks.
  @discardableResult
  mutating func configure(_ sinks: [AppManifest]) -> [ServiceEffect] {
    var settings = service.settings
    settings.sinks = sinks
    return tell(.settings(.read(settings, changes: []), for: nil, id: nil))
  }

  mutating func wait(_ seconds: Double) { self.seconds += seconds }

  /// Passes an input to the service, and returns its effects. `killAfter` stops it at the first effect for which that
  /// is true, which is still performed.
  @discardableResult
  mutating func tell(
    _ inputs: ServiceInput..., killAfter isLast: (ServiceEffect) -> Bool = { _ in false }
  ) -> [ServiceEffect] {
    let time = ServiceTime(
      at: EngineInstant(microseconds: Int64(seconds * 1e6)),
      utc: UTCInstant(microseconds: Int64((seconds + clockIsAhead) * 1e6)))
    for input in inputs { service.handle(input, at: time) }
    var all: [ServiceEffect] = []
    while let decision = service.decide() {
      var outcome = LocationService.CommitOutcome.written(seconds: writeTakes)
      if let change = decision.change {
        if let storeTrouble {
          outcome = .failed(storeTrouble)
        } else {
          store.apply(change)
          changes.append(change)
        }
      }
      for effect in service.effects(of: decision, after: outcome) {
        if case .log(let level, let words) = effect {
          journal.append("\(level): \(words)")
          continue
        }
        if case .sink(.take(let batch)) = effect {
          lastPassed = batch.deliveries.map(\.delivery.sequence)
        }
        all.append(effect)
        if isLast(effect) { return all }
      }
    }
    return all
  }

  /// The next service, after a kill.
  func restarted(outboxLimit: Int = 100, sinks: [AppManifest]? = nil) throws -> ServiceBench {
    try ServiceBench(
      outboxLimit: outboxLimit, sinks: sinks, stored: store, boot: store.load().moment?.boot ?? "b")
  }

  /// The next service, after the machine was switched off for `seconds`.
  func rebooted(after seconds: Double, network: String? = nil) throws -> ServiceBench {
    // Differs from every earlier boot.
    let boot = (store.load().moment?.boot ?? "") + "c"
    return try ServiceBench(network: network, stored: store, boot: boot, off: seconds)
  }

  /// The change that it would write if it ended now.
  mutating func lastChange() -> StoreChange? { service.lastChange() }

  // MARK: What is told

  @discardableResult
  mutating func add(_ name: String, kind: AppManifest.Kind) -> [ServiceEffect] {
    tell(.manifest(newClient(), .read(Self.manifest(name, kind), missingProgram: nil), id: nil))
  }

  static func manifest(_ name: String, _ kind: AppManifest.Kind) -> AppManifest {
    AppManifest(
      name: name, kind: kind, command: ["/bin/\(name)"], directory: "/",
      declaration: AppDeclaration(), service: .significant)
  }

  mutating func newClient() -> ClientID {
    clients += 1
    let client = ClientID(clients)
    tell(.client(.connected(client, .socket(pid: 9, group: 9, uid: 0))))
    return client
  }

  @discardableResult
  mutating func user(_ message: ClientMessage) -> [ServiceEffect] {
    tell(.client(.message(newClient(), message)))
  }

  /// A position of the receiver at that kilometre: the first one after 300 s and 500 m is an event.
  mutating func move(toKilometre kilometre: Double) -> [ServiceEffect] {
    tell(.timePassed)
    return tell(.gpsd(.fix(Self.fix(kilometre), device: "/dev/gps")))
  }

  /// The rows of `SINKS`, by name.
  var sinks: [String: JSONValue] { mutating get { rows("sinks", of: .sinks) } }

  /// The rows of `APPS`, by name.
  var apps: [String: JSONValue] { mutating get { rows("apps", of: .apps) } }

  private mutating func rows(_ key: String, of question: ClientMessage) -> [String: JSONValue] {
    guard case .document(let json)? = user(question).messages.first,
      let document = try? JSONValue.parse(Array(json.utf8).span)
    else { return [:] }
    let rows = document[key]?.array ?? []
    return Dictionary(uniqueKeysWithValues: rows.map { ($0["name"]?.string ?? "", $0) })
  }

  static func fix(_ kilometre: Double) -> Fix {
    Fix(
      time: UTCInstant(microseconds: Int64(kilometre * 1e9)),
      coordinate: Coordinate(
        clampingLatitude: 48 + kilometre / 111.2, wrappingLongitude: 11),
      horizontalAccuracy: 5)
  }
}

extension [ServiceEffect] {
  /// The numbers of the runs that begin.
  var runs: [String] {
    compactMap { effect in
      if case .start(let start) = effect { start.environment["MILEPOST_SEQUENCE"] } else { nil }
    }
  }

  var forgotten: [String] {
    compactMap { if case .forget(let name) = $0 { name } else { nil } }
  }

  /// The documents that were answered, as JSON.
  var documents: [String] {
    messages.compactMap { if case .document(let json) = $0 { json } else { nil } }
  }

  var messages: [ServerMessage] {
    compactMap { if case .send(let message, _, _) = $0 { message } else { nil } }
  }

  /// The numbers of the deliveries that are sent.
  var sent: [UInt64] {
    messages.compactMap {
      if case .location(let delivery, _) = $0 { delivery.sequence } else { nil }
    }
  }

  /// The batches for sinks.
  var batches: [SinkBatch] {
    compactMap { if case .sink(.take(let batch)) = $0 { batch } else { nil } }
  }

  /// The numbers of each batch that goes into a sink.
  var passed: [[UInt64]] { batches.map { $0.deliveries.map(\.delivery.sequence) } }
}
