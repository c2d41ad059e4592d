// SPDX-License-Identifier: Apache-2.0

import Foundation
import Geodesy
import LocationEngine
import LocationModel
import Recording
import Testing

/// A ride of 15 m/s due north, as a service would record it, with a purge after 700 s: the small recordings that the tests of the
/// command line read. `GOLDEN=update swift test --filter RecordingTests` writes them anew.
struct Story {
  private(set) var header: RecordingHeader
  private var engine: LocationEngine
  private var encoder = RecordingEncoder()
  private(set) var bytes: [UInt8] = []

  /// `resumesAt`: the service was restarted then, and records only from there on.
  init(
    seconds: Int, every: Int, receiver: RecordingHeader.Receiver, resumesAt: Int = 0
  ) {
    let policy = SignificantPolicy.receiver(ReceiverPolicy(timeout: 60))
    var header = RecordingHeader(
      release: "0.1.0", started: UTCInstant(microseconds: 1_777_878_489_000_000),
      startedAt: EngineInstant(microseconds: 1_000_000_000), rules: EngineRules(),
      policy: PolicySettings(of: policy), deviceProfile: "pi-zero-ublox7", receiverHold: 60,
      receiver: receiver)
    engine = LocationEngine(rules: header.rules, policy: policy)
    self.header = header
    encoder.begin(header, into: &bytes)
    let app = AppID(1)
    for input: AppInput in [
      .registered(AppDeclaration()), .launched, .startMonitoringSignificantChanges,
      .enteredBackground,
    ] {
      tell(.app(app, input), at: 0)
    }
    var onFor = 0
    for second in 1...seconds {
      if second == resumesAt {
        header.snapshot = Self.text(engine.snapshot)
        (self.header, encoder, bytes) = (header, RecordingEncoder(), [])
        encoder.begin(header, into: &bytes)
      }
      while let due = engine.nextDeadline, due <= at(Double(second)) {
        tell(.timePassed, at: EngineInstant.seconds(from: header.startedAt, to: due))
      }
      if second == 700 { tell(.app(app, .purged), at: 700) }
      // Eight seconds from switching it on to the first fix.
      onFor = engine.plan.isOn ? onFor + 1 : 0
      guard onFor > 8 || receiver == .alwaysOn, second % every == 0 else { continue }
      // A minute of latitude is 1,852 m.
      let latitude = 45.5 + 15 * Double(second) / 1_852 / 60
      var fix = Fix(
        time: header.utc(at: at(Double(second))),
        coordinate: Coordinate(clampingLatitude: latitude, wrappingLongitude: 13.5))
      (fix.horizontalAccuracy, fix.speed, fix.course) = (4.5, 15, 0)
      tell(.fix(fix), at: Double(second))
    }
    tell(.app(app, .terminated), at: Double(seconds))
    encoder.finish(into: &bytes)
  }

  private static func text(_ snapshot: LocationEngine.Snapshot) -> String? {
    let json = JSONEncoder()
    json.outputFormatting = .sortedKeys
    return (try? json.encode(snapshot)).map { String(decoding: $0, as: UTF8.self) }
  }

  private func at(_ seconds: Double) -> EngineInstant {
    header.startedAt.advanced(bySeconds: seconds)
  }

  private mutating func tell(_ input: EngineInput, at seconds: Double) {
    var commands: [EngineCommand] = []
    engine.handle(input, at: at(seconds), into: &commands)
    encoder.write(EngineRecord(at: at(seconds), input: input, commands: commands), into: &bytes)
  }
}

@Suite("The recordings of the command line's tests")
struct StoryTests {
  @Test(
    "They are what the engine decides today",
    arguments: [
      ("ride.recording", Story(seconds: 1_300, every: 1, receiver: .planned).bytes),
      (
        "resumed.recording",
        Story(seconds: 1_300, every: 1, receiver: .planned, resumesAt: 650).bytes
      ),
      ("observed.recording", Story(seconds: 120, every: 2, receiver: .alwaysOn).bytes),
    ])
  func committed(name: String, bytes: [UInt8]) throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("CommandLineTests/Golden/\(name)")
    let environment = ProcessInfo.processInfo.environment
    if environment["GOLDEN"] == "update", environment["CI"] == nil {
      try Data(bytes).write(to: file)
      return
    }
    let committed = Array((try? Data(contentsOf: file)) ?? Data())
    #expect(committed.elementsEqual(bytes), "\(name) differs; GOLDEN=update writes it anew")
  }

  @Test("The receiver was off during the one and not during the other")
  func holes() throws {
    for (receiver, isWhole) in [
      (RecordingHeader.Receiver.planned, false), (RecordingHeader.Receiver.alwaysOn, true),
    ] {
      let story = Story(seconds: 400, every: 10, receiver: receiver)
      var decoder = RecordingDecoder()
      var steps: [RecordingDecoder.Step] = []
      try decoder.decode(story.bytes.span, into: &steps)
      var survey = RecordingSurvey(story.header)
      for step in steps { survey.include(step) }
      #expect((survey.hole == nil) == isWhole)
      // The header and four inputs of the app come before the session's first fix.
      if !isWhole { #expect(survey.hole?.why.until != nil) }
    }
  }
}
