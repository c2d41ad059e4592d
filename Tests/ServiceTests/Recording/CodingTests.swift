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
import Testing

@testable import TraceFiles

@Suite("Every input and effect comes back bit for bit")
struct CodingTests {
  static let fullFix = Fix(
    time: UTCInstant(microseconds: 1_777_878_489_123_456),
    coordinate: Coordinate(clampingLatitude: 45.123456789012345, wrappingLongitude: -1e-9 / 3),
    horizontalAccuracy: 0.1 + 0.2, altitude: -12.5, ellipsoidalHeight: .leastNonzeroMagnitude,
    verticalAccuracy: .greatestFiniteMagnitude, speed: 0, course: 359.99999999999994,
    speedAccuracy: 0.1 + 0.2, courseAccuracy: 180, hdop: 1e22,
    satellites: 12, source: .network)
  static let bareFix = Fix(
    time: nil, coordinate: Coordinate(clampingLatitude: -90, wrappingLongitude: 0))

  private static let request: StandardRequest = {
    var request = StandardRequest()
    request.desiredAccuracy = -2
    request.distanceFilter = 1 / 3
    request.pausesAutomatically = true
    request.allowsBackgroundUpdates = false
    return request
  }()

  private static let id = ClientID(.max)
  private static let cell = CellIdentity(
    country: 999, network: 1, area: 65_535, cell: .max, trackingArea: 0)
  private static let manifest = AppManifest(
    name: "a.b", kind: .handler, command: ["/opt/ä \"x\"", ""], environment: ["B": "1", "A": "\n"],
    directory: "/", declaration: AppDeclaration(), service: nil, request: request,
    launch: .manual, timeout: .infinity)

  private static let region = MonitoredRegion(
    "r", centre: Coordinate(clampingLatitude: 1.5, wrappingLongitude: -2), radius: 100,
    notifiesOnExit: false)
  private static let sink = AppManifest(
    name: "s", kind: .sink, command: [], directory: "/", declaration: AppDeclaration(),
    service: .significant,
    sink: SinkSettings(
      .object([.init("kind", "file"), .init("folder", "ä \"x\""), .init("n", .number(0.1))])))

  private static let sky: Sky = {
    var sky = Sky()
    sky.hdop = 0.9
    sky.satellites = [.init(number: 7, isUsed: true)]
    return sky
  }()

  private static let asks = GeoClueRequest(program: "x", level: .street, distance: 1, time: .max)

  static let clientMessages: [ClientMessage] =
    [
      .hello(.init(app: "walker")), .start(.init(.significant, request)), .stop(.continuous),
      .requestLocation(), .monitorMotion(true), .requestAuthorization(.whenInUse),
      .acknowledge(.max), .done, .version, .devices, .watch(isOn: false),
      .watchSentences(json: true), .poll, .status, .apps,
      .user(.app("x")),
      .add(.init(file: "x.yaml", directory: "/", bytes: [0, 255], command: ["y"])),
      .remove("x"), .authorize("x", .restricted), .log("", count: 7), .explain("x"), .reload,
      .events("x"), .resend("x", nil), .discard("x", 1),
    ] + ClientMessage.AppControl.allCases.map { .control("x", $0) }

  static let serverMessages: [ServerMessage] =
    [
      .welcome(
        .init(
          release: "1", app: "x", state: .suspended, authorization: .always, launchReason: .motion,
          monitorsSignificantChanges: true, acknowledged: .max)),
      .location(
        Delivery(
          sequence: .max, service: .continuous, fix: fullFix, isCached: true, moved: 0.1,
          since: 3e-7), received: UTCInstant(microseconds: -1)),
      .state(.inactive), .willTerminate(seconds: 5), .authorization(.notDetermined), .paused,
      .motion, .lost(count: 3), .noFix("no sky"), .version(release: "1"),
      .devices([.init(path: "/dev/x", driver: nil)]), .watch(isOn: true),
      .report(bareFix, device: "d"), .poll(nil, device: "d", at: UTCInstant(microseconds: 0)), .ok,
      .watchSentences(json: false), .sentences("$GPRMC*00\r\n"), .sky(sky, device: "d"),
      .poll(bareFix, device: "d", at: UTCInstant(microseconds: 0), sky: sky),
      .warning(code: .storage, "full"), .document(json: "{\"a\":\"\\u00e9/\"}"),
    ] + ServerMessage.ErrorCode.allCases.map { .error(code: $0, "no") }

