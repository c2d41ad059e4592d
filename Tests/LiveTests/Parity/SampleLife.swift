// SPDX-License-Identifier: Apache-2.0

import BackgroundExecution
import DaemonRuntime
import Foundation
import LocationClientReplay
import LocationModel
import Synchronization
import Testing

@testable import background_example

// Theory
// ======
//
//             ┌─ ReplayedTrace: the app's own objects, one set of them for each life ─► what they say
//     Outing ─┤
//             └─ feed at 14 times its speed ─► gpsd ─► milepostd ─► background-example ─► what it says
//
// Each app has a separate daemon, since a replay has one app: otherwise its looks would also use the receiver time of
// another app. Everything else is as in `Story`, and so are the permitted differences: live is later, and places differ
// by the way of a device at 15 m/s in that time. The lateness adds up: a look comes 300 s after the previous one.

/// One of the sample apps, with the acts of its user and the system over the outing.
struct SampleLife: Sendable {
  let name: String
  let words: [String]
  let era: String
  /// Lines of its manifest besides the usual ones.
  var manifest = ""
  /// Seconds after the start.
  let background: Double
  let purges: [Double]
  /// The first word of the lines of a second loop: each loop keeps its own order, but there is none between them.
  var second: String?
  let replay: @Sendable (ReplayedTrace) async throws -> [String]

  /// The permitted lateness of live, seconds of the trace.
  static let latest = 2 * Story.latest
  private static let home = [Outing.home.latitude, Outing.home.longitude].map { String($0) }
  private static let center = CLLocationCoordinate2D(
    latitude: Outing.home.latitude, longitude: Outing.home.longitude)

  /// 2010: it is ended on the way to the office, and again there.
  static let deliveries = SampleLife(
    name: "deliveries", words: ["deliveries"], era: "ios4", background: 30, purges: [90, 900]
  ) { trace in
    let said = Said()
    _ = try trace.run { _ in
      let app = DeliveryRound()
      app.say = said.add
      app.upload = { _, done in done() }
      UIApplication.shared.delegate = app
      return app
    }
    return said.lines
  }

  /// 2016: it is ended before the visit is reported, before its end is, and before home is reached.
  static let reminders = SampleLife(
    name: "reminders", words: ["reminders"] + home, era: "today", manifest: "notifications: true",
    background: 30, purges: [700, 1_000, 1_300]
  ) { trace in
    let said = Said()
    var trace = trace
    trace.allowsNotifications = true
    _ = try trace.run { _ in
      let app = Reminders(home: center)
      app.say = said.add
      UIApplication.shared.delegate = app
      return app
    }
    return said.lines
  }

  /// 2024: it runs on in the background.
  static let runner = SampleLife(
    name: "runner", words: ["runner"] + home, era: "today", manifest: "modes: [location]",
    background: 30, purges: [], second: "mile"
  ) { trace in
    let said = Said()
    var trace = trace
    trace.declaresLocationMode = true
    let runner = Runner(say: said.add)
    _ = try await trace.run { _ in await runner.run(home: center) }
    return said.lines
  }

  /// The lines of each of its loops, in order.
  func voices(of lines: [String]) -> [[String]] {
    guard let second else { return [lines] }
    return [lines.filter { !$0.hasPrefix(second) }, lines.filter { $0.hasPrefix(second) }]
  }

  /// Its lines in a replay of the log, on a device with the profile of that file.
  func replayed(_ log: String, profile: String) async throws -> [String] {
    var trace = try ReplayedTrace(log)
    trace.device = profile
    trace.policy = "receiver"
    trace.era = era
    trace.drawsAcquisition = false
    trace.background(after: background)
    for purge in purges { trace.purge(after: purge) }
    return try await replay(trace)
  }

  /// The arguments of `milepost apps`, with their times.
  var script: [(at: Double, words: [String])] {
    [(0, ["launch", name]), (background, ["background", name])]
      + purges.map { ($0, ["purge", name]) }
  }
}

