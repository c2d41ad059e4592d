// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import Foundation
import Geodesy
import JSONText
import LocationEngine
import LocationModel
import RadioPower
import ServiceContract
import ServiceCore
import ServiceSimulation
import Sinks
import Testing

/// A week in virtual time: two commutes of 44 min and 33.8 km a day (those of `Traces/car-commute.gpx`), each
/// with an hour without the servers around its middle; the sinks and the servers are real.
@Suite("A week of commutes")
struct WeekTests {
  private struct Outcome {
    /// The numbers that each sink reported as accepted by its server, in that order.
    var taken: [String: [Int]] = [:]
    var decided: UInt64 = 0
    /// Joules by sink, nominal.
    var energy: [String: Double] = [:]
    var transfers: [String: Int] = [:]
  }

  private static let days = 7

  private static func manifest(_ name: String, _ kind: String, _ keys: [JSONValue.Member])
    -> AppManifest
  {
    var declaration = AppDeclaration()
    declaration.authorization = .always
    // The service sees a remote server; the requests go to one of the test's.
    let table: [JSONValue.Member] = [
      .init("kind", .string(kind)), .init("url", .string("http://server.example/")),
    ]
    return AppManifest(
      name: name, kind: .sink, command: [], directory: "/", declaration: declaration,
      service: .significant, sink: SinkSettings(.object(table + keys)))
  }

  /// Metres on the way to work at that second of the day, there and back; `nil` at rest.
  private static func way(at second: Int) -> Double? {
    let (ride, length) = (2640, 33_800.0)
    for (start, isBack) in [(6 * 3600 + 1800, false), (17 * 3600, true)] {
      guard (start...start + ride).contains(second) else { continue }
      let share = Double(second - start) / Double(ride)
      return length * (isBack ? 1 - share : share)
    }
    return nil
  }

  /// The servers are gone for half an hour before and after the middle of the ride to work.
  private static func isOut(_ second: Int) -> Bool {
    let middle = 6 * 3600 + 1800 + 1320
    return (middle - 1800..<middle + 1800).contains(second % 86_400)
  }

  /// A server of a sink, which fails for a while.
  private enum Server {
    case standIn(StandIn)
    case recorder(RecorderProcess)

    /// The next request finds it away, or there again; each time in the other way of being away.
    func isAway(_ isAway: Bool, resets: Bool) throws {
      switch (self, isAway) {
      case (.standIn(let server), true):
        // The event, the same again, and the probe.
        let answers =
          resets ? Array(repeating: #"{"fault":"reset"}"#, count: 3) : [#"{"status":503}"#]
        for answer in answers { try server.plan(answer) }
      case (.standIn, false): break
      case (.recorder(let recorder), true): recorder.end()
      case (.recorder(let recorder), false): if !recorder.isRunning { try recorder.start() }
      }
    }
  }

  /// One week of a service with these sinks.
  private struct Week {
    let names: [UInt32: String]
    let sinks: [String: any Sink]
    let servers: [String: Server]
    var service: LocationService
    var outcome = Outcome()

    init(
      _ manifests: [AppManifest], sinks: [String: any Sink], servers: [String: Server]
    ) throws {
      self.sinks = sinks
      self.servers = servers
      names = Dictionary(
        uniqueKeysWithValues: manifests.enumerated().map {
          (UInt32($0.offset + 1), $0.element.name)
        })
      var rules = EngineRules()
      rules.era = .today
      let device = try #require(ProfileLibrary.devices.first)
      let settings = ServiceSettings(
        release: "1", rules: rules, policy: .periodic(timeout: 60),
        device: try #require(try ProfileLibrary.device(named: device)),
        network: try ProfileLibrary.network(named: "lte-2021-verizon"))
      let clock = EngineClock(continuing: nil, boot: "b", bootClock: 0, utc: .epoch)
      service = LocationService(
        ServiceBeginning(
          settings: settings,
          host: ServiceHost(
            pid: 1, boot: "b", socketPath: "s", storePath: "d", hasStore: true, freezer: "signals"),
          clock: clock, stored: StoreModel().load()),
        at: Self.time(0))
    }

