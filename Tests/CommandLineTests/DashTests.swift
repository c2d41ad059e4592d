// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import Geodesy
import LocationModel
import RadioPower
import ServiceContract
import Testing

@testable import ServiceCore

@Suite("The service on one screen")
struct DashTests {
  private let scratch: Scratch
  /// 2026-05-04T07:08:09.500Z
  private static let since = UTCInstant(microseconds: 1_777_878_489_500_000)
  private static let now = since.advanced(bySeconds: 7_200)
  private static let place = Coordinate(clampingLatitude: 45.5, wrappingLongitude: 13.5)

  init() throws { scratch = try Scratch() }

  private static func row(_ name: String, _ kind: AppManifest.Kind, _ state: AppState) -> AppRow {
    AppRow(
      name: name, kind: kind, state: state, services: [.significant], authorization: .always,
      pending: kind == .sink ? 3 : 0, lastDelivery: nil, held: nil)
  }

  private static var overview: OverviewDocument {
    var status = StatusDocument.empty
    status.release = "0.2.0"
    status.since = since
    status.uptime = 7_200
    status.store.state = .ok
    status.receiver = .init(
      plan: .off, reason: "the next look at the cells is due", since: now.advanced(bySeconds: -600),
      until: now.advanced(bySeconds: 300), hold: 0)
    status.lastFix = .init(
      fix: Fix(time: now, coordinate: place, horizontalAccuracy: 12, speed: 10),
      device: "/dev/ttyACM0", received: now, age: 600)
    status.energy = .init(
      since: since, metered: 7_200,
      components: [.init(name: "gnss", energy: .init(nominal: 100, low: 90, high: 120))],
      baseline: .empty, battery: nil, earlier: 0,
      continuous: .init(name: "continuous", energy: .init(nominal: 1_000, low: 900, high: 1_200)))
    status.sinks = [
      .init(
        name: "van", kind: "owntracks", host: "maps.example", state: .gathering, text: "not urgent",
        pending: 3, oldest: 60, givenUp: 0, lastTaken: now, taken: 126, transfers: 14,
        sentBytes: 51_000, receivedBytes: 2_345, energy: 32, energyPerDay: 4.56)
    ]
    status.apps = [row("van", .sink, .background), row("walker", .handler, .suspended)]
    let answer = ExplanationDocument(
      app: "walker", at: now, state: .suspended, authorization: .always, receiver: status.receiver,
      answers: [], text: "the last fix: too close (412 m of 500 m)", advice: nil)
    return OverviewDocument(status: status, explanations: [answer])
  }

  private static var history: HistoryDocument {
    func at(_ minutesAgo: Double) -> UTCInstant { now.advanced(bySeconds: -minutesAgo * 60) }
    return HistoryDocument(entries: [
      .init(at: at(60), kind: .receiver, word: "off", text: "nobody needs a fix"),
      .init(at: at(60), kind: .state, app: "walker", word: "suspended"),
      .init(at: at(40), kind: .receiver, word: "session", text: "a look"),
      .init(at: at(35), kind: .position, place: place, accuracy: 12, speed: 10),
      .init(at: at(35), kind: .state, app: "walker", word: "background"),
      .init(at: at(34), kind: .delivery, app: "walker", word: "significant", text: "event 2"),
      .init(at: at(30), kind: .state, app: "walker", word: "suspended"),
      .init(at: at(10), kind: .receiver, word: "off", text: "nobody needs a fix"),
    ])
  }

  private func daemon(_ name: String, _ answers: [ServerMessage]) throws -> ScriptedDaemon {
    try ScriptedDaemon(at: scratch.path(name), answers: answers)
  }

  @Test("One frame is what was reviewed, and asks for what it shows")
  func once() throws {
    let daemon = try daemon("s", [Self.overview.message, Self.history.message])
    let answer = try Program.run(["dash", "--once", "--socket", daemon.path])
    #expect(answer.code == 0, "\(answer.errors)")
    try Golden.expect(answer.output, is: "dash")
    #expect(
      daemon.heard == [
        .overview,
        .history(
          from: Self.now.advanced(bySeconds: -3_600), to: Self.now.advanced(bySeconds: 60),
          count: 5_000),
      ])
    #expect(!answer.output.contains("\u{1B}"))
    #expect(answer.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }

  @Test("What nobody watched is no state")
  func unwatched() throws {
    var history = Self.history
    // 21 to 10 min ago, of 69 columns for 60 min: columns 44 (44.85) to 57 (57.5).
    history.entries[7] = .init(
      at: Self.now.advanced(bySeconds: -600), kind: .unwatched,
      since: Self.now.advanced(bySeconds: -1_260))
    let daemon = try daemon("u", [Self.overview.message, history.message])
    let answer = try Program.run(["dash", "--once", "--socket", daemon.path])
    let lanes = answer.output.split(separator: "\n").filter { $0.contains("?") }
    #expect(lanes.count == 3)
    for lane in lanes {
      let cells = Array(lane.dropFirst(11))
      #expect(cells.indices.filter { cells[$0] == "?" } == Array(44...57), "\(lane)")
    }
  }

