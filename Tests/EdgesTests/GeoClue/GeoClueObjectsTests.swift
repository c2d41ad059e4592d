// SPDX-License-Identifier: Apache-2.0

import Geodesy
import LocationModel
import ServiceContract
import Testing

@testable import MessageBus

// Answers and errors are those of GeoClue 2.6.0-2+deb12u1 for the same calls on a private bus (GDBus 2.74.6).

@Suite("GeoClue's objects, as GeoClue has them")
struct GeoClueObjectsTests {
  private static let manager = "/org/freedesktop/GeoClue2/Manager"
  private static let client = "/org/freedesktop/GeoClue2/Client/1"

  /// A program's side.
  private struct Program {
    var objects = GeoClueObjects(user: 1_000)
    var effects: [GeoClueEffect] = []

    mutating func call(
      _ path: String, _ interface: String, _ member: String, _ arguments: [BusValue] = [],
      from sender: String = ":1.5"
    ) throws(BusRefusal) -> [BusValue] {
      try objects.answer(
        GeoClueCall(
          token: 1, sender: sender, path: path, interface: interface, member: member,
          signature: arguments.map(\.signature).joined(), arguments: arguments), into: &effects)
    }

    mutating func set(_ name: String, _ value: BusValue) throws(BusRefusal) {
      _ = try call(
        GeoClueObjectsTests.client, "org.freedesktop.DBus.Properties", "Set",
        [.string("org.freedesktop.GeoClue2.Client"), .string(name), .variant(value)])
    }

    mutating func client(_ member: String, from sender: String = ":1.5") throws(BusRefusal) {
      _ = try call(
        GeoClueObjectsTests.client, "org.freedesktop.GeoClue2.Client", member, from: sender)
    }

    mutating func manager(_ member: String, _ arguments: [BusValue] = []) throws(BusRefusal)
      -> [BusValue]
    {
      try call(
        GeoClueObjectsTests.manager, "org.freedesktop.GeoClue2.Manager", member, arguments)
    }

    mutating func get(
      _ path: String, _ interface: String, _ name: String, from sender: String = ":1.5"
    ) throws(BusRefusal) -> [BusValue] {
      try call(
        path, "org.freedesktop.DBus.Properties", "Get", [.string(interface), .string(name)],
        from: sender)
    }

    mutating func takeEffects() -> [GeoClueEffect] {
      defer { effects = [] }
      return effects
    }

    var events: [GeoClueEvent] {
      effects.compactMap { if case .event(let event) = $0 { event } else { nil } }
    }
  }

  /// The error that a call ends with, as `Name: words`.
  private func error(_ body: () throws -> Void) -> String {
    do {
      try body()
      return "no error"
    } catch let refusal as BusRefusal {
      return "\(refusal.name): \(refusal.text)"
    } catch {
      return "\(error)"
    }
  }

  private func started() throws -> Program {
    var program = Program()
    _ = try program.manager("GetClient")
    try program.set("DesktopId", .string("probe"))
    try program.set("RequestedAccuracyLevel", .uint32(8))
    try program.client("Start")
    return program
  }