    static func time(_ seconds: Double) -> ServiceTime {
      ServiceTime(
        at: EngineInstant(microseconds: Int64(seconds * 1e6)),
        utc: UTCInstant(microseconds: Int64(seconds * 1e6)))
    }

    /// Passes inputs to the service, and performs its effects until there are no more.
    mutating func tell(_ inputs: [ServiceInput], at seconds: Double) async throws {
      var inputs = inputs
      repeat {
        for input in inputs { service.handle(input, at: Self.time(seconds)) }
        inputs = []
        while let decision = service.decide() {
          for effect in service.effects(of: decision, after: .written(seconds: 0)) {
            if case .sink(.take(let batch)) = effect {
              inputs += try await take(batch, at: seconds)
            }
            if case .send(.document(let json), _, _) = effect { try read(json) }
          }
        }
      } while !inputs.isEmpty
    }

    private mutating func take(_ batch: SinkBatch, at seconds: Double) async throws
      -> [ServiceInput]
    {
      guard let name = names[batch.app.number], let sink = sinks[name],
        let server = servers[name]
      else { return [] }
      let numbers = batch.deliveries.map(\.delivery.sequence)
      let last = numbers.last ?? 0
      outcome.decided = max(outcome.decided, last)
      try server.isAway(isOut(Int(seconds)), resets: batch.app.number % 2 == 0)
      do throws(SinkError) {
        let receipt = try await sink.send(batch.deliveries)
        outcome.taken[name, default: []] += numbers.map { Int($0) }
        return [.sink(.took(batch.app, upTo: last, traffic: receipt.traffic))]
      } catch {
        let passed = error.passed ?? 0
        outcome.taken[name, default: []] += numbers.filter { $0 <= passed }.map { Int($0) }
        return [
          .sink(
            .failed(
              batch.app, upTo: last, reason: error.message, fault: error.fault,
              passed: error.passed, traffic: error.traffic))
        ]
      }
    }

    private mutating func read(_ json: String) throws {
      for row in try JSONValue.parse(json)["sinks"]?.array ?? [] {
        let name = row["name"]?.string ?? ""
        outcome.energy[name] = row["energy_j"]?.number
        outcome.transfers[name] = row["transfers"]?.number.map { Int($0) }
        #expect(row["pending"]?.number == 0 && row["given_up"]?.number == 0, "\(row)")
      }
    }

    /// Lets everything due before this second happen.
    mutating func pass(to second: Int) async throws {
      while let due = service.nextDeadline, due.seconds < Double(second) {
        try await tell([.timePassed], at: max(due.seconds, Double(second) - 10))
        if service.nextDeadline == due { break }
      }
    }
  }

  private static func week(
    _ manifests: [AppManifest], sinks: [String: any Sink], servers: [String: Server]
  ) async throws -> Outcome {
    var week = try Week(manifests, sinks: sinks, servers: servers)
    let user = ClientID(1)
    try await week.tell(
      [.began(adopted: []), .client(.connected(user, .socket(pid: 9, group: 9, uid: 0)))]
        + manifests.map { .manifest(user, .read($0, missingProgram: nil), id: nil) }, at: 0)
    for second in stride(from: 10, to: days * 86_400 + 7200, by: 10) {
      try await week.pass(to: second)
      guard second < days * 86_400, let way = way(at: second % 86_400) else { continue }
      let fix = Fix(
        time: UTCInstant(microseconds: Int64(second) * 1_000_000),
        coordinate: Coordinate(clampingLatitude: 48 + way / 111_200, wrappingLongitude: 11),
        horizontalAccuracy: 5)
      try await week.tell([.gpsd(.fix(fix, device: "/dev/gps"))], at: Double(second))
    }
    try await week.tell([.client(.message(user, .sinks))], at: Double(days) * 86_400 + 7200)
    return week.outcome
  }

  private static func sink(_ kind: String, _ url: String, _ keys: JSONValue.Member...) throws
    -> any Sink
  {
    try SinkKind.sink(
      SinkSettings(
        .object([.init("kind", .string(kind)), .init("url", .string(url))] + keys)), file: "m",
      directory: "/")
  }

