// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import JSONText
import LocationEngine
import LocationModel
import Replay
import Reports
import TraceFiles

/// `milepost test FILE... [TRACE]`
struct TestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test",
    abstract: "Test whether an app's life is what its scenario expects.",
    discussion: """
      A scenario's file says with expect: what must hold, for example woken within 5 min of leaving home, or at most \
      30 J. Each file is played over its trace in 20 simulated worlds, by the rules of each era, or release of \
      Android, that it names. An \
      expectation fails if it does not hold in more than one of 20 worlds; then what happened around it is told, or what took the energy. \
      Exit code 1: something failed, or one of several files could not be tested.

      The trace is the file's own (trace: drive.gpx, from the file's folder), or the last argument.

        milepost test scenario.yaml drive.gpx
        milepost test --junit report.xml scenarios/*.yaml
      """)

  @Argument(files: "Scenarios' files; the last may be the trace over which all are played.", "file")
  var files: [String]

  @OptionGroup var truth: TruthOption

  @Option(
    help: ArgumentHelp(
      "Simulated worlds, 1 to 1000, with seeds from --seed on (default: 20).", valueName: "count"),
    transform: { try Number.worlds($0) })
  var worlds = 20

  @Flag(help: "One JSON document (schema milepost.test/1).")
  var json = false

  @Option(file: "Also write the outcome there as JUnit's XML.")
  var junit: String?

  @OptionGroup var setting: ReplaySetting

  private static let endings = [".yaml", ".yml", ".json"]

  private static func isScenario(_ path: String) -> Bool {
    endings.contains { path.lowercased().hasSuffix($0) } && !path.hasSuffix(".gpsd.json")
  }

  /// The scenarios' files, and the trace if the last argument is one.
  private var split: (scenarios: [String], trace: String?) {
    guard let last = files.last, !Self.isScenario(last) else { return (files, nil) }
    return (Array(files.dropLast()), last)
  }

  func validate() throws {
    guard !split.scenarios.isEmpty else {
      throw ValidationError(
        "no scenario's file is named; their names end in \(Self.endings.joined(separator: ", "))")
    }
  }

  func run() throws {
    let (scenarios, trace) = split
    try OutputFile.refuse(junit, amongInputs: files + setting.files)
    var report = ExpectationReport(worlds: worlds)
    for path in scenarios {
      do {
        report.suites += try suites(of: path, over: trace)
      } catch {
        // What is expected of the others is answered without it.
        guard let reason = Exit(error, of: Milepost.self).complaint else { throw error }
        Console.complain(reason)
        report.untested.append(.init(file: InputName.short(path), reason: reason))
      }
    }
    if let junit {
      try OutputFile.writeWhole(Array(JUnitReport(report).text.utf8), to: junit)
    }
    if report.suites.isEmpty { throw ExitCode(2) }
    if json {
      let output = try OutputFile(path: nil)
      try output.write(ExpectationReport.document.line(report))
      try output.commit()
    } else {
      try Console.standardOutput(ExpectationText(style: Console.style).text(report))
    }
    let untested = report.untested.count
    if untested > 0 {
      Console.remark("\(untested) of \(scenarios.count) files could not be tested, as said above")
    }
    if report.failed > 0 || untested > 0 { throw NegativeAnswer() }
  }

  /// A file's suite, or one for each of the rules that it names.
  private func suites(of path: String, over trace: String?) throws -> [ExpectationReport.Suite] {
    guard let scenario = try ScenarioChoice.file(path).scenario(playsAndroid: true) else {
      return []
    }
    guard !scenario.expectations.isEmpty else {
      throw Complaint(
        "\(path): it expects nothing; say what must hold, as in expect: [at most 30 J]")
    }
    guard let trace = trace ?? scenario.trace.map({ Self.path(of: $0, beside: path) }) else {
      throw Complaint(
        "\(path): over which trace? name one in the file (trace: drive.gpx) or as the last argument"
      )
    }
    return try scenario.variants.map { played in
      let session = ExpectationSession(
        scenario: played, name: InputName.short(path), worlds: worlds,
        options: try setting.options(playing: played))
      let input = try TraceInput(path: trace, truthPath: truth.truth, reading: setting.reading)
      return try session.suite(over: input, setting)
    }
  }

  private static func path(of trace: String, beside file: String) -> String {
    guard !trace.hasPrefix("/"), let slash = file.lastIndex(of: "/") else { return trace }
    return file[...slash] + trace
  }
}
