// SPDX-License-Identifier: Apache-2.0

import AppLifecycle
import Geodesy
import JSONText
import LocationEngine
import LocationModel
import Recording
import Testing

@Suite("Every input and command comes back bit for bit")
struct CodingTests {
  private static let fullFix = Fix(
    time: UTCInstant(microseconds: 1_777_878_489_123_456),
    coordinate: Coordinate(clampingLatitude: 45.123456789012345, wrappingLongitude: -1e-9 / 3),
    horizontalAccuracy: 0.1 + 0.2, altitude: -12.5, ellipsoidalHeight: .leastNonzeroMagnitude,
    verticalAccuracy: .greatestFiniteMagnitude, speed: 0, course: 359.99999999999994, hdop: 1e22,
    satellites: 12, source: .network)
  private static let bareFix = Fix(
    time: nil, coordinate: Coordinate(clampingLatitude: -90, wrappingLongitude: 0))

  private static let request: StandardRequest = {
    var request = StandardRequest()
    request.desiredAccuracy = -2
    request.distanceFilter = 1 / 3
    request.pausesAutomatically = true
    request.allowsBackgroundUpdates = false
    return request
  }()

  private static let declaration: AppDeclaration = {
    var declaration = AppDeclaration()
    declaration.declaresLocationMode = true
    declaration.exitsOnSuspend = true
    declaration.authorization = .whenInUse
    return declaration
  }()

  static let appInputs: [AppInput] = [
    .registered(declaration), .authorized(.notDetermined), .authorized(.restricted),
    .authorized(.denied), .authorized(.always), .launched, .resignedActive, .becameActive,
    .enteredBackground, .enteredForeground, .finishedWork, .purged, .terminated, .forceQuit,
    .exited, .removed,
    .startUpdating(request), .startUpdating(StandardRequest()), .stopUpdating, .requestLocation,
    .startMonitoringSignificantChanges, .stopMonitoringSignificantChanges, .startMonitoringMotion,
    .stopMonitoringMotion,
  ]

  static let inputs: [EngineInput] =
    appInputs.map { .app(AppID(4_294_967_295), $0) } + [
      .fix(fullFix), .fix(bareFix), .networkFix(fullFix), .networkPositionFailed, .cellChanged(nil),
      .cellChanged(CellHint(rawValue: .max)),
      .motionBegan, .acquisitionFailed, .timePassed,
    ]

  static let reasons: [LifecycleTransition.Reason] = [
    .launched, .resigned, .activated, .leftForeground, .enteredForeground, .exitsOnSuspend,
    .woken(.location), .woken(.motion), .relaunched(.location), .relaunched(.motion), .finished,
    .budgetUsedUp, .nothingHolds, .holdChanged, .purged, .terminated, .forceQuit, .exited,
  ]

  static let commands: [EngineCommand] = {
    let app = AppID(7)
    let far = EngineInstant(microseconds: 1 << 60)
    let states: [AppState] = [.notRunning, .inactive, .active, .background, .suspended]
    var commands: [EngineCommand] = reasons.map {
      .transition(app, LifecycleTransition(from: .background, to: .suspended, reason: $0))
    }
    for state in states {
      commands.append(
        .transition(app, LifecycleTransition(from: state, to: state, reason: .purged)))
    }
    for service in Service.allCases {
      commands.append(
        .deliver(
          app,
          Delivery(
            sequence: .max, service: service, fix: fullFix, isCached: true, moved: 0.1,
            since: 3e-7)))
    }
    commands.append(
      .deliver(
        app,
        Delivery(
          sequence: 1, service: .standard, fix: bareFix, isCached: false, moved: nil, since: nil)))
    for outcome in Verdict.Outcome.allCases {
      commands.append(.verdict(app, .significant, Verdict(outcome), fixTime: nil))
    }
    let verdict = Verdict(
      .tooClose, moved: 412.123, movedRequired: 500, since: 188, sinceRequired: 300, accuracy: 35)
    let old = UTCInstant(microseconds: -62_135_596_800_000_001)
    commands.append(.verdict(app, .continuous, verdict, fixTime: old))
    let plans: [ReceiverPlan] = [
      .continuous, .session, .off(.nobodyAsks), .off(.nobodyRuns), .off(.awaitsCellChange),
      .off(.awaitsSession(far)), .off(.awaitsHint(.zero)), .off(.awaitsMotion), .off(.paused),
    ]
    commands += plans.map { .receiver($0) }
    commands += [
      .launch(app, LaunchOptions(reason: .location)), .launch(app, LaunchOptions(reason: .motion)),
      .motion(app), .paused(app), .requestNetworkPosition, .listen([]), .listen(.cells),
      .listen(.motion), .listen([.cells, .motion]),
    ]
    return commands + appInputs.map { .ignored(app, $0) }
  }()