  @Test("In JSON it is the service's own document")
  func json() throws {
    let daemon = try daemon("s", [Self.overview.message])
    let answer = try Program.run(["dash", "--json", "--socket", daemon.path])
    #expect(answer.output == Self.overview.json + "\n")
  }

  @Test("The history says each entry on its line")
  func history() throws {
    let daemon = try daemon("s", [Self.history.message])
    let answer = try Program.run(["history", "--socket", daemon.path])
    #expect(answer.code == 0, "\(answer.errors)")
    try Golden.expect(answer.output, is: "history")
    let empty = try self.daemon("e", [HistoryDocument(entries: []).message])
    #expect(
      try Program.run(["history", "--socket", empty.path]).output
        == "nothing is kept of this time\n")
    let cut = try self.daemon(
      "c", [HistoryDocument(entries: Self.history.entries, isCut: true).message])
    #expect(
      try Program.run(["history", "--socket", cut.path]).output
        .hasPrefix("older entries are left out; ask for fewer hours\n"))
  }

  @Test(
    "The positions of the history are a track in any format, with a new part where nothing was known"
  )
  func track() throws {
    var history = Self.history
    for (minutes, latitude) in [(31.0, 45.51), (12, 45.52)] {
      history.entries.append(
        .init(
          at: Self.now.advanced(bySeconds: -minutes * 60), kind: .position,
          place: Coordinate(clampingLatitude: latitude, wrappingLongitude: 13.5)))
    }
    let daemon = try daemon("s", [history.message])
    let answer = try Program.run(["history", "--to", "gpx", "--socket", daemon.path])
    #expect(answer.code == 0 && answer.errors.isEmpty, "\(answer.errors)")
    // 240 s apart is known; 19 min are not.
    #expect(
      answer.output.split(separator: "\n").dropFirst(2) == [
        "<trk>", "<trkseg>",
        #"<trkpt lat="45.5" lon="13.5"><time>2026-05-04T08:33:09.500Z</time><extensions>"#
          + "<milepost:hacc>12</milepost:hacc><gpxtpx:TrackPointExtension><gpxtpx:speed>10</gpxtpx:speed>"
          + "</gpxtpx:TrackPointExtension></extensions></trkpt>",
        #"<trkpt lat="45.51" lon="13.5"><time>2026-05-04T08:37:09.500Z</time></trkpt>"#,
        "</trkseg>", "<trkseg>",
        #"<trkpt lat="45.52" lon="13.5"><time>2026-05-04T08:56:09.500Z</time></trkpt>"#,
        "</trkseg>", "</trk>", "</gpx>",
      ])
    let file = scratch.path("day.csv")
    let again = try self.daemon(
      "a", [HistoryDocument(entries: history.entries, isCut: true).message])
    let written = try Program.run(["history", "-o", file, "--socket", again.path])
    #expect(written.output.isEmpty)
    #expect(written.errors == "milepost: older entries are left out; ask for fewer hours\n")
    #expect(try scratch.read("day.csv").split(separator: "\n").count == 1 + 3)
    let empty = try self.daemon("e", [HistoryDocument(entries: []).message])
    let none = try Program.run(["history", "-o", file, "--socket", empty.path])
    #expect(none.code == 1)
    #expect(
      none.errors == "milepost: no position is kept of this time; '\(file)' stays as it was\n")
    #expect(try scratch.read("day.csv").split(separator: "\n").count == 1 + 3)
    #expect(try Program.run(["history", "--to", "gpx", "--json"]).code == 2)
  }

  @Test("Hours that the service does not keep are refused")
  func hours() throws {
    let answer = try Program.run(["history", "--hours", "169"])
    #expect(answer.code == 2)
    #expect(answer.errors.contains("'169' is not a number above 0 and at most 168"))
  }

  @Test("Where no page is served, web says what to do; where one is, it prints the way in")
  func web() throws {
    var status = StatusDocument.empty
    let none = try daemon("n", [status.message])
    let refused = try Program.run(["web", "--socket", none.path])
    #expect(refused.code == 2)
    #expect(
      refused.errors
        == "milepost: error: milepostd serves no page; write web: 127.0.0.1:8080 into milepostd.yaml "
        + "and start it anew\n")
    let file = try scratch.write("web-url", "http://127.0.0.1:8080/?token=abc\n")
    status.web = .init(address: "127.0.0.1:8080", urlFile: file)
    let served = try daemon("w", [status.message])
    #expect(
      try Program.run(["web", "--socket", served.path]).output
        == "http://127.0.0.1:8080/?token=abc\n")
  }

  @Test("Both documents follow their schemas")
  func schemas() throws {
    try expectFit(Self.overview.json, "overview")
    try expectFit(Self.history.json, "history")
    #expect(try HistoryDocument(json: Self.history.json) == Self.history)
  }
}