  static let activities: [Activity.Event] =
    Activity.GNSSState.allCases.map { .gnss($0) } + Activity.SoCState.allCases.map { .soc($0) } + [
      .cellTransfer(uploadBytes: 1, downloadBytes: 2, rateMbps: nil), .cellWake, .wifiScan,
      .wifiTransfer(uploadBytes: 1, downloadBytes: 2, rateMbps: 0.1), .launch, .wake, .delivery,
      .motionSensor(true), .moving(false), .flashCommit, .metering(false), .end,
    ]

  static let worldInputs: [ServiceInput] = [
    .began(adopted: ["a", "b"]), .began(adopted: []), .timePassed, .stop,
    .manifest(id, .read(manifest, missingProgram: "gone"), id: "7"),
    .manifest(id, .refused("no"), id: nil),
    .process(.started(app: "x", pid: .max)), .process(.failedToStart(app: "x", reason: "none")),
    .process(.prevented(app: "x", reason: "full")), .process(.ended(app: "x", .exited(status: -1))),
    .process(.ended(app: "x", .signalled(9))), .process(.ended(app: "x", .unknown)),
    .process(.adopted(app: "x", pid: 2, isFrozen: true)), .process(.frozen(app: "x")),
    .process(.thawed(app: "x")), .process(.usesMemory(app: "x", megabytes: 80.5)),
    .process(.warning(app: "x", "odd")),
    .gpsd(.fix(fullFix, device: "/dev/ttyACM0")), .gpsd(.fix(bareFix, device: "")),
    .gpsd(.searching(device: "d")), .gpsd(.signal(isHeard: false)), .gpsd(.line([0, 10, 255])),
    .gpsd(.link(.connected(release: "3.25", protocolMajor: 3, protocolMinor: 15))),
    .gpsd(.link(.unreachable(reason: "refused", retryAfter: 0.5))),
    .gpsd(.link(.lost(reason: "gone", retryAfter: 60))), .gpsd(.link(.watching(true))),
    .gpsd(.device(.none)), .gpsd(.device(.opened(path: "p", driver: nil))),
    .gpsd(.device(.closed(path: "p"))),
    .gpsd(.trouble(.timeWentBack(seconds: 1e-6, device: "d"))),
    .gpsd(.trouble(.overlongLine(limit: 1))), .gpsd(.trouble(.badLine("x"))),
    .gpsd(.trouble(.unpackDiffers(field: "lat"))),
    .gpsd(.trouble(.protocolMismatch(server: "a", library: "b"))),
    .gpsd(.trouble(.reported("x"))), .gpsd(.trouble(.notReleased("x"))),
    .gpsd(.device(.released(path: "p"))),
    .gpsd(.device(.asleep(path: "p", by: .ubloxM8))),
    .gpsd(
      .device(.identified(path: "p", ReceiverIdentity(driver: "u-blox", subtype1: "PROTVER=18.00")))
    ),
    .sink(.asks(AppID(1), .reportLocation)),
    .sink(.asks(AppID(1), .changeRegions([.monitor(region), .stop("a"), .stopAll]))),
    .sink(.passed(AppID(1), upTo: 3, of: 9)),
    .sink(.took(AppID(1), upTo: .max)), .sink(.failed(AppID(1), upTo: 2, reason: "full")),
    .manifest(id, .read(sink, missingProgram: nil), id: nil),
    .modem(.cell(cell, previous: nil)), .modem(.cell(cell, previous: cell)),
    .modem(.modem(present: false, words: "gone")),
    .modem(.trouble(.noBus(reason: "r", retryAfter: 1))), .modem(.trouble(.noModemManager)),
    .modem(.trouble(.noModem)), .modem(.trouble(.noCells(modem: "m"))),
    .modem(.trouble(.notReady(modem: "m", state: ModemState(rawValue: -1)))),
    .modem(.trouble(.notAllowed(modem: "m"))), .modem(.trouble(.switchedOff(modem: "m"))),
    .modem(.trouble(.refused("x"))), .modem(.trouble(.badLocation("x"))),
    .gpsd(.sky(sky, device: "d")), .geoClue(.answering(false, "no")),
    .geoClue(.started(GeoClueClient(1), asks)), .geoClue(.changed(GeoClueClient(1), asks)),
    .geoClue(.stopped(GeoClueClient(.max))),
    .machine(.motionFelt), .machine(.motionSensor(nil)), .machine(.wifi("Home")),
    .machine(.motionSensor(MotionSource(name: "lis3dh", every: 0.5))),
    .radio(.fix(fullFix)), .radio(.networkFix(bareFix)), .radio(.networkPositionFailed),
    .radio(.cellChanged(CellHint(rawValue: .max))), .radio(.motionBegan),
    .settings(.refused("bad", isError: true), for: nil, id: nil), .refused(.modem, count: 3),
    .client(.connected(id, .socket(pid: 1, group: nil, uid: .max))),
    .client(.connected(id, .gpsdPort(2_947))), .client(.writable(id)), .client(.disconnected(id)),
    .client(.malformed(id, .error(code: .malformed, "x"), id: "\u{1F6B2}")),
  ]