  private func roundTrip(_ records: [EngineRecord]) throws -> [EngineRecord] {
    var bytes: [UInt8] = []
    var encoder = RecordingEncoder()
    encoder.begin(Drive.header(.ios(IOSPolicy())), into: &bytes)
    for record in records { encoder.write(record, into: &bytes) }
    var decoder = RecordingDecoder()
    var steps: [RecordingDecoder.Step] = []
    try decoder.decode(bytes.span, into: &steps)
    return steps.map(\.record)
  }

  @Test("Inputs", arguments: inputs)
  func inputComesBack(input: EngineInput) throws {
    let record = EngineRecord(at: EngineInstant(microseconds: -3), input: input, commands: [])
    #expect(try roundTrip([record]) == [record])
  }

  @Test("Commands", arguments: commands)
  func commandComesBack(command: EngineCommand) throws {
    let record = EngineRecord(at: .zero, input: .timePassed, commands: [command])
    #expect(try roundTrip([record]) == [record])
  }

  @Test("Numbers that no position has are told apart from unknown ones")
  func oddNumbers() throws {
    var fix = Self.bareFix
    (fix.speed, fix.course, fix.altitude, fix.hdop) = (.nan, .infinity, -.infinity, -0.0)
    let record = EngineRecord(at: .zero, input: .fix(fix), commands: [])
    guard case .fix(let read)? = try roundTrip([record]).first?.input else {
      Issue.record("no fix came back")
      return
    }
    #expect(read.speed?.isNaN == true)
    #expect(read.course == .infinity)
    #expect(read.altitude == -.infinity)
    #expect(read.hdop?.sign == .minus && read.hdop == 0)
    #expect(read.horizontalAccuracy == nil)
  }

  @Test("Headers, with every policy's settings, come back the same")
  func headers() throws {
    let timeout = 90.0
    var periodic = PeriodicPolicy(timeout: timeout)
    periodic.interval = 123.4
    var receiver = ReceiverPolicy(timeout: timeout)
    receiver.accuracy = 1 / 3
    let policies: [SignificantPolicy] = [
      .ios(IOSPolicy()), .iosField(IOSFieldPolicy(seed: .max)), .ownTracks(OwnTracksPolicy()),
      .elastic(ElasticPolicy(senses: .motion)), .periodic(periodic), .receiver(receiver),
      .milepost(
        MilepostPolicy(
          senses: [.motion, .cells], memory: AcquisitionMemory(hot: 7, timeout: timeout))),
    ]
    #expect(policies.map(\.name) == SignificantPolicy.names)
    for policy in policies {
      #expect(PolicySettings(of: policy).policy == policy)
      var header = Drive.header(policy)
      header.networkProfile = nil
      header.receiver = .alwaysOn
      header.snapshot = "{\"engine\":[1,2,\"\\\"\"]}"
      var bytes: [UInt8] = []
      RecordingEncoder().begin(header, into: &bytes)
      var decoder = RecordingDecoder()
      var steps: [RecordingDecoder.Step] = []
      try decoder.decode(bytes.span, into: &steps)
      #expect(decoder.header == header)
    }
  }

  @Test("The form is what it is said to be")
  func form() throws {
    let fix = Fix(
      time: UTCInstant(microseconds: 1_777_878_489_000_000),
      coordinate: Coordinate(clampingLatitude: 45.5, wrappingLongitude: 13.25),
      horizontalAccuracy: 4.5)
    let record = EngineRecord(
      at: EngineInstant(microseconds: 2_000_000), input: .fix(fix),
      commands: [
        .verdict(
          AppID(1), .significant, Verdict(.tooClose, moved: 412, movedRequired: 500),
          fixTime: fix.time), .receiver(.off(.awaitsSession(EngineInstant(microseconds: 7)))),
        .requestNetworkPosition,
      ])
    var bytes: [UInt8] = []
    var encoder = RecordingEncoder()
    encoder.write(record, into: &bytes)
    encoder.finish(into: &bytes)
    #expect(
      String(decoding: bytes, as: UTF8.self) == """
        {"at_us":2000000,"input":{"fix":{"time":"2026-05-04T07:08:09.000Z","latitude":45.5,\
        "longitude":13.25,"accuracy_m":4.5}},"commands":[{"verdict":{"app":1,"service":"significant",\
        "outcome":"too_close","moved_m":412,"moved_required_m":500,\
        "fix_time":"2026-05-04T07:08:09.000Z"}},{"receiver":{"plan":"off","reason":"awaits_session",\
        "until_us":7}},"request_network_position"]}
        {"class":"MILEPOST_RECORDING_END","steps":1}

        """)
  }
}
