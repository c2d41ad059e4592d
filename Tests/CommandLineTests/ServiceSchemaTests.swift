// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import Foundation
import Geodesy
import LocationModel
import RadioPower
import ServiceContract
import Testing

@testable import ServiceCore

@Suite("The service's documents follow their schemas")
struct ServiceSchemaTests {
  private static let time = UTCInstant(microseconds: 1_777_878_489_500_000)
  private static let fix = Fix(
    time: time, coordinate: Coordinate(clampingLatitude: 45.5, wrappingLongitude: 13.5))
  private static let receiver = StatusDocument.Receiver(
    plan: .off, reason: "nobody needs a fix", since: time, until: nil, hold: 60)
  private static let row = AppRow(
    name: "walker", kind: .handler, state: .background, services: [.significant],
    authorization: .whenInUse, pending: 0, lastDelivery: nil, held: "5 crashes")
  private static let app = AppDocument(
    row: row, command: ["walk"], directory: "/", pid: nil, isFrozen: false, isConnected: false,
    modes: ["location"], requestedAuthorization: nil, lastSequence: 1, acknowledged: 0,
    crashes: 5,
    lastDelivery: .init(sequence: 1, service: .significant, received: time, fix: fix), silence: nil)
  private static let status = StatusDocument(
    release: "0.1.0", pid: 42, since: time, uptime: 4_000,
    gpsd: .init(
      host: "localhost", port: 2_947, state: .watching, text: "one device", since: time),
    devices: [.init(path: "/dev/ttyACM0", driver: "u-blox", silence: 1)], receiver: receiver,
    lastFix: .init(fix: fix, device: nil, received: time, age: 3), policy: "milepost", era: "ios4",
    deviceProfile: "pi-zero-ublox7", networkProfile: "lte",
    energy: .init(
      since: time, metered: 3_600,
      components: [.init(name: "gnss", energy: .init(nominal: 100, low: 90, high: 120))],
      baseline: .init(name: "baseline", energy: .init(nominal: 8, low: 7, high: 9)),
      battery: 40_000, earlier: 250,
      continuous: .init(name: "continuous", energy: .init(nominal: 1_000, low: 900, high: 1_100)),
      modes: [
        .init(mode: .standard, energy: .init(nominal: 70, low: 63, high: 84)),
        .init(mode: .significant, energy: .init(nominal: 30, low: 27, high: 36)),
      ]),
    store: .init(state: .ok, path: "/var/x", warning: nil), freezer: "cgroup2", clients: 1,
    gpsdPorts: [2_948], apps: [row],
    gaps: [
      .init(start: nil, end: time, reason: "no daemon ran; the clock went back"),
      .init(start: time, end: time.advanced(bySeconds: 60), reason: "no daemon ran"),
    ])
  private static let geoClue = StatusDocument.GeoClue(
    isAnswering: true, text: "programs that ask GeoClue are answered",
    programs: [
      .init(
        name: "org.gnome.Weather", level: "city", asks: .follows, distance: 0, time: 3_600,
        clients: 1, deliveries: 1, lastDelivery: time, energy: 0),
      .init(
        name: "maps", level: "exact", asks: .standard, distance: 20, time: 0, clients: 0,
        deliveries: 2, lastDelivery: time, energy: 12.5),
      .init(
        name: "walk", level: "street", asks: .significant, distance: 0, time: 0, clients: 2,
        deliveries: 0, lastDelivery: nil, energy: 1),
    ])
  private static let explanation = ExplanationDocument(
    app: "walker", at: time, state: .suspended, authorization: .always, receiver: receiver,
    answers: [
      .init(
        service: .significant, verdict: Verdict(.tooClose, moved: 412, movedRequired: 500),
        fixTime: time, text: "412 m of 500 m")
    ], text: "It has not moved far enough.", advice: nil)

  @Test("Each document fits")
  func documents() throws {
    try expectFit(Self.status.json, "status")
    var bare = Self.status
    bare.lastFix = nil
    try expectFit(bare.json, "status")
    var answering = Self.status
    answering.geoClue = Self.geoClue
    try expectFit(answering.json, "status")
    try expectFit(AppsDocument(apps: [Self.row]).json, "apps")
    try expectFit(Self.app.json, "app")
    var bareApp = Self.app
    bareApp.lastDelivery = nil
    try expectFit(bareApp.json, "app")
    let entry = LogDocument.Entry(at: Self.time, kind: "launched", text: "by its user")
    try expectFit(LogDocument(app: "walker", entries: [entry]).json, "app-log")
    try expectFit(Self.explanation.json, "explanation")
  }

  @Test("For people they are what was reviewed")
  func texts() throws {
    let scratch = try Scratch()
    func shown(
      _ command: [String], _ answer: ServerMessage, at name: String? = nil
    ) throws -> String {
      let daemon = try ScriptedDaemon(
        at: scratch.path(name ?? command.joined()), answers: [answer])
      let answer = try Program.run(command + ["--socket", daemon.path])
      #expect(answer.code == 0, "\(answer.errors)")
      return answer.output
    }
    try Golden.expect(try shown(["status"], Self.status.message), is: "status")
    var answering = Self.status
    answering.geoClue = Self.geoClue
    let shownStatus = try shown(["status"], answering.message, at: "answering")
    let expected = [
      "geoclue      programs that ask GeoClue are answered\n",
      "org.gnome.Weather asks for city: the receiver stays off for it; told 1 location, the\n",
      "maps asks for exact: every 20 m; told 2 locations, the last 2026-05-04T07:08:09.500Z;\n",
      "its share 13 J; asks no more\n",
      "walk asks for street: significant changes; told 0 locations; its share 1.0 J\n",
    ]
    for words in expected { #expect(shownStatus.contains(words), "\(words)") }
    try Golden.expect(try shown(["apps", "show", "walker"], Self.app.message), is: "apps-show")
    try Golden.expect(try shown(["explain", "walker"], Self.explanation.message), is: "explain")
    let entries = [
      LogDocument.Entry(at: Self.time, kind: "launched", text: "by its user"),
      LogDocument.Entry(at: Self.time, kind: "ended", text: "exit status 1"),
    ]
    let log = LogDocument(app: "walker", entries: entries)
    try Golden.expect(try shown(["apps", "log", "walker"], log.message), is: "apps-log")
    #expect(
      try shown(["apps"], AppsDocument(apps: []).message)
        == "no app is registered; register one: milepost apps add MANIFEST\n")
  }
}

/// The document follows the schema of that name.
func expectFit(_ json: String, _ name: String) throws {
  let document = try JSONSerialization.jsonObject(with: Data(json.utf8))
  #expect(try SchemaValidator(name).errors(in: document) == [])
}
