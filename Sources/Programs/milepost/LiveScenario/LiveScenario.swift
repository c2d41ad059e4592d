// SPDX-License-Identifier: Apache-2.0

import ControlProtocol
import Glibc
import Host
import JSONText
import LocationModel
import Replay
import ServiceCore
import TraceFiles

// Theory
// ======
//
// The lines of a scenario are scheduled by the same rules as in a replay (`ActQueue`), and give the same messages
// (`Stage`). The differences are the clock, and the source of the device's position:
//
//   next line ─► at a time: sleep until the service's clock shows it
//             └► at a place: ask the service for its position once a second, by the machine's clock
//   it has come ─► ask for the apps' states ─► say what it means ─► one line of the account
//
// The service's clock may run faster than the machine's. Two queries give its rate, so that a sleep has the right
// length. After the last line the apps' logs are printed, from the first line on. The programs that were registered for
// the scenario are removed then, also if a signal ends it before.

/// One run of a scenario's file on the service.
struct LiveScenario {
  private let scenario: Scenario
  private let service: ServiceOptions
  private let file: String
  private let then: Double
  private let patience: Double
  private var acts: ActQueue<Happening>
  private var clock: ServiceClock
  private let programs: ScenarioPrograms
  private var isWhole = true

  init(
    _ scenario: Scenario, service: ServiceOptions, file: String, then: Double, patience: Double
  ) {
    self.scenario = scenario
    self.service = service
    self.file = file
    self.then = then
    self.patience = patience
    acts = ActQueue(scenario.acts)
    clock = ServiceClock(service)
    programs = ScenarioPrograms(service)
  }

  // MARK: Programs

  /// Registers, for each app that the service does not know, a program that follows the file. A signal that ends this
  /// program has them removed before, unless they must be kept.
  func registerPrograms(keeping: Bool) throws {
    if !keeping { EndSignals.first { [programs] in programs.removeAll() } }
    let known: AppsDocument? = try service.ask(.apps)
    guard let path = realpath(file, nil) else {
      throw Complaint("\(file): \(SystemError.reading())")
    }
    defer { free(path) }
    for app in scenario.apps where known?.apps.contains(where: { $0.name == app.name }) != true {
      let command = [Self.ownProgram, "scenario", "app", String(cString: path), app.name]
      try programs.register(
        app.name,
        .add(
          .init(
            file: "\(app.name).yaml", directory: "/", bytes: Array(app.manifest.utf8),
            command: command)))
    }
    if !programs.all.isEmpty {
      Console.standardError(
        "milepost: played by their lines in \(file): \(programs.all.joined(separator: ", "))\n")
    }
  }

  func removePrograms() { programs.removeAll() }

  /// This very program, wherever it was found.
  private static var ownProgram: String {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &bytes, bytes.count - 1)
    guard count > 0 else { return CommandLine.arguments[0] }
    return String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  // MARK: Playing

  /// Plays all lines; returns whether all of them came, and could be performed.
  mutating func play() throws -> Bool {
    let output = try OutputFile(path: nil)
    let start = try clock.now()
    acts.begin(at: .zero, utc: start)
    while try awaitNext(since: start) {
      let now = try clock.now()
      guard let act = acts.pop(at: Self.instant(now, since: start)) else { break }
      try output.write(Self.line(now, act.what.words))
      try say(act.what, at: now, to: output)
      try output.flush()
    }
    for act in acts.rest {
      isWhole = false
      try output.write("never came: \(act.when.words), \(act.what.words)\n")
    }
    try clock.sleep(then)
    try tellLogs(since: start, to: output)
    try output.commit()
    return isWhole
  }

  private static func instant(_ utc: UTCInstant, since start: UTCInstant) -> EngineInstant {
    .zero.advanced(bySeconds: max(0, UTCInstant.seconds(from: start, to: utc)))
  }

  private static func line(_ utc: UTCInstant, _ words: String) -> String {
    "\(utc.rfc3339) \(words)\n"
  }

  /// Waits for the next line's moment; false if there is none, or it does not come.
  private mutating func awaitNext(since start: UTCInstant) throws -> Bool {
    let begun = try clock.now()
    while !acts.rest.isEmpty {
      let now = try clock.now()
      if let due = acts.nextDeadline {
        let left = EngineInstant.seconds(from: Self.instant(now, since: start), to: due)
        if left <= 0 { return true }
        try clock.sleep(left)
        continue
      }
      if UTCInstant.seconds(from: begun, to: now) > patience { return false }
      if let place = try service.position() {
        acts.see(place, at: Self.instant(now, since: start))
        if acts.nextDeadline != nil { continue }
      }
      sleep(1)
    }
    return false
  }

  private mutating func say(
    _ happening: Happening, at now: UTCInstant, to output: OutputFile
  ) throws {
    let rows: AppsDocument? = try service.ask(.apps)
    let names = Set(scenario.apps.map(\.name))
    let stage = Stage(
      apps: (rows?.apps ?? []).filter { names.contains($0.name) }.map { ($0.name, $0.state) })
    for message in happening.messages(to: stage) {
      do {
        try service.tellDaemon(message)
      } catch let complaint as Complaint {
        isWhole = false
        try output.write(Self.line(now, "could not be done: \(complaint.message)"))
      }
    }
  }

  /// Writes the entries of the apps' logs from `start` on, as they happened: no two have the same time.
  private func tellLogs(since start: UTCInstant, to output: OutputFile) throws {
    var entries: [(app: String, entry: LogDocument.Entry)] = []
    for app in scenario.apps {
      let log: LogDocument? = try service.ask(.log(app.name, count: Int(ClientMessage.logLimit)))
      entries += (log?.entries ?? []).filter { $0.at >= start }.map { (app.name, $0) }
    }
    if !entries.isEmpty { try output.write("\n") }
    for (app, entry) in entries.sorted(by: { $0.entry.at < $1.entry.at }) {
      try output.write(Self.line(entry.at, "\(app): \(entry.text)"))
    }
  }
}

extension ScenarioApp {
  /// The manifest of the app for the service.
  fileprivate var manifest: String {
    """
    name: "\(name)"
    kind: connected
    launch: manual
    modes: [\(declaration.modes.words.joined(separator: ", "))]
    exits_on_suspend: \(declaration.exitsOnSuspend)
    authorization: \(declaration.authorization.rawValue)
    notifications: \(declaration.mayNotify)

    """
  }
}
