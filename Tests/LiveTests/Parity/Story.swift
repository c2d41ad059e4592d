// SPDX-License-Identifier: Apache-2.0

import DaemonRuntime
import Foundation
import LocationEngine
import LocationModel
import RadioPower
import Replay
import ServiceContract
import ServiceCore
import Testing
import TraceFiles

// Theory
// ======
//
//              ┌─ replay: receiver that has a fix at once ─► Run: ListenerTwin, a scripted app
//     trace ───┤                                          └► location-example --replay
//              │                                      ┌► milepostd ─► listener.py, listener.py
//              └─ feed at N times its speed ─► gpsd ──┤
//                                                     └► milepostd ─► location-example
//
// Both clocks are those of the trace. The trace's own fixes are the receiver's observations of the truth beside it, so
// both worlds have the same positions; the receiver's time to first fix is in the log, which begins without a fix.
// `location-example` has a separate second daemon, since an app's replay has one app.
//
// The rate: a wake allows 10 s, the shortest limit for a real process; at 14 that is 0.7 s of the machine, ten times
// the start time of a program.

/// One trace, with the acts of users and system on three apps meanwhile.
struct Story: Sendable {
  let trace: String
  /// The time of the first epoch.
  let start: UTCInstant
  let seconds: Double
  /// The acts on the first app, seconds after the start.
  let acts: [(after: Double, what: Happening)]
  /// The time when `location-example` enters the background, and when the system needs its memory.
  let background: Double
  let purge: Double
  var era = Era.usual
  var significantDistance = 500.0
  var significantInterval = 20.0
  var suspendsAfter = 5.0

  /// The replay's name for the first app.
  private static let app = RunPlan.appName(
    0, of: [RunPlan(.significant, .foreground), RunPlan(.continuous, .foreground)])
  static let rate = 14.0
  /// Seconds of the trace: 0.6 s of the machine.
  static let latest = 8.0

  /// A receiver gets its first fix after 95 s, waits for 46 s more and drives 8 km, with stops. Each act lies between
  /// two events of the app; when its location permission returns, the device stands.
  static let drive = Story(
    trace: traces + "/cold-start.nmea",
    // 2026-01-15T05:20:00Z
    start: UTCInstant(microseconds: 1_768_454_400_000_000), seconds: 921,
    acts: [
      (60, .background(app)),
      (200, .purge(app)),
      (360, .forceQuit(app)),
      (480, .open(app)),
      (510, .terminate(app)),
      (640, .authorize(app, .denied)),
      (681, .authorize(app, .always)),
    ], background: 60, purge: 512)

  private static let traces = URL(fileURLWithPath: Station.apps).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Traces").path

  func comparison(with replayed: World) -> WorldComparison {
    let permissions = acts.filter { if case .authorize = $0.what { true } else { false } }
    return WorldComparison(
      replayed: replayed, latest: Self.latest,
      permissions: permissions.map { start.advanced(bySeconds: $0.after) })
  }

  // MARK: In the replay

  func replayed() throws -> World {
    let account = WorldAccount()
    let twin = ListenerTwin(.significant)
    let settings = try configuration.settings(release: Release.version)
    var options = ReplayOptions(device: try Self.quickDevice(), network: nil)
    options.rules = settings.rules
    options.rules.lifecycle.suspendsAfter = suspendsAfter
    options.drawsAcquisition = false
    let file = try TraceFile(path: trace)
    let surveyed = try SurveyedTrace(file, truthPath: TraceFile.truthPath(beside: trace))
    let run = Run(
      RunPlan(.significant, .foreground, policy: settings.policy),
      beside: [RunPlan(.continuous, .foreground)], running: twin, declaring: AppDeclaration(),
      acts: acts.map { UserAct($0.what, after: $0.after) }, options: options, records: [],
      answer: nil, expecting: seconds,
      observer: account)
    var comparison = Comparison(
      run, options: options, summary: surveyed.replayed, observed: surveyed.observed)
    try surveyed.forEachPiece(of: file) { comparison.feed($0) }
    _ = comparison.finishTrace()
    return World(
      rare: account[1], always: account[2], told: twin.told, printed: try printedInReplay())
  }

  private func printedInReplay() throws -> [String] {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let profile = folder.appendingPathComponent(DaemonConfiguration().deviceProfile + ".csv").path
    try Self.quickProfile.write(toFile: profile, atomically: true, encoding: .utf8)
    let output = folder.appendingPathComponent("out").path
    let example = try Child(
      [
        Station.programs + "/location-example", "--replay", trace, "--device", profile,
        "--policy", "receiver", "--purge", String(purge),
      ], output: output)
    Waiting.until("location-example has replayed the trace", limit: 30) { !example.isRunning }
    #expect(example.status == 0)
    // All but the account at the end, which exists only in a replay.
    return Self.lines(of: output).dropLast()
  }

