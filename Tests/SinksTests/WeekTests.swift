// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import Foundation
import Geodesy
import Glibc
import JSONText
import LocationEngine
import LocationModel
import RadioPower
import ServiceContract
import ServiceCore
import Settings
import Sinks
import Testing

/// A week in virtual time: two commutes of 44 min and 33.8 km a day (those of `Traces/car-commute.gpx`), each
/// with an hour without the servers around its middle; the sinks and the servers are real.
@Suite("A week of commutes")
struct WeekTests {
  private struct Outcome {
    /// Numbers that each server took, in the order in which it took them.
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
    // The service sees a server elsewhere; what is sent goes to one of the test's.
    let table: [JSONValue.Member] = [
      .init("kind", .string(kind)), .init("url", .string("http://server.example/")),
    ]
    return AppManifest(
      name: name, kind: .sink, command: [], directory: "/", declaration: declaration,
      service: .significant, sink: SinkSettings(.object(table + keys)))
  }

  /// Metres on the way to work at so many seconds of the day, there and back; `nil` at rest.
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

  /// One week of a service with these sinks.
  private struct Week {
    let names: [UInt32: String]
    let sinks: [String: any Sink]
    let servers: [String: StandIn]
    var service: LocationService
    var outcome = Outcome()

    init(
      _ manifests: [AppManifest], sinks: [String: any Sink], servers: [String: StandIn]
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

    /// Tells the service something, and does what it asks for until it asks for nothing more.
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
      if isOut(Int(seconds)) {
        let isReset = batch.app.number % 2 == 0
        // The event, the same again, and the probe.
        let answers =
          isReset ? Array(repeating: #"{"fault":"reset"}"#, count: 3) : [#"{"status":503}"#]
        for answer in answers { try server.plan(answer) }
      }
      do throws(SinkError) {
        let receipt = try await sink.take(batch.deliveries)
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

    /// Lets what is due before this second happen.
    mutating func pass(to second: Int) async throws {
      while let due = service.nextDeadline, due.seconds < Double(second) {
        try await tell([.timePassed], at: max(due.seconds, Double(second) - 10))
        if service.nextDeadline == due { break }
      }
    }
  }

  private static func week(
    _ manifests: [AppManifest], sinks: [String: any Sink], servers: [String: StandIn]
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

  @Test(
    "An hour without servers each day: nothing lost, in order, and what each way of sending costs")
  func week() async throws {
    let (recorder, points) = (try StandIn(isQuiet: true), try StandIn(isQuiet: true))
    let secret = FileManager.default.temporaryDirectory.path + "/week-\(UUID().uuidString)"
    defer { unlink(secret) }
    _ = FileManager.default.createFile(
      atPath: secret, contents: Data("s3cret\n".utf8), attributes: [.posixPermissions: 0o600])
    let sinks = [
      "van": try Self.sink(
        "owntracks", recorder.url + "/pub", .init("user", .string("jane")),
        .init("device", .string("van"))),
      "points": try Self.sink(
        "overland", points.url + "/overland", .init("device", .string("van")),
        .init("token_file", .string(secret))),
    ]
    let servers = ["van": recorder, "points": points]
    let each = Self.manifest("van", "owntracks", [])
    let batch: [JSONValue.Member] = [
      .init("urgent", .bool(false)), .init("max_delay_s", .number(3600)),
      .init("rides", .bool(false)),
    ]
    let tail = Array(batch.dropLast())
    let runs = [
      ("each", [each]), ("batch", [Self.manifest("points", "overland", batch)]),
      ("tail", [Self.manifest("points", "overland", tail), each]),
    ]
    var joules: [String: Double] = [:]
    for (name, manifests) in runs {
      let outcome = try await Self.week(manifests, sinks: sinks, servers: servers)
      #expect(outcome.decided > 100, "\(name)")
      for manifest in manifests {
        let numbers = outcome.taken[manifest.name] ?? []
        #expect(numbers == Array(1...Int(outcome.decided)), "\(name): \(manifest.name)")
      }
      let measured = manifests[0].name
      joules[name] = outcome.energy[measured]
      print(
        "sinks over a week: \(name): \(outcome.decided) events, \(outcome.transfers[measured] ?? 0) "
          + "transfers, \(outcome.energy[measured] ?? 0) J")
    }
    let (alone, gathered, along) = (joules["each"] ?? 0, joules["batch"] ?? 0, joules["tail"] ?? 0)
    #expect(gathered < alone / 2 && along < gathered, "\(joules)")
  }
}
