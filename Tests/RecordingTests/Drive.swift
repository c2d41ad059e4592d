// SPDX-License-Identifier: Apache-2.0

import AppLifecycle
import Geodesy
import LocationEngine
import LocationModel
import Recording
import SeededRandom

/// A seeded run of an engine with three apps, as a recorder would see it.
struct Drive {
  let header: RecordingHeader
  private(set) var records: [EngineRecord] = []
  private var random: SplitMix64

  init(seed: UInt64, steps: Int, policy: SignificantPolicy = .ios(IOSPolicy())) {
    random = SplitMix64(seed: seed)
    header = Self.header(policy)
    var engine = LocationEngine(rules: header.rules, policy: policy)
    var now = header.startedAt
    var coordinate = (latitude: 45.5, longitude: 13.5)
    var time = UTCInstant(microseconds: 1_777_878_489_000_000)
    for number in 0..<steps {
      let input: EngineInput
      if number < Self.opening.count {
        input = Self.opening[number]
      } else {
        now = now.advanced(bySeconds: Double(random.below(4_000_000)) / 1e6)
        time = time.advanced(bySeconds: Double(random.below(2_000)) / 1e3)
        coordinate.latitude += Double(random.below(1_000)) * 1e-6
        coordinate.longitude += Double(random.below(997)) * 1.3e-6
        input = draw(time, coordinate)
      }
      var commands: [EngineCommand] = []
      engine.handle(input, at: now, into: &commands)
      records.append(EngineRecord(at: now, input: input, commands: commands))
    }
  }

  /// The recording's bytes.
  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    var encoder = RecordingEncoder()
    encoder.begin(header, into: &bytes)
    for record in records { encoder.write(record, into: &bytes) }
    encoder.finish(into: &bytes)
    return bytes
  }

  static func header(_ policy: SignificantPolicy) -> RecordingHeader {
    var rules = EngineRules()
    rules.era = .ios13
    rules.lifecycle.purgesAfter = 90
    return RecordingHeader(
      release: "0.1.0", started: UTCInstant(microseconds: 1_777_878_489_123_456),
      startedAt: EngineInstant(microseconds: 5_000_000), rules: rules,
      policy: PolicySettings(of: policy), deviceProfile: "pi-zero-ublox7",
      networkProfile: "gsm-tailender", receiverHold: 60, receiver: .planned)
  }

  private static let opening: [EngineInput] = {
    var continuous = AppDeclaration()
    continuous.declaresLocationMode = true
    var request = StandardRequest()
    request.distanceFilter = 25
    return [
      .app(AppID(1), .registered(AppDeclaration())), .app(AppID(2), .registered(continuous)),
      .app(AppID(3), .registered(AppDeclaration())), .app(AppID(1), .launched),
      .app(AppID(2), .launched), .app(AppID(3), .launched),
      .app(AppID(1), .startMonitoringSignificantChanges),
      .app(AppID(2), .startUpdating(request)), .app(AppID(3), .startMonitoringMotion),
    ]
  }()

  private mutating func draw(
    _ time: UTCInstant, _ place: (latitude: Double, longitude: Double)
  ) -> EngineInput {
    let app = AppID(UInt32(1 + random.below(4)))
    let fix = Fix(
      time: time,
      coordinate: Coordinate(
        clampingLatitude: place.latitude, wrappingLongitude: place.longitude),
      horizontalAccuracy: Double(1 + random.below(40)), speed: Double(random.below(300)) / 7)
    switch random.below(40) {
    case 0: return .cellChanged(CellHint(rawValue: UInt64(random.below(3))))
    case 1: return .motionBegan
    case 2: return .acquisitionFailed
    case 3: return .networkPositionFailed
    case 4...6: return .networkFix(fix)
    case 7: return .app(app, .enteredBackground)
    case 8: return .app(app, .enteredForeground)
    case 9: return .app(app, .finishedWork)
    case 10: return .app(app, .launched)
    case 11: return .app(app, .purged)
    case 12: return .app(app, .startMonitoringSignificantChanges)
    case 13: return .app(app, .requestLocation)
    case 14...20: return .timePassed
    default: return .fix(fix)
    }
  }
}
