// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import Geodesy
import LocationModel
import RadioPower
import ServiceContract
import Testing

@testable import ServiceCore

@Suite("The documents that answer the user")
struct DocumentTests {
  // date -u -d @1777878489.5
  private static let time = UTCInstant(microseconds: 1_777_878_489_500_000)
  private static let fix = Fix(
    time: time, coordinate: Coordinate(clampingLatitude: 45.5231, wrappingLongitude: 13.5688),
    horizontalAccuracy: 4.5, altitude: 12.25, ellipsoidalHeight: 57.5, verticalAccuracy: 8,
    speed: 1.5, course: 271)
  private let time = Self.time
  private let row = AppRow(
    name: "walker", kind: .connected, state: .suspended, services: [.standard, .significant],
    authorization: .always, pending: 2, lastDelivery: Self.time, held: nil)

  private var receiver: StatusDocument.Receiver {
    .init(
      plan: .off, reason: "nobody needs a fix", since: time, until: time.advanced(bySeconds: 60),
      hold: 60)
  }

  private var status: StatusDocument {
    StatusDocument(
      release: "0.1.0", pid: 42, since: time, uptime: 3_600.5,
      gpsd: .init(
        host: "localhost", port: 2_947, state: .unreachable, text: "connection refused",
        since: time),
      devices: [.init(path: "/dev/ttyACM0", driver: nil, silence: 1.5)], receiver: receiver,
      lastFix: .init(fix: Self.fix, device: nil, received: time, age: 3),
      policy: "milepost", era: "ios4", deviceProfile: "pi", networkProfile: "lte",
      energy: .init(
        since: time, metered: 3_600,
        components: [
          .init(name: "gnss", energy: .init(nominal: 2, low: 1, high: 3)),
          .init(name: "soc", energy: .init(nominal: 5, low: 4, high: 6)),
        ],
        baseline: .init(name: "baseline", energy: .init(nominal: 8, low: 7, high: 9)),
        battery: 40_000,
        earlier: 250,
        modes: [
          .init(mode: .significant, energy: .init(nominal: 6, low: 4, high: 8)),
          .init(mode: nil, energy: .init(nominal: 1, low: 1, high: 1)),
        ]),
      store: .init(state: .failing, path: "/var/x", warning: "the disk is full"),
      freezer: "cgroup2", clients: 3, gpsdPorts: [2_948], apps: [row],
      gaps: [
        .init(start: nil, end: time, reason: "no daemon ran; the clock went back"),
        .init(start: time, end: time.advanced(bySeconds: 10), reason: "no daemon ran"),
      ])
  }

  private func expectRoundTrip<Document: ControlDocument>(_ document: Document) throws {
    #expect(try Document(json: document.json) == document)
    #expect(try ServerMessage.decode(document.message.encode().span) == document.message)
  }

  @Test("Each comes back as it was written")
  func roundTrips() throws {
    try expectRoundTrip(status)
    var bare = status
    bare.lastFix = nil
    bare.energy.battery = nil
    bare.store.warning = nil
    bare.receiver.until = nil
    try expectRoundTrip(bare)
    try expectRoundTrip(AppsDocument(apps: [row]))
    let app = AppDocument(
      row: row, command: ["walker", "-v"], directory: "/srv", pid: 77, isFrozen: true,
      isConnected: true, modes: ["audio", "fetch"], requestedAuthorization: .always,
      lastSequence: 12, acknowledged: 10, crashes: 1,
      lastDelivery: .init(
        sequence: 12, service: .significant, received: time, fix: Self.fix),
      silence: "it is suspended")
    try expectRoundTrip(app)
    var bareApp = app
    (bareApp.pid, bareApp.lastDelivery, bareApp.silence) = (nil, nil, nil)
    bareApp.requestedAuthorization = nil
    try expectRoundTrip(bareApp)
    try expectRoundTrip(
      LogDocument(app: "walker", entries: [.init(at: time, kind: "launched", text: "by \"you\"")]))
    try expectRoundTrip(
      ExplanationDocument(
        app: "walker", at: time, state: .background, authorization: .denied, receiver: receiver,
        answers: [
          .init(
            service: .significant,
            verdict: Verdict(
              .tooClose, moved: 412, movedRequired: 500, since: 188, sinceRequired: 300,
              accuracy: 35),
            fixTime: time, text: "412 m of 500 m")
        ], text: "it is not authorized", advice: "milepost apps authorize walker always"))
  }

  @Test("A document that says less than it must is an error with its place")
  func errors() {
    #expect(throws: ProtocolError("no document of the class STATUS")) {
      try StatusDocument(json: #"{"class":"APPS","apps":[]}"#)
    }
    #expect(throws: ProtocolError("APPS.apps[0] needs the member 'kind'")) {
      try AppsDocument(json: #"{"class":"APPS","apps":[{"name":"w"}]}"#)
    }
    #expect(throws: ProtocolError("no JSON document: a value was expected at byte 1")) {
      try AppsDocument(json: "")
    }
  }
}
