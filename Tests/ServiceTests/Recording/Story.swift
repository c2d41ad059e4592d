// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import Foundation
import Geodesy
import LocationEngine
import LocationModel
import ServiceContract
import ServiceCore
import Testing
import TraceFiles

/// A ride of 15 m/s due north with an app that receives significant changes, acknowledges them and never reports its
/// work as done, and that is purged after 700 s: the small recordings that the tests of the command line read.
/// `GOLDEN=update swift test --filter RecordingTests` writes them anew.
struct Story {
  private(set) var shell: Shell
  private var pid: Int32 = 4_800
  private var connections: UInt64 = 1
  private var client: ClientID?

  private static let user = ClientID(1)

  /// `observes`: a second app keeps the receiver on. `resumesAt`: the service was killed then and begins again, and is
  /// only recorded from there on.
  init(seconds: Int, every: Int, observes: Bool = false, resumesAt: Int = 0) throws {
    shell = try Shell(Shell.beginning(Shell.settings(), at: Shell.start))
    try begin(adopted: nil)
    try tell(
      .manifest(
        Self.user, .read(Self.manifest("walker", .significant), missingProgram: nil), id: nil))
    if observes {
      var observer = Self.manifest("observer", .continuous)
      observer.declaration.declaresLocationMode = true
      observer.command = []
      try tell(.manifest(Self.user, .read(observer, missingProgram: nil), id: nil))
      try tell(.client(.connected(ClientID(99), .socket(pid: 99, group: 99, uid: 1_000))))
      try tell(.client(.message(ClientID(99), .hello(.init(app: "observer")))))
    }
    var onFor = 0
    for second in 1...seconds {
      let instant = Shell.start.at.advanced(bySeconds: Double(second))
      while let due = shell.service.nextDeadline, due <= instant {
        shell.pass(to: due)
        try tell(.timePassed)
      }
      shell.pass(to: instant)
      if second == resumesAt { try resume() }
      if second == 700 { try tell(.client(.message(Self.user, .control("walker", .purge)))) }
      // Eight seconds from switching it on to the first fix.
      onFor = shell.service.engine.plan.isOn ? onFor + 1 : 0
      guard onFor > 8 || observes, second % every == 0 else { continue }
      try tell(.gpsd(.fix(fix(at: second), device: "/dev/ttyACM0")))
    }
    try tell(.stop)
    shell.wait(10)
    try tell(.timePassed)
    try shell.finish()
  }

  private func fix(at second: Int) -> Fix {
    // A minute of latitude is 1,852 m.
    let latitude = 45.5 + 15 * Double(second) / 1_852 / 60
    return Fix(
      time: shell.time.utc,
      coordinate: Coordinate(clampingLatitude: latitude, wrappingLongitude: 13.5),
      horizontalAccuracy: 4.5, speed: 15, course: 0)
  }

  private static func manifest(_ name: String, _ service: Service) -> AppManifest {
    AppManifest(
      name: name, kind: .connected, command: ["/opt/\(name)", "--quiet"],
      environment: ["LANG": "C", "TZ": "UTC", "HOME": "/srv/rider"], directory: "/srv/rider",
      declaration: AppDeclaration(), service: service)
  }

  private mutating func begin(adopted: String?) throws {
    if let adopted {
      try tell(.process(.adopted(app: adopted, pid: pid, isFrozen: true)))
    }
    try tell(.began(adopted: adopted.map { [$0] } ?? []))
    try tell(
      .gpsd(.link(.connected(release: "3.25", protocolMajor: 3, protocolMinor: 15))))
    try tell(.client(.connected(Self.user, .socket(pid: 42, group: 42, uid: 1_000))))
    if adopted != nil { try connect() }
  }

  private mutating func resume() throws {
    shell = try Shell(
      Shell.beginning(Shell.settings(), stored: shell.store, at: shell.time), at: shell.time)
    try begin(adopted: "walker")
  }

  /// Passes an input to the service, and lets the world answer.
  private mutating func tell(_ input: ServiceInput) throws {
    for effect in try shell.give(input) {
      switch effect {
      case .start(let start):
        pid += 1
        try tell(.process(.started(app: start.app, pid: pid)))
        try connect()
      case .freeze(let app): try tell(.process(.frozen(app: app)))
      case .thaw(let app): try tell(.process(.thawed(app: app)))
      case .kill(let app), .end(let app, _):
        if let client { try tell(.client(.disconnected(client))) }
        client = nil
        try tell(.process(.ended(app: app, .signalled(9))))
      case .send(.location(let delivery, _), let client, _):
        try tell(.client(.message(client, .acknowledge(delivery.sequence))))
      case .watch(true, _): try tell(.gpsd(.link(.watching(true))))
      default: break
      }
    }
  }

  private mutating func connect() throws {
    connections += 1
    let id = ClientID(connections)
    client = id
    try tell(.client(.connected(id, .socket(pid: pid, group: pid, uid: 1_000))))
    try tell(.client(.message(id, .hello(.init(app: "walker")))))
  }
}

@Suite("The recordings of the command line's tests")
struct StoryTests {
  static let stories: [(name: String, seconds: Int, every: Int, observes: Bool, resumesAt: Int)] = [
    ("ride", 1_300, 1, false, 0), ("resumed", 1_300, 1, false, 650),
    ("observed", 120, 2, true, 0),
  ]

  private static func file(_ name: String) -> URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
      .appendingPathComponent("CommandLineTests/Golden/\(name).recording")
  }

  private static func bytes(of name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: file(name)))
  }

  @Test("They say what the service decides today", arguments: stories)
  func committed(
    story: (name: String, seconds: Int, every: Int, observes: Bool, resumesAt: Int)
  ) throws {
    let bytes = try Story(
      seconds: story.seconds, every: story.every, observes: story.observes,
      resumesAt: story.resumesAt
    ).shell.bytes
    let committed = Reading((try? Self.bytes(of: story.name)) ?? [])
    let today = Reading(bytes)
    let isSame =
      committed.steps == today.steps && committed.decoder.header == today.decoder.header
      && committed.ending == today.ending
    let environment = ProcessInfo.processInfo.environment
    if !isSame, environment["GOLDEN"] == "update", environment["CI"] == nil {
      return try Data(bytes).write(to: Self.file(story.name))
    }
    #expect(isSame, "\(story.name) differs; GOLDEN=update writes it anew")
  }

  @Test("The receiver was off during the one and not during the other", arguments: [false, true])
  func holes(observes: Bool) throws {
    let bytes = try Story(seconds: 400, every: 10, observes: observes).shell.bytes
    var survey = RecordingSurvey()
    for step in Reading(bytes).steps { survey.include(step: step) }
    #expect((survey.hole == nil) == observes)
    // The first session's first fix comes after ten seconds, and ends it.
    if !observes {
      #expect(survey.hole?.utc == Shell.start.utc.advanced(bySeconds: 10))
    }
  }
}