  private static let batch: [JSONValue.Member] = [
    .init("urgent", .bool(false)), .init("max_delay_s", .number(3600)),
    .init("rides", .bool(false)),
  ]

  /// The manifests of a measured sink, and of one that it rides along with.
  private static func manifests(of name: String, _ kind: String, _ way: String) -> [AppManifest] {
    let (other, otherKind) = name == "van" ? ("points", "overland") : ("van", "owntracks")
    return switch way {
    case "each": [manifest(name, kind, [])]
    case "batch": [manifest(name, kind, batch)]
    default: [manifest(name, kind, Array(batch.dropLast())), manifest(other, otherKind, [])]
    }
  }

  /// Runs a week of each mode of sending for a sink, and expects all to have come in order; returns the cost of each.
  private static func joules(
    of name: String, _ kind: String, sinks: [String: any Sink], servers: [String: Server],
    check: (Outcome) throws -> Void = { _ in }
  ) async throws -> [String: Double] {
    var joules: [String: Double] = [:]
    for way in ["each", "batch", "tail"] {
      let manifests = manifests(of: name, kind, way)
      let outcome = try await week(manifests, sinks: sinks, servers: servers)
      #expect(outcome.decided > 100, "\(way)")
      for manifest in manifests {
        let numbers = outcome.taken[manifest.name] ?? []
        #expect(numbers == Array(1...Int(outcome.decided)), "\(way): \(manifest.name)")
      }
      try check(outcome)
      joules[way] = outcome.energy[name]
      print(
        "sinks over a week: \(kind) \(way): \(outcome.decided) events, "
          + "\(outcome.transfers[name] ?? 0) transfers, \(outcome.energy[name] ?? 0) J")
    }
    return joules
  }

  private static func overland(_ server: StandIn, _ folder: String) throws -> any Sink {
    try sink(
      "overland", server.url + "/overland", .init("device", .string("van")),
      .init("token_file", .string(Samples.file("token", in: folder, "s3cret\n"))))
  }

  private static func ownTracks(_ url: String) throws -> any Sink {
    try sink(
      "owntracks", url + "/pub", .init("user", .string("jane")), .init("device", .string("van")))
  }

  @Test(
    "An hour without servers each day: nothing lost, in order, and what each way of sending costs",
    arguments: [("van", "owntracks"), ("points", "overland")])
  func week(_ name: String, _ kind: String) async throws {
    try await Samples.withFolder { folder in
      let (recorder, points) = (try StandIn(isQuiet: true), try StandIn(isQuiet: true))
      let sinks = [
        "van": try Self.ownTracks(recorder.url), "points": try Self.overland(points, folder),
      ]
      let joules = try await Self.joules(
        of: name, kind, sinks: sinks,
        servers: ["van": .standIn(recorder), "points": .standIn(points)])
      let (alone, gathered, along) = (
        joules["each"] ?? 0, joules["batch"] ?? 0, joules["tail"] ?? 0
      )
      #expect(gathered < alone / 2 && along < gathered, "\(joules)")
    }
  }

  @Test(
    "A real Recorder that is killed for an hour each day has each position once, in order",
    .enabled(if: RecorderProcess.installed != nil, RecorderProcess.missing))
  func recorder() async throws {
    try await Samples.withFolder { folder in
      let points = try StandIn(isQuiet: true)
      let recorder = try RecorderProcess(in: folder)
      let sinks = [
        "van": try Self.ownTracks(recorder.url), "points": try Self.overland(points, folder),
      ]
      var known = 0
      _ = try await Self.joules(
        of: "van", "owntracks", sinks: sinks,
        servers: ["van": .recorder(recorder), "points": .standIn(points)]
      ) { outcome in
        let all = try recorder.positions(of: "jane", "van").dropFirst(known)
        known += all.count
        // The sink is app 1 of each week.
        #expect(all.map { $0["_id"]?.string } == (1...Int(outcome.decided)).map { "1-\($0)" })
      }
    }
  }
}