  static let inputs: [ServiceInput] =
    worldInputs + clientMessages.map { .client(.message(id, $0, id: "1")) }
    + serverMessages.map { .client(.refused(id, $0)) } + activities.map { .radio(.activity($0)) }

  private static let requests: [ServiceEffect] = [
    .releaseSocket("x"), .askUser("x", .always),
    .notifyUser(app: "x", LocalNotification("n")),
    .sendHistory(
      HistoryRange(
        from: UTCInstant(microseconds: 0), to: UTCInstant(microseconds: 9), count: 2),
      unwritten: [HistoryDocument.Entry(at: UTCInstant(microseconds: 1), kind: .delivery)], to: id,
      id: "1"),
  ]

  static let effects: [ServiceEffect] =
    serverMessages.map { .send($0, to: id, id: nil) } + [
      .start(
        ProcessStart(
          app: "x", command: ["c"], environment: ["Z": "1", "A": "2"], directory: "/",
          input: [123, 125, 10], timeLimit: 0.5)),
      .start(ProcessStart(app: "x", command: [], environment: [:], directory: "/")),
      .start(
        ProcessStart(app: "x", command: [], environment: [:], directory: "/", input: [0xFF, 0])),
      .sink(.close(AppID(1))), .sink(.recall(AppID(1))), .sink(.regions(AppID(1), [region])),
      .sink(
        .take(
          SinkBatch(
            app: AppID(1), sink: sink.sink ?? SinkSettings(kind: ""), directory: "/",
            deliveries: [
              PendingDelivery(
                app: AppID(1),
                delivery: Delivery(
                  sequence: 7, service: .standard, fix: fullFix, isCached: false, moved: nil,
                  since: nil), received: UTCInstant(microseconds: 3))
            ], regions: [region]))),
      .freeze("x"), .thaw("x"), .end("x", grace: 2), .kill("x"), .forget("x"),
      .send(.ok, to: id, id: "1"), .close(id), .watch(true),
      .watch(false, sleep: .init(seconds: 600, most: 43_200)),
      .connect(host: "::1", port: 2_947, device: nil), .listen(false), .askNetwork,
      .arm([.cells, .motion]), .readSettings(for: nil, id: nil), .readSettings(for: id, id: "1"),
      .sendLog(
        of: AppID(3), name: "x", count: 5,
        unwritten: [LogRow(app: nil, at: UTCInstant(microseconds: 1), kind: "gap", text: "t")],
        to: id, id: nil), .log(.debug, "x"), .tellGeoClue(GeoClueClient(1), fullFix),
      .log(.error, "x"),
    ] + requests

  private func roundTrip(_ input: ServiceInput) throws -> ServiceInput {
    var shell = try Shell(Shell.beginning(Shell.settings(), at: Shell.start))
    shell.wait(-5_000)
    _ = try shell.give(input)
    guard case .input(let read, let time)? = Reading(shell.bytes).steps.first?.kind else {
      throw InputError("no input came back")
    }
    #expect(time == shell.time)
    return read
  }

