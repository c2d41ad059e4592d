// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FixFormats
import JSONText
import LocationModel
import RadioPower
import Replay
import Reports
import TraceFiles

/// `milepost advise TRACE...`
struct Advise: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Sweep policies and settings over your traces and recommend one for your budget.",
    discussion: """
      Replays every policy that the device can follow, with its settings, and draws energy a day \
      against delay: how long after a move of 500 m the app was told, in 95 % of the moves. Of those \
      that nobody beats it recommends the quickest within --budget, or the cheapest within --latest, \
      and says what one more mWh a day would buy. Without either it takes the place where the front \
      bends most.

      A file X.truth.csv beside the trace X is taken as where the device truly was; --truth none \
      ignores it. Exit code 1: nothing is recommended.

        milepost advise monday.gpx tuesday.gpx
        milepost advise --budget "20 mWh/day" --html front.html week/*.gpx
        milepost advise --latest "60 s" --profile tracker-lora-m10 trip.nmea
      """)

  @Argument(help: ArgumentHelp("Traces to replay; - is standard input.", valueName: "trace"))
  var traces: [String]

  @Option(
    help: ArgumentHelp(
      "Energy above the baseline that you can afford, with its unit: mWh/day, Wh/day, J/day, kJ/day, "
        + "mW, or %/day of the battery.", valueName: "amount"))
  var budget: String?

  @Option(
    help: ArgumentHelp(
      "How late 95 % of the moves may be told at most, with its unit: s, min or h.",
      valueName: "time"))
  var latest: String?

  @Option(
    help: ArgumentHelp(
      "Where the device truly was: a file, or none (default: X.truth.csv beside the trace X).",
      valueName: "file"))
  var truth: String?

  @Option(
    help: ArgumentHelp(
      "Also draw the front in one HTML file that needs nothing else.", valueName: "file"))
  var html: String?

  @Flag(help: "One JSON document (schema milepost.advise/1).")
  var json = false

  @OptionGroup(title: "Profile options") var profiles: ProfileOptions
  @OptionGroup(title: "World options") var world: WorldOptions
  @OptionGroup(title: "Scenario options") var timing: ScenarioOptions
  @OptionGroup(title: "Reading options") var reading: ReadingOptions

  func validate() throws {
    if truth != nil, truth != "none", traces.count > 1 {
      throw ValidationError("--truth names the truth of one trace, but several were given")
    }
    if json, html == "-" {
      throw ValidationError("--json and --html - each need standard output; choose one")
    }
    if traces.count(where: { $0 == "-" }) > 1 {
      throw ValidationError("standard input (-) can be read only once")
    }
  }

  func run() throws {
    let truths = traces.map { truth ?? TraceFile.truthPath(beside: $0) }
    try OutputFile.refuse(
      html, amongInputs: traces + truths + [world.towers] + profiles.files)
    let device = try profiles.device()
    var options = ReplayOptions(device: device, network: try profiles.network(of: device))
    world.apply(to: &options)
    timing.apply(to: &options)
    let wish = try wish(for: options.device)
    var sweep = Sweep(options)
    var names: [(name: String, isOwnTruth: Bool)] = []
    for path in traces {
      names.append(try add(path, number: names.count, to: &sweep, options))
    }
    let report = AdviseReport(traces: names, sweep: sweep, wish: wish, options: options)
    try write(report)
    if report.recommended == nil { throw NegativeAnswer() }
  }

  private func wish(for device: DeviceProfile) throws -> Wish {
    do {
      return Wish(
        budget: try budget.map { try Amount.budget($0, battery: device.battery.nominal) },
        latest: try latest.map { try Amount.delay($0) })
    } catch let error as Amount.Unreadable {
      throw Complaint(error.message)
    }
  }

  /// Replays one trace in every configuration.
  private func add(
    _ path: String, number: Int, to sweep: inout Sweep, _ options: ReplayOptions
  ) throws -> (name: String, isOwnTruth: Bool) {
    let trace = try TraceInput(path: path, truthPath: truth, reading: reading)
    var options = options
    try world.placeTowers(for: trace, in: &options)
    var comparison = Comparison(
      sweep.configurations.map(\.plan), options: options, summary: trace.replayed,
      observed: trace.observed, keepsPath: true)
    let progress = Progress("\(trace.file.name) (\(number + 1) of \(traces.count))")
    defer { progress.clear() }
    try trace.forEachChunk { events in
      // A truth comes in one piece; a line that moves needs smaller ones.
      for start in stride(from: 0, to: events.count, by: Self.slice) {
        let end = min(start + Self.slice, events.count)
        comparison.feed(Array(events[start..<end]))
        if trace.truthName != nil { progress.report(Double(end) / Double(events.count)) }
      }
    }
    let result = comparison.finish()
    guard result.judged > 0 else {
      throw Complaint(
        "\(trace.file.name): nothing to judge: every step between its fixes is a gap, in which nobody "
          + "knows where the device was (milepost info lists them)")
    }
    sweep.add(result, path: comparison.path, options: options)
    return (trace.file.name, trace.truthName == nil)
  }

  /// Events between two looks at the clock.
  private static let slice = 2_000

  private func write(_ report: AdviseReport) throws {
    let output = try OutputFile(path: nil)
    if json {
      try output.write(AdviseJSON.table.document(report) + [0x0A])
    } else if html != "-" {
      try output.write(AdviseText.text(report, style: Console.style))
    }
    if let html {
      let page = AdvisePage.document(report)
      if html == "-" {
        try output.write(page)
      } else {
        let file = try OutputFile(path: html)
        try file.write(page)
        try file.commit()
      }
    }
    try output.commit()
  }
}