  @Test("A connection has one client of GetClient, and as many of CreateClient as it makes")
  func clients() throws {
    var program = Program()
    #expect(try program.manager("GetClient") == [.path(Self.client)])
    #expect(try program.manager("GetClient") == [.path(Self.client)])
    #expect(
      try program.manager("CreateClient") == [.path("/org/freedesktop/GeoClue2/Client/2")])
    let properties = try program.call(
      Self.client, "org.freedesktop.DBus.Properties", "GetAll",
      [.string("org.freedesktop.GeoClue2.Client")])
    #expect(
      properties == [
        .properties([
          ("Location", .path("/")), ("DistanceThreshold", .uint32(0)),
          ("TimeThreshold", .uint32(0)), ("DesktopId", .string("")),
          ("RequestedAccuracyLevel", .uint32(4)), ("Active", .flag(false)),
        ])
      ])
    // Another client's path, or an invalid one, is no error.
    #expect(try program.manager("DeleteClient", [.path("/x")]) == [])
    #expect(try program.manager("DeleteClient", [.path(Self.client)]) == [])
    #expect(try program.manager("GetClient") == [.path("/org/freedesktop/GeoClue2/Client/3")])
  }

  @Test("What is wrong is said in GeoClue's words")
  func errors() throws {
    var program = Program()
    _ = try program.manager("GetClient")
    let prefix = "org.freedesktop.DBus.Error."
    #expect(
      error { try program.client("Start") }
        == prefix + "AccessDenied: 'DesktopId' property must be set")
    #expect(
      error { try program.set("DistanceThreshold", .string("x")) }
        == prefix
        + "InvalidArgs: Error setting property “DistanceThreshold”: Expected type “u” but got “s”")
    #expect(
      error { try program.set("Active", .flag(true)) }
        == prefix + "InvalidArgs: Property “Active” is not writable")
    #expect(
      error { try program.set("Nope", .flag(true)) }
        == prefix + "InvalidArgs: No such property “Nope”")
    let client = "org.freedesktop.GeoClue2.Client"
    #expect(
      error { _ = try program.get(Self.client, client, "Nope") }
        == prefix + "InvalidArgs: No such property “Nope”")
    #expect(
      error { _ = try program.get(Self.client, "a.b", "Nope") }
        == prefix + "InvalidArgs: No such interface “a.b”")
    #expect(
      error { try program.client("Nope") } == prefix + "UnknownMethod: No such method “Nope”")
    #expect(
      error { _ = try program.manager("DeleteClient", [.string("x")]) }
        == prefix + "InvalidArgs: Type of message, “(s)”, does not match expected type “(o)”")
    let gone = "/org/freedesktop/GeoClue2/Client/99"
    #expect(
      error { _ = try program.call(gone, client, "Start") }
        == prefix + "UnknownMethod: Object does not exist at path “\(gone)”")
    #expect(
      error { try program.client("Start", from: ":1.6") } == prefix + "AccessDenied: Access denied")
    #expect(
      error { _ = try program.get(Self.client, client, "DesktopId", from: ":1.6") }
        == prefix + "AccessDenied: Access denied")
    #expect(
      try program.call(
        Self.client, "org.freedesktop.DBus.Properties", "GetAll", [.string(client)], from: ":1.6")
        == [.properties([])])
  }

  @Test(
    "A level is kept as it was set, and asked rounded down; new thresholds are told while it runs")
  func requests() throws {
    var program = Program()
    _ = try program.manager("GetClient")
    try program.set("DesktopId", .string("probe\u{1B}[2J"))
    try program.set("RequestedAccuracyLevel", .uint32(7))
    try program.set("TimeThreshold", .uint32(60))
    let client = "org.freedesktop.GeoClue2.Client"
    #expect(
      try program.get(Self.client, client, "RequestedAccuracyLevel") == [.variant(.uint32(7))])
    try program.client("Start")
    try program.client("Start")
    var request = GeoClueRequest(program: "probe?[2J", level: .street, time: 60)
    #expect(program.events == [.started(GeoClueClient(1), request)])
    program.effects = []
    try program.set("DistanceThreshold", .uint32(5))
    request.distance = 5
    #expect(program.events == [.changed(GeoClueClient(1), request)])
    program.effects = []
    try program.client("Stop")
    try program.client("Stop")
    #expect(program.events == [.stopped(GeoClueClient(1))])
  }

  private static let fix = Fix(
    time: UTCInstant(microseconds: 1_800_000_000_250_000),
    coordinate: Coordinate(clampingLatitude: 52, wrappingLongitude: 5), horizontalAccuracy: 7)

  @Test(
    "A location is signalled to its client alone, before the property says so; old ones stay for 5 s"
  )
  func locations() throws {
    var program = try started()
    program.effects = []
    let id = GeoClueClient(1)
    program.objects.passFix(to: id, Self.fix, at: 10, into: &program.effects)
    let first = Self.client + "/Location/0"
    #expect(
      program.takeEffects() == [
        .signal(
          path: Self.client, interface: "org.freedesktop.GeoClue2.Client",
          member: "LocationUpdated", [.path("/"), .path(first)], to: ":1.5"),
        .signal(
          path: Self.client, interface: "org.freedesktop.DBus.Properties",
          member: "PropertiesChanged",
          [
            .string("org.freedesktop.GeoClue2.Client"),
            .properties([("Location", .path(first))]), .strings([]),
          ], to: ":1.5"),
      ])
    let location = "org.freedesktop.GeoClue2.Location"
    let all = try program.call(
      first, "org.freedesktop.DBus.Properties", "GetAll", [.string(location)])
    #expect(
      all == [
        .properties([
          ("Latitude", .double(52)), ("Longitude", .double(5)), ("Accuracy", .double(7)),
          ("Altitude", .double(-1.7976931348623157e308)), ("Speed", .double(-1)),
          ("Heading", .double(-1)), ("Description", .string("GNSS")),
          ("Timestamp", .structure([.uint64(1_800_000_000), .uint64(250_000)])),
        ])
      ])
    #expect(throws: BusRefusal.notYours) {
      try program.get(first, location, "Latitude", from: ":1.6")
    }
    program.objects.passFix(to: id, Self.fix, at: 12, into: &program.effects)
    program.objects.passFix(to: id, Self.fix, at: 17, into: &program.effects)
    #expect(try program.get(first, location, "Latitude") == [.variant(.double(52))])
    program.objects.passFix(to: id, Self.fix, at: 17.1, into: &program.effects)
    #expect(throws: BusRefusal.noObject(first)) { try program.get(first, location, "Latitude") }
    try program.client("Stop")
    program.effects = []
    program.objects.passFix(to: id, Self.fix, at: 18, into: &program.effects)
    #expect(program.effects == [])
    #expect(
      try program.get(Self.client, "org.freedesktop.GeoClue2.Client", "Location")
        == [.variant(.path(Self.client + "/Location/3"))])
  }

  @Test("A connection that ends takes its clients with it")
  func leaves() throws {
    var program = try started()
    program.effects = []
    program.objects.left(":1.5", into: &program.effects)
    #expect(program.events == [.stopped(GeoClueClient(1))])
    #expect(program.objects.clients == [])
  }

  @Test("An agent that switches location off stops what runs, and it goes on when it is on again")
  func agents() throws {
    var program = try started()
    program.effects = []
    _ = try program.call(
      Self.manager, "org.freedesktop.GeoClue2.Manager", "AddAgent", [.string("gnome-shell")],
      from: ":1.7")
    #expect(program.takeEffects() == [.agent(":1.7")])
    // Not the agent, so it has no effect.
    program.objects.limit(to: 0, by: ":1.8", into: &program.effects)
    #expect(program.events == [])
    program.objects.limit(to: 0, by: ":1.7", into: &program.effects)
    #expect(program.events == [.stopped(GeoClueClient(1))])
    _ = try program.manager("CreateClient")
    program.effects = []
    let second = "/org/freedesktop/GeoClue2/Client/2"
    _ = try program.call(
      second, "org.freedesktop.DBus.Properties", "Set",
      [
        .string("org.freedesktop.GeoClue2.Client"), .string("DesktopId"),
        .variant(.string("other")),
      ])
    #expect(throws: BusRefusal.isOff(1_000)) {
      try program.call(second, "org.freedesktop.GeoClue2.Client", "Start")
    }
    program.effects = []
    program.objects.limit(to: 4, by: ":1.7", into: &program.effects)
    #expect(
      program.events == [
        .started(GeoClueClient(1), GeoClueRequest(program: "probe", level: .city))
      ])
    program.effects = []
    // Without an agent everything is allowed.
    program.objects.left(":1.7", into: &program.effects)
    #expect(
      program.events == [
        .changed(GeoClueClient(1), GeoClueRequest(program: "probe", level: .exact))
      ])
  }

  @Test("More clients than are served are refused, and one that is deleted makes room")
  func limit() throws {
    var program = Program()
    for _ in 0..<GeoClueObjects.clientLimit { _ = try program.manager("CreateClient") }
    #expect(
      error { _ = try program.manager("CreateClient") }
        == "org.freedesktop.DBus.Error.LimitsExceeded: 64 clients are served at once, and more are "
        + "not; delete some")
    _ = try program.manager("DeleteClient", [.path(Self.client)])
    #expect(
      try program.manager("CreateClient") == [.path("/org/freedesktop/GeoClue2/Client/65")])
  }
}