  @Test("Inputs", arguments: inputs)
  func inputComesBack(input: ServiceInput) throws {
    #expect(try roundTrip(input) == input)
  }

  @Test("Effects, in bytes that are always the same", arguments: effects)
  func effectComesBack(effect: ServiceEffect) throws {
    struct Line: Decodable { let effect: ServiceEffect }
    let lines = try (0..<4).map { _ in
      var bytes: [UInt8] = []
      let beginning = try Shell.beginning(Shell.settings(), at: Shell.start)
      var encoder = try RecordingEncoder(RecordingHeader(beginning, at: Shell.start), into: &bytes)
      bytes = []
      try encoder.write(change: nil, .noStore, [effect], into: &bytes)
      return bytes.split(separator: 0x0A).last.map(Array.init) ?? []
    }
    #expect(Set(lines).count == 1)
    #expect(try JSONDecoder().decode(Line.self, from: Data(lines[0])).effect == effect)
  }

  @Test("Numbers that no position has are told apart from unknown ones")
  func oddNumbers() throws {
    var fix = Self.bareFix
    (fix.speed, fix.course, fix.altitude, fix.hdop) = (.nan, .infinity, -.infinity, -0.0)
    guard case .gpsd(.fix(let read, _)) = try roundTrip(.gpsd(.fix(fix, device: ""))) else {
      Issue.record("no fix came back")
      return
    }
    #expect(read.speed?.isNaN == true)
    #expect(read.course == .infinity)
    #expect(read.altitude == -.infinity)
    #expect(read.hdop?.sign == .minus && read.hdop == 0)
    #expect(read.horizontalAccuracy == nil)
  }