/// The lines of an app, from any thread.
final class Said: Sendable {
  private let all = Mutex<[String]>([])

  var lines: [String] { all.withLock { $0 } }

  @Sendable func add(_ line: String) { all.withLock { $0.append(line) } }
}

/// The sample apps' lives with real processes, all over one outing.
struct SampleLives {
  let lives: [SampleLife]

  struct Lived {
    /// The lines of each app, by its name.
    var said: [String: [String]] = [:]
    /// The lines of the service's log about each.
    var logs: [String: String] = [:]
  }

  func lived(_ log: String) throws -> Lived {
    let first = try Station(settings: settings(lives[0]))
    let stations =
      try [first]
      + lives.dropFirst().map { try Station(settings: settings($0), gpsdPort: first.gpsdPort) }
    let lapse = HostClock.TimeLapse(
      rate: Story.rate, since: HostClock().bootClock + 9_000_000, shows: Outing.start)
    let clock = HostClock(lapse)
    let feed = try TraceFeed(log, from: Outing.start, by: clock)
    defer { feed.close() }
    try first.startGPSD(on: feed.port, ["-n"])
    let option = "\(lapse.rate),\(lapse.since),\(lapse.shows.microseconds)"
    for (life, station) in zip(lives, stations) {
      try station.startDaemon(["--time-lapse", option])
      let command = ([Station.programs + "/background-example"] + life.words).map { "\"\($0)\"" }
      try station.add(
        life.name,
        """
        kind: connected
        command: [\(command.joined(separator: ", "))]
        authorization: always
        launch: manual
        \(life.manifest)
        """)
    }
    #expect(clock.utc < Outing.start, "the machine is too slow to be ready in time")
    let script = zip(lives, stations).flatMap { life, station in
      life.script.map { (at: $0.at, station: station, words: $0.words) }
    }
    for (at, station, words) in script.sorted(by: { $0.at < $1.at }) {
      while clock.utc < Outing.start.advanced(bySeconds: at) { Waiting.pass(0.002) }
      let answer = try station.milepost(["apps"] + words)
      #expect(answer.code == 0, "\(words): \(answer.text)")
    }
    let end = Double(Outing.seconds) + 2 * Story.latest
    while clock.utc < Outing.start.advanced(bySeconds: end) { Waiting.pass(0.01) }
    var lived = Lived()
    for (life, station) in zip(lives, stations) {
      lived.said[life.name] = Story.lines(of: station.path("run/logs/\(life.name).log"))
      lived.logs[life.name] =
        try station.milepost(["apps", "log", life.name, "--count", "1000"]).text
      station.stopDaemon()
    }
    return lived
  }

  private func settings(_ life: SampleLife) -> String {
    "policy: receiver\nera: \"\(life.era)\""
  }
}

/// A line of a sample app: words, and numbers and times between them.
struct SampleLine {
  let line: String
  let words: [String]
  let time: Date?
  let numbers: [Double]

  init(_ line: String) {
    self.line = line
    let all = line.split(separator: " ").map(String.init)
    let dates = all.map { ISO8601DateFormatter().date(from: $0) }
    time = dates.compactMap(\.self).first
    numbers = all.compactMap(Double.init)
    words = zip(all, dates).filter { Double($0) == nil && $1 == nil }.map(\.0)
  }

  /// The difference from the other line beyond the movement of a device in `seconds` at `speed`.
  func differs(from other: Self, seconds: Double, speed: Double) -> Bool {
    guard words == other.words, numbers.count == other.numbers.count else { return true }
    if let time, let earlier = other.time {
      guard (0...seconds).contains(time.timeIntervalSince(earlier)) else { return true }
    } else if (time == nil) != (other.time == nil) {
      return true
    }
    let metres = seconds * speed
    // Two numbers are a place: degrees along a meridian; one is metres of the way.
    let scale = numbers.count == 2 ? 111_267.0 : 1
    return zip(numbers, other.numbers).contains { abs($0 - $1) * scale > metres }
  }
}