  /// The content of the daemon's configuration file.
  private var configuration: DaemonConfiguration {
    var configuration = DaemonConfiguration()
    configuration.era = era
    configuration.significantDistance = significantDistance
    configuration.significantInterval = significantInterval
    return configuration
  }

  /// The usual device, whose receiver has a fix at once if one is possible.
  private static func quickDevice() throws -> DeviceProfile {
    try DeviceProfile.parse(
      Array(quickProfile.utf8).span, name: DaemonConfiguration().deviceProfile)
  }

  static var quickProfile: String {
    let file = ProfileLibrary.file(named: DaemonConfiguration().deviceProfile) ?? []
    let rows = String(decoding: file, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false)
    // Times in other places and after other starts are proportional to this one.
    let start = "gnss,acquire_hot,duration,"
    return rows.map { $0.hasPrefix(start) ? start + "0.01,0.01,0.01,s,estimate,none" : $0 }
      .joined(separator: "\n")
  }

  static func lines(of path: String) -> [String] {
    ((try? String(contentsOfFile: path, encoding: .utf8)) ?? "").split(separator: "\n").map(
      String.init)
  }
}

// MARK: - Live

extension Story {
  func lived() throws -> World {
    let first = try Station(settings: "significant_interval_s: \(significantInterval)")
    let second = try Station(settings: "policy: receiver", gpsdPort: first.gpsdPort)
    let lapse = HostClock.TimeLapse(
      rate: Self.rate, since: HostClock().bootClock + 6_000_000, shows: start)
    let clock = HostClock(lapse)
    let feed = try TraceFeed(trace, from: start, by: clock)
    defer { feed.close() }
    try first.startGPSD(on: feed.port, ["-n"])
    let option = "\(lapse.rate),\(lapse.since),\(lapse.shows.microseconds)"
    let recording = first.path("life.recording")
    try first.startDaemon(["--time-lapse", option, "--record", recording])
    try second.startDaemon(["--time-lapse", option])
    let common = "authorization: always\nlaunch: manual"
    try first.addListener("rare", common, service: "significant")
    try first.addListener("always", common + "\nmodes: [location]", service: "standard")
    try second.add(
      "example",
      "kind: connected\ncommand: [\"\(Station.programs)/location-example\"]\n" + common)
    #expect(clock.utc < start, "the machine is too slow to be ready in time")

    for (at, station, words) in script(first, second) {
      while clock.utc < start.advanced(bySeconds: at) { Waiting.pass(0.002) }
      let answer = try station.milepost(["apps"] + words)
      #expect(answer.code == 0, "\(words): \(answer.text)")
    }
    while clock.utc < start.advanced(bySeconds: seconds + 2 * Self.latest) { Waiting.pass(0.002) }
    let (rare, printed) = (
      first.account("rare"), Self.lines(of: second.path("run/logs/example.log"))
    )
    first.stopDaemon()
    second.stopDaemon()
    let account = try WorldAccount.recorded(
      recording, until: start.advanced(bySeconds: seconds + Self.latest))
    return World(
      rare: account[1], always: account[2], told: ToldLines.of(rare), printed: printed)
  }

  /// The arguments of `milepost apps` for each station, with their times.
  private func script(
    _ first: Station, _ second: Station
  ) -> [(at: Double, station: Station, words: [String])] {
    var all: [(at: Double, station: Station, words: [String])] = [
      (0, first, ["launch", "rare"]), (0, first, ["launch", "always"]),
      (0, second, ["launch", "example"]), (background, second, ["background", "example"]),
      (purge, second, ["purge", "example"]),
    ]
    for act in acts {
      for words in Self.words(of: act.what) { all.append((act.after, first, words)) }
    }
    // Simultaneous ones keep the order above.
    return all.enumerated().sorted { ($0.element.0, $0.offset) < ($1.element.0, $1.offset) }
      .map(\.element)
  }

  /// A user who opens one app moves the other one from the foreground; here that is a separate command.
  private static func words(of what: Happening) -> [[String]] {
    switch what {
    case .background: [["background", "rare"]]
    case .open: [["background", "always"], ["foreground", "rare"]]
    case .forceQuit: [["quit", "rare"]]
    case .terminate: [["terminate", "rare"]]
    case .purge: [["purge", "rare"]]
    case .authorize(_, let level, _): [["authorize", "rare", level.rawValue]]
    default: []
    }
  }
}