  @Test("Headers, with each policy's settings and what an earlier service left, come back the same")
  func headers() throws {
    let policies = try PolicyKind.all.map { kind in
      var settings = PolicySettings(
        name: kind.name, senses: [.motion, .cells], seed: .max, timeout: 90, hotStart: 7)
      if kind.hasInterval { (settings.interval, settings.accuracy) = (123.4, 1 / 3) }
      return try #require(settings.policy)
    }
    // A run that ends while something waits.
    let stored = try #require(
      try (1...20).lazy.map { try Drive(seed: $0, steps: 150).shell.store }
        .first { !$0.pending.isEmpty })
    #expect(stored.engine != nil && stored.apps.count > 2)
    for policy in policies {
      var settings = try Shell.settings(policy)
      settings.device.gnssWhenOff = .vbusOff
      settings.network = try ProfileLibrary.network(named: "gsm-tailender")
      var beginning = Shell.beginning(settings, stored: stored, at: Shell.start)
      (beginning.storeTrouble, beginning.storeWarnings) = ("full", ["odd"])
      beginning.listeners = [.init(port: 1, service: .significant, distanceFilter: nil)]
      let header = RecordingHeader(beginning, at: Shell.start)
      var bytes: [UInt8] = []
      _ = try RecordingEncoder(header, into: &bytes)
      #expect(Reading(bytes).decoder.header == header)
    }
  }

  @Test("A profile that is none of Milepost's own is refused, not written as another")
  func foreignProfile() throws {
    let text = String(
      decoding: try #require(ProfileLibrary.file(named: "pi-zero-ublox7")), as: UTF8.self)
    let changed = Array(text.replacing("title,", with: "title,another ", maxReplacements: 1).utf8)
    var settings = try Shell.settings()
    settings.device = try DeviceProfile.parse(changed.span, name: "pi-zero-ublox7")
    let own = try Shell.settings().device
    try #require(settings.device != own)
    let header = RecordingHeader(Shell.beginning(settings, at: Shell.start), at: Shell.start)
    var bytes: [UInt8] = []
    #expect(throws: EncodingError.self) { try RecordingEncoder(header, into: &bytes) }
  }

  @Test(
    "All that a decision writes stands in a recording, and in one of version 2 what stood there then"
  )
  func wholeChange() throws {
    var change = StoreChange()
    let (app, at) = (AppID(1), UTCInstant(microseconds: 5))
    let key = DeliveryKey(app, 7)
    let fix = Fix(
      time: at, coordinate: Coordinate(clampingLatitude: 45.5, wrappingLongitude: 13.25))
    let pending = PendingDelivery(
      app: app,
      delivery: Delivery(
        sequence: 7, service: .significant, fix: fix, isCached: false, moved: nil, since: nil),
      received: at)
    change.addedApps = [StoredApp(id: app, name: "a", manifestJSON: "{}", authorization: .always)]
    change.removedApps = [app]
    change.authorizations = [NewAuthorization(app, .denied)]
    change.deliveries = [pending]
    (change.acknowledged, change.dropped, change.forgotten) = ([key], [key], [key])
    (change.runs, change.revived, change.replaced) = ([key], [key], [key])
    change.failures = [HandlerFailure(app, 7, 2)]
    change.tallies = [SinkTally(app, UplinkTally(since: .zero))]
    change.crashes = [AppCrashes(app, StoredCrashes(times: [.zero], isHeld: true))]
    change.expiredLogs = [LogExpiry(app: nil, before: at)]
    change.expiredHistory = [HistoryExpiry(before: at)]
    change.scrubs = true
    change.dead = [DeadDelivery(pending: pending, at: at, reason: "it failed")]
    change.log = [LogRow(app: app, at: at, kind: "gap", text: "x")]
    change.history = [HistoryDocument.Entry(at: at, kind: .delivery)]
    change.engine = LocationEngine(rules: EngineRules(), policy: .ios).snapshot
    change.moment = StoredMoment(engine: .zero, utc: at, boot: "b", bootClock: 1)
    change.energy = ["gnss": 1]
    let line = try RecordingForm.line(WrittenChange(change))
    let members = try #require(JSONValue.parse(line.span).members).map(\.key)
    let all = Mirror(reflecting: change).children.compactMap(\.label)
      .map { $0.hasPrefix("_") ? String($0.dropFirst()) : $0 }
    #expect(Set(members) == Set(all))
  }

  @Test("The form is what it is said to be")
  func form() throws {
    var shell = try Shell(
      Shell.beginning(Shell.settings(), at: Shell.start, hasStore: false))
    let first = try #require(shell.bytes.split(separator: 0x0A).first)
    #expect(
      String(decoding: first, as: UTF8.self).hasPrefix(
        "{\"class\":\"MILEPOST_RECORDING\",\"release\":\"0.1.0\",\"service\":{"))
    #expect(
      String(decoding: first, as: UTF8.self).hasSuffix(
        "\"started_at_us\":1000000000,\"started_utc_us\":1777878489000000,\"version\":4}"))
    shell.outcome = .noStore
    shell.wait(1)
    _ = try shell.give(
      .gpsd(.link(.unreachable(reason: "refused", retryAfter: 2))))
    let fix = Fix(
      time: UTCInstant(microseconds: 1_777_878_490_000_000),
      coordinate: Coordinate(clampingLatitude: 45.5, wrappingLongitude: 13.25),
      horizontalAccuracy: 4.5)
    _ = try shell.give(.gpsd(.fix(fix, device: "/dev/ttyACM0")))
    try shell.finish()
    let rest = shell.bytes.split(separator: 0x0A).dropFirst()
      .map { String(decoding: $0, as: UTF8.self) }
    #expect(
      rest == [
        #"{"at_us":1001000000,"input":{"gpsd":{"_0":{"link":{"_0":{"unreachable":"#
          + #"{"reason":"refused","retryAfter":2}}}}}},"utc_us":1777878490000000}"#,
        #"{"commit":{"noStore":{}}}"#,
        #"{"effect":{"log":{"_0":"warning","_1":"gpsd cannot be reached: refused; "#
          + #"next attempt in 2.0 s"}}}"#,
        #"{"at_us":1001000000,"input":{"gpsd":{"_0":{"fix":{"_0":{"coordinate":"#
          + #"{"latitude":45.5,"longitude":13.25},"horizontalAccuracy":4.5,"source":0,"#
          + #""time":{"microseconds":1777878490000000}},"device":"/dev/ttyACM0"}}}},"#
          + #""utc_us":1777878490000000}"#,
        #"{"class":"MILEPOST_RECORDING_END","effects":1,"inputs":2}"#,
      ])
  }
}
